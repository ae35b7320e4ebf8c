/** Secrets that are good for one use within some minutes: only their hash is stored. */
import type { Archive, Json } from '../store/archive/archive.ts'
import type { RecordKind } from '../store/archive/record-kinds.ts'
import { isSecretLike, newSecret, secretHash } from './secrets.ts'

/** Seconds that somebody has to come back. */
export const oneUseSeconds = 600

/** What nobody came back for is removed at most this often. */
const sweepEvery = 60_000

type Stored = { readonly until: number; readonly value: Json }

export interface OneUse<Value extends Json> {
  /** Keeps a value for whoever comes back with the secret; a new one, or the one that is given. */
  put(value: Value, secret?: string): Promise<string>
  /** The value, for the first who asks. `expired`: they came too late. */
  take(secret: string): Promise<Value | 'expired' | undefined>
}

export const oneUse = <Value extends Json>(
  archive: Pick<Archive, 'records' | 'addRecord' | 'removeRecord'>,
  kind: RecordKind,
  clock: () => number,
): OneUse<Value> => {
  let swept = -Infinity
  const sweep = async (): Promise<void> => {
    if (clock() - swept < sweepEvery) return
    swept = clock()
    const old = (await archive.records(kind)).filter(({ value }) => (value as Stored).until < clock())
    for (const { key } of old) await archive.removeRecord(kind, key)
  }
  return {
    async put(value, secret = newSecret()) {
      await sweep()
      await archive.addRecord(kind, secretHash(secret), { until: clock() + oneUseSeconds * 1_000, value })
      return secret
    },
    async take(secret) {
      if (!isSecretLike(secret)) return undefined
      const stored = (await archive.removeRecord(kind, secretHash(secret))) as Stored | undefined
      if (!stored) return undefined
      return stored.until < clock() ? 'expired' : (stored.value as Value)
    },
  }
}
