/** A store that can be searched, and that also keeps line-ups, settings and tags. */
import type { LinkKind, Outcome } from '../../core/log/event.ts'
import type { Level } from '../../core/verdict/tally.ts'
import type { Listed, Store } from '../store.ts'

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export interface FoundSession extends Listed {
  readonly protocol: string
  /** The models of the seats, as `provider/model`. */
  readonly models: readonly string[]
  readonly tags: readonly string[]
  /** The session that this one follows or is a fork of, and which of the two. */
  readonly parent: string | null
  readonly link: LinkKind | null
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
  find(filter?: Filter, page?: Page): Promise<Findings>
  /** Empty if there is no such session. */
  tags(id: string): Promise<readonly string[]>
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
  /** Releases connections, files and the lock of the folder. */
  close(): Promise<void>
}

export const usualLimit = 50
