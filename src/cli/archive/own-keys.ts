/** The keys of makers that a person entered, in the providers of their sessions. */

import { join } from 'node:path'
import { makerKeysIn } from '../../accounts/maker-keys.ts'
import { serverSecret } from '../../accounts/server-secret.ts'
import { type Environment, variable } from '../../providers/endpoints.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Archive } from '../../store/archive/archive.ts'
import type { Reach } from '../../table/reach.ts'
import type { OwnKeys } from '../../worker/payers.ts'

/** `folder`: of the archive, if it is on this machine. Undefined: there is no secret, so nobody can enter keys. */
export const secretFor = (env: Environment, folder: string | undefined): Buffer | undefined =>
  serverSecret(variable(env, 'ROUNDTABLE_SECRET'), folder && join(folder, 'secret'))

export const ownKeysWith =
  (reach: Pick<Reach, 'connections'>, secret: Buffer) =>
  (archive: Archive): OwnKeys =>
  async person => {
    const keys = await makerKeysIn(archive, secret).open(person)
    if (keys.length === 0) return undefined
    const made = new Map<string, Provider>()
    const own = (provider: Provider): Provider => {
      const known = made.get(provider.id)
      if (known) return known
      const connection = reach.connections.find(({ maker }) => maker.id === provider.id)
      const entered = keys.find(({ maker }) => maker === provider.id)
      // A key isn't sent to another address than it was entered for.
      const isSame = connection && entered && connection.address === entered.address
      const used = isSame ? connection.withKey(entered.key) : provider
      made.set(provider.id, used)
      return used
    }
    return providers => providers.map(own)
  }
