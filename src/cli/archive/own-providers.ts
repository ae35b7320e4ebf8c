/** The keys and endpoints that a person entered, in the providers of their sessions. */

import { join } from 'node:path'
import { makerKeysIn, type OpenMakerKey } from '../../accounts/maker-keys.ts'
import { ownEndpointsIn } from '../../accounts/own-endpoints.ts'
import { serverSecret } from '../../accounts/server-secret.ts'
import { UsageError } from '../../core/errors.ts'
import { dispatcherFor } from '../../evidence/web/guarded-agent.ts'
import { type Environment, variable } from '../../providers/endpoints.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { atTable, type Reach } from '../../table/reach.ts'
import type { OwnProviders } from '../../worker/payers.ts'

/** `folder`: of the archive, if it is on this machine. Undefined: there is no secret, so nobody can enter keys. */
export const secretFor = (env: Environment, folder: string | undefined): Buffer | undefined =>
  serverSecret(variable(env, 'ROUNDTABLE_SECRET'), folder && join(folder, 'secret'))

/** Whether people's endpoints may be on this machine and its network. */
export const privateEndpointsIn = (env: Environment): boolean => {
  const said = variable(env, 'ROUNDTABLE_PRIVATE_ENDPOINTS')?.toLowerCase()
  if (said === undefined || said === 'no') return false
  if (said === 'yes') return true
  throw new UsageError('Set ROUNDTABLE_PRIVATE_ENDPOINTS to "yes" or "no".')
}

/** Providers with other keys, each connected once. */
const withKeys = ({ connections }: Pick<Reach, 'connections'>, keys: readonly OpenMakerKey[]) => {
  const made = new Map<string, Provider>()
  return (provider: Provider): Provider => {
    const known = made.get(provider.id)
    if (known) return known
    const connection = connections.find(({ maker }) => maker.id === provider.id)
    const entered = keys.find(({ maker }) => maker === provider.id)
    // A key isn't sent to another address than it was entered for.
    const isSame = connection && entered && connection.address === entered.address
    const used = isSame ? connection.withKey(entered.key) : provider
    made.set(provider.id, used)
    return used
  }
}

export const ownProvidersWith = (
  reach: Pick<Reach, 'connections'>,
  secret: Buffer,
  privateEndpoints: boolean,
): ((archive: Archive) => OwnProviders) => {
  const through = dispatcherFor(privateEndpoints)
  return archive => async person => {
    const keys = await makerKeysIn(archive, secret).open(person)
    const endpoints = (await ownEndpointsIn(archive, secret, through).open(person)).map(atTable)
    if (keys.length === 0 && endpoints.length === 0) return undefined
    const keyed = withKeys(reach, keys)
    // If the server has got one with the same name since, that one comes first and counts.
    return providers => [...providers.map(keyed), ...endpoints]
  }
}
