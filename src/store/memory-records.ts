/** Records in memory. */
import type { Archive, StoredRecord } from './archive/archive.ts'

type RecordMethods = Pick<
  Archive,
  'record' | 'ownedRecord' | 'records' | 'saveRecord' | 'addRecord' | 'removeRecord'
>

export const memoryRecords = (): RecordMethods => {
  const kinds = new Map<string, Map<string, StoredRecord>>()
  const ofKind = (kind: string): Map<string, StoredRecord> => {
    const known = kinds.get(kind) ?? new Map<string, StoredRecord>()
    kinds.set(kind, known)
    return known
  }
  return {
    record: async (kind, key) => structuredClone(ofKind(kind).get(key)?.value),
    async ownedRecord(kind, key) {
      const found = ofKind(kind).get(key)
      const person = ofKind('person').get(found?.owner ?? '')?.value ?? null
      return found && structuredClone({ value: found.value, person })
    },
    async records(kind, { owner, before, limit } = {}) {
      const found = [...ofKind(kind).values()].filter(
        one => (owner === undefined || one.owner === owner) && (before === undefined || one.key < before),
      )
      const sorted = found.sort((one, other) => (one.key < other.key ? 1 : -1))
      return structuredClone(sorted.slice(0, limit))
    },
    async saveRecord(kind, key, value, owner) {
      ofKind(kind).set(key, structuredClone({ key, owner: owner ?? null, value }))
    },
    async addRecord(kind, key, value, owner) {
      const stored = ofKind(kind).get(key) ?? structuredClone({ key, owner: owner ?? null, value })
      ofKind(kind).set(key, stored)
      return structuredClone(stored.value)
    },
    async removeRecord(kind, key) {
      const removed = ofKind(kind).get(key)?.value
      ofKind(kind).delete(key)
      return removed
    },
  }
}
