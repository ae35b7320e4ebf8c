/** A store that can be searched, and that also keeps line-ups, settings, tags, owners and records. */
import { UsageError } from '../core/basics.ts'
import type { Outcome, SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { type Budget, type LinkKind, parentOf } from '../core/opening.ts'
import type { Answer } from '../core/question.ts'
import type { Level } from '../count/tally.ts'
import {
  type SessionRecord,
  sessionRecordOf,
  type TrackRecord,
  trackRecordFrom,
} from '../count/track-record.ts'
import { reportTexts } from '../words/words.ts'
import { type Listed, listed, type Store } from './store.ts'

// ledger: The ledger: what payers may use by day and month, what they used, and what calls under way hold.

/** Whoever pays for everything, besides the person who asked. */
export const teamPayer = 'team'

export type Period = 'day' | 'month'

/** By day and month in UTC. Absent: as much as you like. */
export type Allowance = { readonly [period in Period]?: Budget }

/** Dollars and tokens. Infinite if there is no limit. */
export interface Charge {
  readonly usd: number
  readonly tokens: number
}

/** What a payer used on one day. */
export interface DaySpending extends Charge {
  readonly payer: string
  /** `2026-11-18`, in UTC. */
  readonly day: string
  readonly calls: number
}

export interface HoldRequest {
  readonly id: string
  /** Absent: a call outside of any session. If its process dies, what it holds counts as used half an hour later. */
  readonly session?: string | undefined
  readonly payers: readonly string[]
  /** Milliseconds since 1970. The call counts for this day, whenever it ends. */
  readonly at: number
  /** What the call holds if so much is left. Undefined: that isn't enough. Called within a transaction. */
  choose(left: Charge): Charge | undefined
}

/** Whose budget has no room. */
export interface Shortage {
  readonly payer: string
  readonly period: Period
  readonly budget: Budget
  /** The budget is smaller than the call, however little is used. */
  readonly tooSmall: boolean
}

export type HoldReply =
  | { readonly held: Charge }
  | { readonly short: Shortage }
  /** There is room once calls under way end, because they may use less than they hold. */
  | { readonly wait: true }

export interface Ledger {
  /** Holds everything that a call may use, of all its payers or of none. However many ask at once, no budget is exceeded. */
  hold(request: HoldRequest): Promise<HoldReply>
  /** The call has ended and used this much. Does nothing if its hold is gone. */
  settle(id: string, used: Charge): Promise<void>
  /** The sessions that hold something. */
  holders(): Promise<readonly string[]>
  /** Counts what a session still holds as used: its runner died, and the provider may have billed it. */
  release(session: string): Promise<void>
}

// recordKinds: The kinds of records. A new kind is one line here, which says whether a backup has it.

/** What lasts for minutes, or lets somebody in, isn't backed up: a restore would open again what was ended since. */
const inBackup = {
  person: true,
  /** Which name or address is whose: its key is taken only once. */
  'person-name': true,
  password: true,
  'api-key': true,
  invitation: true,
  lineup: true,
  template: true,
  audit: true,
  'sign-in': false,
  /** When somebody last logged in. The sign-in itself may have ended since. */
  'last-sign-in': false,
  'key-use': false,
  /** What a payer may use: the ledger below. */
  budget: true,
  /** Who is known by which subject of a provider. */
  'oidc-identity': true,
  'oidc-flow': false,
  passkey: true,
  /** The counter of its last use, without which a copied device could be used again. */
  'passkey-use': true,
  'passkey-challenge': false,
  /** Encrypted with the server's secret, which a backup doesn't have. */
  'maker-key': true,
  endpoint: true,
} as const satisfies Record<string, boolean>

export type RecordKind = keyof typeof inBackup

export const backedUpKinds = Object.entries(inBackup).flatMap(([kind, kept]) =>
  kept ? [kind as RecordKind] : [],
)

/** A backup that has another kind was changed by somebody: a sign-in in it would let them in. */
export const isBackedUp = (kind: string): kind is RecordKind => backedUpKinds.some(one => one === kind)

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A private session is its owner's alone; the team's is everybody's who has an account. */
export type Visibility = 'private' | 'team'

/** A session without an owner is the team's: it was opened without an account. */
export type Ownership =
  | { readonly owner: string; readonly visibility: Visibility }
  | { readonly owner: null; readonly visibility: 'team' }

/** How a session is filed: whose it is, and its tags. */
export type Filing = Ownership & { readonly tags: readonly string[] }

/** What is kept beside the sessions: people, sign-ins, keys, invitations and the audit log. */
export interface StoredRecord {
  readonly key: string
  /** Whose it is, if it is somebody's. */
  readonly owner: string | null
  readonly value: Json
}

export interface OwnedRecord {
  readonly value: Json
  /** Null if it is nobody's, or nobody is there by that name. */
  readonly person: Json
}

export interface RecordPage {
  readonly owner?: string
  /** Only keys that sort before this one. */
  readonly before?: string
  /** At most this many; all by default. */
  readonly limit?: number
}

/** How many sessions somebody opened on a day, of those that are still there. */
export interface DayAsked {
  readonly owner: string
  /** `2026-11-18`, in UTC. */
  readonly day: string
  readonly sessions: number
}

export interface FoundSession extends Listed {
  readonly protocol: string
  /** The models of the seats, as `provider/model`. */
  readonly models: readonly string[]
  readonly tags: readonly string[]
  /** Only if the session is a book of letters. */
  readonly book?: true
  /** The session that this one follows or is a fork of, and which of the two. */
  readonly parent: string | null
  readonly link: LinkKind | null
  /** Only if it has an owner: whose it is, and who else may see it. */
  readonly owner?: string
  readonly visibility?: Visibility
}

/** A field that is left out filters nothing. */
export interface Filter {
  /**
   * Words that must all occur in the question, or in the answers and the report of a finished session. The last one may
   * be the beginning of a word, unless it is in quotes.
   */
  readonly words?: string
  readonly model?: string
  readonly protocol?: string
  readonly level?: Level
  readonly outcome?: Outcome
  readonly tag?: string
  /** Follow-ups and forks of this session. */
  readonly parent?: string
  /** Opened at this time or later; ISO 8601. */
  readonly from?: string
  /** Opened before this time. */
  readonly before?: string
  /** Books of letters only. */
  readonly books?: boolean
  /** Only what this person may see: their own sessions, and the team's. */
  readonly viewer?: string
}

export interface Page {
  /** At most this many sessions; 50 by default. */
  readonly limit?: number
  /** The `next` of the previous page. */
  readonly cursor?: string
}

export interface Findings {
  /** Newest first. */
  readonly sessions: readonly FoundSession[]
  /** Null on the last page. */
  readonly next: string | null
}

export interface Archive extends Store {
  /** As in `Store`. The first events of a session say whose it is; without an owner it is the team's. */
  append(id: string, events: readonly SessionEvent[], ownership?: Ownership): Promise<void>
  /** Undefined if there is no such session. In one query: a request for a session asks whose it is and for its tags. */
  filing(id: string): Promise<Filing | undefined>
  /** Says whose a session is from now on. Does nothing if there is no such session. */
  own(id: string, ownership: Ownership): Promise<void>
  find(filter?: Filter, page?: Page): Promise<Findings>
  /** Replaces the tags of a session. Does nothing if there is no such session. */
  tag(id: string, tags: readonly string[]): Promise<void>
  /** All line-ups by name. The archive doesn't look into them. */
  lineups(): Promise<Readonly<Record<string, Json>>>
  saveLineup(name: string, seats: Json): Promise<void>
  removeLineup(name: string): Promise<void>
  settings(): Promise<Readonly<Record<string, Json>>>
  /** Undefined if there is none by that name. */
  setting(name: string): Promise<Json | undefined>
  saveSetting(name: string, value: Json): Promise<void>
  /** Saves it unless there is one by that name, and returns the stored one: if many add it at once, one wins. */
  addSetting(name: string, value: Json): Promise<Json>
  /** Returns what was removed: if many remove it at once, one gets it and the others get undefined. */
  removeSetting(name: string): Promise<Json | undefined>
  /** Undefined if there is none with that key. */
  record(kind: RecordKind, key: string): Promise<Json | undefined>
  /** A record together with that of the person whose it is: every request asks for both, and each look costs time. */
  ownedRecord(kind: RecordKind, key: string): Promise<OwnedRecord | undefined>
  /** The records of one kind, by their keys, the last one first. */
  records(kind: RecordKind, page?: RecordPage): Promise<readonly StoredRecord[]>
  saveRecord(kind: RecordKind, key: string, value: Json, owner?: string): Promise<void>
  /** Like `addSetting`: saves it unless it is there, and returns the stored one. */
  addRecord(kind: RecordKind, key: string, value: Json, owner?: string): Promise<Json>
  /** Like `removeSetting`: if many remove it at once, one gets it. */
  removeRecord(kind: RecordKind, key: string): Promise<Json | undefined>
  /** What payers used from one day to another, both included, such as `2026-11-18`. */
  spending(from: string, to: string): Promise<readonly DaySpending[]>
  /** Everything that payers used, with what calls under way hold: a backup must not give that back. */
  ledger(): Promise<readonly DaySpending[]>
  /** At least so much was used. What is there already is never lowered. */
  countSpending(days: readonly DaySpending[]): Promise<void>
  /** How many sessions people opened from one day to another, both included. Those of nobody are left out. */
  asked(from: string, to: string): Promise<readonly DayAsked[]>
  /** Releases connections, files and the lock of the folder. */
  close(): Promise<void>
}

export const teams: Ownership = { owner: null, visibility: 'team' }

export const usualLimit = 50

// cursor: A cursor marks where the next page of a list of sessions begins. Clients get it as opaque text.

export interface Cursor {
  readonly openedAt: string
  readonly id: string
}

export const cursorText = ({ openedAt, id }: Listed): string =>
  Buffer.from(JSON.stringify([openedAt, id])).toString('base64url')

export const cursorFrom = (cursor: string): Cursor => {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(decoded) && decoded.length === 2) {
      const [openedAt, id] = decoded
      // No date or id contains a NUL, and the database refuses to compare with one.
      if (typeof openedAt === 'string' && typeof id === 'string' && !`${openedAt}${id}`.includes('\0'))
        return { openedAt, id }
    }
  } catch {
    // Whatever is wrong with it, it isn't one of our cursors.
  }
  throw new UsageError('Invalid cursor. Leave it out to start from the first page.')
}

// methods: The list of archive methods. The pass-through, the socket server and the socket client are made from it.

/** Every method but `close`, which is about a connection and not about what is stored. */
export type ArchiveMethod = Exclude<keyof Archive, 'close'>

/** A method of `Archive` that is missing here doesn't compile, and neither does one that `Archive` lacks. */
const methods: Readonly<Record<ArchiveMethod, true>> = {
  append: true,
  read: true,
  list: true,
  keepFiles: true,
  file: true,
  remove: true,
  find: true,
  tag: true,
  lineups: true,
  saveLineup: true,
  removeLineup: true,
  settings: true,
  setting: true,
  saveSetting: true,
  addSetting: true,
  removeSetting: true,
  filing: true,
  own: true,
  record: true,
  ownedRecord: true,
  records: true,
  saveRecord: true,
  addRecord: true,
  removeRecord: true,
  spending: true,
  ledger: true,
  countSpending: true,
  asked: true,
}

export const isArchiveMethod = (name: string): name is ArchiveMethod => Object.hasOwn(methods, name)

type ArchiveCall = (method: ArchiveMethod, given: readonly unknown[]) => Promise<unknown>

/** An archive whose calls all go through one function. */
export const archiveFrom = (call: ArchiveCall, close: () => Promise<void>): Archive => {
  const entries = Object.keys(methods).map(name => {
    const method = name as ArchiveMethod
    return [method, (...given: readonly unknown[]) => call(method, given)] as const
  })
  // The record above holds every method; what is lost here is only that each has its own arguments.
  return { ...Object.fromEntries(entries), close } as unknown as Archive
}

/** The arguments must be those of the method: nothing checks them before the method itself does. */
export const callOn = (
  archive: Archive,
  method: ArchiveMethod,
  given: readonly unknown[],
): Promise<unknown> => (archive[method] as (...given: readonly unknown[]) => Promise<unknown>)(...given)

// through: An archive that passes every call on to another archive, which may be a different one for each call.

export type Use = <T>(call: (archive: Archive) => Promise<T>) => Promise<T>

export const archiveThrough = (use: Use, close: () => Promise<void>): Archive =>
  archiveFrom((method, given) => use(archive => callOn(archive, method, given)), close)

// lazily: An archive that is opened at its first use, so that a command that fails earlier doesn't start a database.

export const lazily = (open: () => Promise<Archive>): Archive => {
  let opening: Promise<Archive> | undefined
  return archiveThrough(
    async call => {
      opening ??= open()
      return call(await opening)
    },
    // If it couldn't be opened, the first call has said so already and there is nothing to close.
    async () => (await opening?.catch(() => undefined))?.close(),
  )
}

// remembered: Remembers who people are and whose sessions are: every request asks for them, and each question costs a good part of a
// request. What this process writes is forgotten at once. What other processes write isn't noticed, so if there are any,
// only who a key or a sign-in belongs to is remembered, and only for a moment.

const kinds: ReadonlySet<RecordKind> = new Set(['person', 'sign-in', 'api-key'] as const)

const mostRememberedLogs = 5_000

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
      if (values.size >= mostRememberedLogs) values.clear()
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

// searchPrefix: While somebody types, the last word of a search may be incomplete: it also finds words that begin with it.

export interface SearchPrefix {
  /** The text before it. */
  readonly before: string
  readonly beginning: string
}

/** Undefined if the last word is quoted, excluded with a minus, or followed by something. */
export const searchPrefixIn = (words: string): SearchPrefix | undefined => {
  const { before = '', beginning } =
    /^(?<before>.*\s)?(?<beginning>[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)$/su.exec(words)?.groups ?? {}
  const isQuoted = before.split('"').length % 2 === 0
  return beginning === undefined || isQuoted ? undefined : { before, beginning }
}

// summary: What an archive keeps of a session besides its log: its row in lists, and the text that is searched.

/** Databases limit how much of a text they index. The rest of a longer session is kept, but not searched. */
const longestText = 100_000

/** Databases refuse NUL and half a surrogate pair in text; the log itself keeps both. */
const plain = (text: string): string => text.replaceAll('\0', ' ').toWellFormed()

export const found = (events: readonly SessionEvent[], tags: readonly string[]): FoundSession => {
  const session = fold(events)
  const summary = listed(events)
  const parent = parentOf(session)
  return {
    ...summary,
    openedAt: plain(summary.openedAt),
    question: plain(summary.question),
    line: summary.line && plain(summary.line),
    protocol: plain(session.protocol),
    models: [...new Set(session.seats.map(seat => plain(seat.model)))],
    tags,
    ...(session.book && { book: true as const }),
    parent: parent ? plain(parent.session) : null,
    link: parent?.kind ?? null,
  }
}

/** What a seat wrote itself. The words that it quotes are in the answer that they are from, and are found there. */
const wordsOf = ({ headline, reasoning, reading, text, points = [] }: Answer): string[] =>
  [headline, reasoning, reading, text, ...points.map(({ why }) => why)].filter(words => words !== undefined)

/** The question while a session runs; also the answers and the report once it has finished. */
export const searchText = (events: readonly SessionEvent[]): string => {
  // If a session was resolved later, `session-finished` is not its last event.
  const session = fold(events)
  const finished = session.outcome !== undefined
  const texts = events.flatMap((event): string[] => {
    if (event.type === 'session-opened') return [event.question.text, ...event.question.options]
    if (!finished) return []
    if (event.type === 'report-written') return reportTexts(event.report)
    if (event.type === 'answer-given') return wordsOf(event.answer)
    return []
  })
  // The report comes last in the log, and must not be cut off in a long session.
  const [question = '', ...others] = texts
  return plain([question, ...others.reverse()].join('\n').slice(0, longestText))
}

// thread: The thread of a session: everything that it follows or was forked from, and everything that follows.

/** A thread that is longer is shown in part. */
const mostUp = 50
const mostDown = 200

type Threads = Pick<Archive, 'read' | 'find'>

const parentIn = ([first]: readonly SessionEvent[]): string | undefined =>
  first?.type === 'session-opened' ? parentOf(first)?.session : undefined

/** The log of the oldest session that is still there. A log that names itself, as an import may, ends the way up. */
const rootOf = async (log: readonly SessionEvent[], archive: Threads): Promise<readonly SessionEvent[]> => {
  let root = log
  const seen = new Set<string>()
  while (seen.size < mostUp) {
    const parent = parentIn(root)
    if (parent === undefined || seen.has(parent) || !/^[\w-]{1,100}$/.test(parent)) return root
    seen.add(parent)
    const above = await archive.read(parent)
    if (above.length === 0) return root
    root = above
  }
  return root
}

/** Each session before what follows it, older ones first. The whole is one session if it stands alone. */
export const threadOf = async (log: readonly SessionEvent[], archive: Threads): Promise<FoundSession[]> => {
  const top = found(await rootOf(log, archive), [])
  const thread: FoundSession[] = []
  const waiting = [top]
  const seen = new Set<string>()
  while (waiting.length > 0 && thread.length < mostDown) {
    const session = waiting.shift()!
    if (seen.has(session.id)) continue
    seen.add(session.id)
    thread.push(session)
    const { sessions } = await archive.find({ parent: session.id }, { limit: mostDown })
    waiting.unshift(...sessions.toReversed())
  }
  return thread
}

// memorySpending: What was used, in memory. Nothing holds anything there: no account pays for what is only in memory.

const byDay = (one: DaySpending, other: DaySpending): number =>
  one.day.localeCompare(other.day) || one.payer.localeCompare(other.payer)

export const memorySpending = (): Pick<Archive, 'spending' | 'ledger' | 'countSpending'> => {
  const days = new Map<string, DaySpending>()
  const ledger = async (): Promise<readonly DaySpending[]> => [...days.values()].sort(byDay)
  return {
    ledger,
    spending: async (from, to) => (await ledger()).filter(({ day }) => from <= day && day <= to),
    async countSpending(counted) {
      for (const { payer, day, usd, tokens, calls } of counted) {
        const before = days.get(`${day} ${payer}`) ?? { usd: 0, tokens: 0, calls: 0 }
        days.set(`${day} ${payer}`, {
          ...{ payer, day, usd: Math.max(before.usd, usd) },
          ...{ tokens: Math.max(before.tokens, tokens), calls: Math.max(before.calls, calls) },
        })
      }
    },
  }
}

// trackRecordIn: The track record of models, from the sessions of a store.

/** Reads one log at a time: the logs of thousands of sessions would not fit into memory. */
export const trackRecordIn = async (store: Pick<Store, 'list' | 'read'>): Promise<TrackRecord> => {
  const records: SessionRecord[] = []
  for (const { id, outcome } of await store.list()) {
    const record = outcome === null ? undefined : sessionRecordOf(fold(await store.read(id)))
    if (record) records.push(record)
  }
  return trackRecordFrom(records)
}
