/** A store that can be searched, and that also keeps line-ups, settings, tags, owners and records. */
import type { BookState } from '../../core/letters/book.ts'
import type { LinkKind, Outcome, SessionEvent } from '../../core/log/event.ts'
import type { Level } from '../../core/verdict/tally.ts'
import type { DaySpending } from '../ledger/ledger.ts'
import type { Listed, Store } from '../store.ts'
import type { RecordKind } from './record-kinds.ts'

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
  readonly book?: BookState
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
