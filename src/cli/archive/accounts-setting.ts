/** A process on an archive that people use must know that they do, and must be able to open what they entered. */
import { UsageError } from '../../core/errors.ts'
import type { Environment } from '../../providers/endpoints.ts'
import type { Archive } from '../../store/archive/archive.ts'
import type { RecordKind } from '../../store/archive/record-kinds.ts'

export interface AccountsSetting {
  readonly env: Environment
  /** Undefined: there is none, or accounts are off. */
  readonly secret: Buffer | undefined
  /** What would happen without the setting: "everybody could read …". */
  readonly harm: string
}

/** Whether there are people. Throws UsageError if the process would silently do something else than they expect. */
export const checkAccountsSetting = async (
  archive: Pick<Archive, 'records'>,
  { env, secret, harm }: AccountsSetting,
): Promise<boolean> => {
  const has = async (kind: RecordKind): Promise<boolean> =>
    (await archive.records(kind, { limit: 1 })).length > 0
  if (!(await has('person'))) return false
  const said = env.ROUNDTABLE_ACCOUNTS?.trim().toLowerCase()
  if (!said)
    throw new UsageError(
      `People have accounts here, and without them ${harm}. Set ROUNDTABLE_ACCOUNTS to "on", or to "off" if that is what you want.`,
    )
  if (said === 'on' && !secret && ((await has('maker-key')) || (await has('endpoint'))))
    throw new UsageError(
      'People have entered keys or endpoints of their own. Set ROUNDTABLE_SECRET to the same as on the other servers: without it, their sessions would be run with the keys of the server.',
    )
  return true
}

/** Checked before an engine is opened there: it would begin to run sessions at once. */
export const checkSharedArchive = async (address: string, setting: AccountsSetting): Promise<boolean> => {
  const { serverArchive } = await import('../../store/server.ts')
  const archive = await serverArchive(address)
  try {
    return await checkAccountsSetting(archive, setting)
  } finally {
    await archive.close()
  }
}
