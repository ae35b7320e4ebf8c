/**
 * Remembers who people are and whose sessions are: every request asks for them, and each question costs a good part of a
 * request. What this process writes is forgotten at once. What other processes write isn't noticed, so if there are any,
 * only who a key or a sign-in belongs to is remembered, and only for a moment.
 */
import type { Archive } from './archive.ts'
import type { RecordKind } from './record-kinds.ts'

const kinds: ReadonlySet<RecordKind> = new Set(['person', 'sign-in', 'api-key'] as const)

const mostRemembered = 5_000

interface Memory {
  /** The remembered value, or what `read` gives. Nothing is remembered of what isn't there. */
  of<T>(name: string, read: () => Promise<T | undefined>): Promise<T | undefined>
  /** Forgets everything before and after a write, which is rare: a reader in between may have something old. */
  writing<T>(write: () => Promise<T>): Promise<T>
}

interface Remembered {
  readonly value: unknown
  readonly at: number
}

const memory = (freshMs = Number.POSITIVE_INFINITY): Memory => {
  const values = new Map<string, Remembered>()
  /** Grows with every write, so that a reader knows that it has something old. */
  let writes = 0
  const forget = (): void => {
    writes++
    values.clear()
  }
  return {
    async of<T>(name: string, read: () => Promise<T | undefined>) {
      const known = values.get(name)
      const at = performance.now()
      if (known && at - known.at < freshMs) return known.value as T
      const before = writes
      const value = await read()
      if (value === undefined || before !== writes) return value
      if (values.size >= mostRemembered) values.clear()
      values.set(name, { value, at })
      return value
    },
    async writing(write) {
      forget()
      try {
        return await write()
      } finally {
        forget()
      }
    },
  }
}

/** What isn't about people is never remembered: nothing would forget it. */
const known = <T>(
  records: Memory,
  what: string,
  kind: RecordKind,
  key: string,
  read: () => Promise<T | undefined>,
) => (kinds.has(kind) ? records.of(`${what} ${kind} ${key}`, read) : read())

/** Whose a key or a sign-in is, as `records` remembers it. */
const rememberingPeople = (archive: Archive, records: Memory) => {
  const writing = <T>(kind: RecordKind, write: () => Promise<T>): Promise<T> =>
    kinds.has(kind) ? records.writing(write) : write()
  return {
    ownedRecord: (kind, key) =>
      known(records, 'with person', kind, key, () => archive.ownedRecord(kind, key)),
    saveRecord: (kind, ...given) => writing(kind, () => archive.saveRecord(kind, ...given)),
    addRecord: (kind, ...given) => writing(kind, () => archive.addRecord(kind, ...given)),
    removeRecord: (kind, key) => writing(kind, () => archive.removeRecord(kind, key)),
  } satisfies Partial<Archive>
}

/** For an archive that nobody but this process writes to. */
export const remembering = (archive: Archive): Archive => {
  const [records, filings] = [memory(), memory()]
  return {
    ...archive,
    ...rememberingPeople(archive, records),
    record: (kind, key) => known(records, 'alone', kind, key, () => archive.record(kind, key)),
    filing: id => filings.of(id, () => archive.filing(id)),
    tag: (id, tags) => filings.writing(() => archive.tag(id, tags)),
    own: (id, ownership) => filings.writing(() => archive.own(id, ownership)),
    remove: id => filings.writing(() => archive.remove(id)),
  }
}

/**
 * Milliseconds for which a key or a sign-in that another process ended still counts here. Whoever changes people reads them
 * with `record`, which is never old.
 */
const momentMs = 1_000

/** For an archive that other processes write to, too. */
export const rememberingBriefly = (archive: Archive): Archive => ({
  ...archive,
  ...rememberingPeople(archive, memory(momentMs)),
})
