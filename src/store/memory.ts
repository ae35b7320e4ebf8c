/** An archive in memory, for tests and for sessions that need not be kept. */
import type { SessionEvent } from '../core/event.ts'
import type { StoredFile } from '../core/excerpts.ts'
import {
  type Archive,
  cursorFrom,
  cursorText,
  type DayAsked,
  type Filter,
  type FoundSession,
  found,
  type Json,
  memorySpending,
  type Ownership,
  type StoredRecord,
  searchPrefixIn,
  searchText,
  teams,
  usualLimit,
} from './archive.ts'
import { checkedId, checkedPosition, listed, newestFirst, PositionTaken } from './store.ts'

// memoryRecords: Records in memory.

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

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

const holdsAll = (text: string, words: string): boolean => {
  const held = new Set(wordsOf(text))
  const holds = (some: string): boolean => wordsOf(some).every(word => held.has(word))
  const prefix = searchPrefixIn(words)
  if (!prefix) return holds(words)
  const beginning = prefix.beginning.toLowerCase()
  return holds(prefix.before) && [...held].some(word => word.startsWith(beginning))
}

const passes = (session: FoundSession, events: readonly SessionEvent[], filter: Filter): boolean =>
  (filter.words === undefined || holdsAll(searchText(events), filter.words)) &&
  (filter.model === undefined || session.models.includes(filter.model)) &&
  (filter.protocol === undefined || session.protocol === filter.protocol) &&
  (filter.level === undefined || session.level === filter.level) &&
  (filter.outcome === undefined || session.outcome === filter.outcome) &&
  (filter.parent === undefined || session.parent === filter.parent) &&
  (filter.tag === undefined || session.tags.includes(filter.tag)) &&
  (filter.from === undefined || session.openedAt >= filter.from) &&
  (filter.before === undefined || session.openedAt < filter.before) &&
  (!filter.books || session.book !== undefined) &&
  (filter.viewer === undefined || session.visibility !== 'private' || session.owner === filter.viewer)

/** The sessions that come after a cursor, in a list that is newest first. */
const behind = (sessions: readonly FoundSession[], cursor: string | undefined): FoundSession[] => {
  if (cursor === undefined) return [...sessions]
  const { openedAt, id } = cursorFrom(cursor)
  return sessions.filter(one => one.openedAt < openedAt || (one.openedAt === openedAt && one.id < id))
}

const named = () => {
  const values = new Map<string, Json>()
  return {
    all: async () => Object.fromEntries(structuredClone([...values]).sort()),
    one: async (name: string) => structuredClone(values.get(name)),
    save: async (name: string, value: Json) => void values.set(name, structuredClone(value)),
    add: async (name: string, value: Json) => {
      if (!values.has(name)) values.set(name, structuredClone(value))
      return structuredClone(values.get(name)!)
    },
    remove: async (name: string) => {
      const removed = values.get(name)
      values.delete(name)
      return removed
    },
  }
}

export const memoryStore = (): Archive => {
  const logs = new Map<string, SessionEvent[]>()
  const tags = new Map<string, readonly string[]>()
  const files = new Map<string, Map<string, StoredFile>>()
  const owners = new Map<string, Ownership>()
  const [lineups, settings] = [named(), named()]
  return {
    async append(id, events, ownership = teams) {
      const log = logs.get(checkedId(id)) ?? []
      const first = checkedPosition(events)
      if (events.length === 0) return
      if (first !== log.length) throw new PositionTaken(id, first)
      logs.set(id, [...log, ...structuredClone(events)])
      if (first === 0) owners.set(id, ownership)
    },
    async read(id, after = -1) {
      return structuredClone(logs.get(checkedId(id)) ?? []).slice(after + 1)
    },
    async list() {
      return newestFirst([...logs.values()].map(listed))
    },
    async keepFiles(id, given) {
      const kept = files.get(checkedId(id)) ?? new Map<string, StoredFile>()
      for (const file of given) kept.set(file.sha256, { ...file })
      files.set(id, kept)
    },
    async file(id, sha256) {
      return files.get(checkedId(id))?.get(sha256)
    },
    async remove(id) {
      logs.delete(checkedId(id))
      tags.delete(id)
      files.delete(id)
      owners.delete(id)
    },
    async find(filter = {}, { limit = usualLimit, cursor } = {}) {
      const all = [...logs].map(([id, events]) => {
        const { owner = null, visibility } = owners.get(id) ?? {}
        const session = found(events, tags.get(id) ?? [])
        return { events, session: owner === null ? session : { ...session, owner, visibility } }
      })
      const passed = all.filter(({ session, events }) => passes(session, events, filter))
      const rest = behind(newestFirst(passed.map(one => one.session)), cursor)
      const sessions = rest.slice(0, limit)
      return { sessions, next: rest.length > limit ? cursorText(sessions.at(-1)!) : null }
    },
    async tag(id, given) {
      if (logs.has(checkedId(id))) tags.set(id, [...new Set(given)].sort())
    },
    async filing(id) {
      const ownership = owners.get(checkedId(id))
      return ownership && { ...ownership, tags: tags.get(id) ?? [] }
    },
    async own(id, ownership) {
      if (logs.has(checkedId(id))) owners.set(id, ownership)
    },
    lineups: lineups.all,
    saveLineup: lineups.save,
    async removeLineup(name) {
      await lineups.remove(name)
    },
    settings: settings.all,
    setting: settings.one,
    saveSetting: settings.save,
    addSetting: settings.add,
    removeSetting: settings.remove,
    ...memoryRecords(),
    ...memorySpending(),
    async asked(from, to) {
      const counts = new Map<string, DayAsked>()
      for (const [id, { owner }] of owners) {
        const day = listed(logs.get(id) ?? []).openedAt.slice(0, 10)
        if (owner === null || day < from || day > to) continue
        const sessions = (counts.get(`${day} ${owner}`)?.sessions ?? 0) + 1
        counts.set(`${day} ${owner}`, { owner, day, sessions })
      }
      return [...counts.values()]
    },
    async close() {},
  }
}
