/**
 * Remembers who people are and whose sessions are, for an archive that nobody but this process writes to: every request
 * asks for them, and each question would cost the embedded database a millisecond. What is written is forgotten at once.
 */
import type { Archive } from './archive.ts'
import type { RecordKind } from './record-kinds.ts'

const kinds: ReadonlySet<RecordKind> = new Set(['person', 'sign-in', 'api-key'] as const)

const mostRemembered = 5_000

interface Memory {
  /** The remembered value, or what `read` gives. Nothing is remembered of what isn't there. */
  of<T>(name: string, read: () => Promise<T | undefined>): Promise<T | undefined>
  /** Forgets a value before and after it is written: a reader in between may have the old one. */
  writing<T>(name: string, write: () => Promise<T>): Promise<T>
}

const memory = (): Memory => {
  const values = new Map<string, unknown>()
  /** Grows with every write, so that a reader knows that it has something old. */
  let writes = 0
  const forget = (name: string): void => {
    writes++
    values.delete(name)
  }
  return {
    async of<T>(name: string, read: () => Promise<T | undefined>) {
      if (values.has(name)) return values.get(name) as T
      const before = writes
      const value = await read()
      if (value === undefined || before !== writes) return value
      if (values.size >= mostRemembered) values.clear()
      values.set(name, value)
      return value
    },
    async writing(name, write) {
      forget(name)
      try {
        return await write()
      } finally {
        forget(name)
      }
    },
  }
}

export const remembering = (archive: Archive): Archive => {
  const [records, owners] = [memory(), memory()]
  const nameOf = (kind: RecordKind, key: string): string => `${kind} ${key}`
  return {
    ...archive,
    record: (kind, key) =>
      kinds.has(kind)
        ? records.of(nameOf(kind, key), () => archive.record(kind, key))
        : archive.record(kind, key),
    saveRecord: (kind, key, value, owner) =>
      records.writing(nameOf(kind, key), () => archive.saveRecord(kind, key, value, owner)),
    addRecord: (kind, key, value, owner) =>
      records.writing(nameOf(kind, key), () => archive.addRecord(kind, key, value, owner)),
    removeRecord: (kind, key) => records.writing(nameOf(kind, key), () => archive.removeRecord(kind, key)),
    ownership: id => owners.of(id, () => archive.ownership(id)),
    own: (id, ownership) => owners.writing(id, () => archive.own(id, ownership)),
    remove: id => owners.writing(id, () => archive.remove(id)),
  }
}
