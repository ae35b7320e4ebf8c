/** A store that can be searched, and that also keeps what a person saves beside sessions. */
import type { Outcome } from '../../core/log/event.ts'
import type { Level } from '../../core/verdict/tally.ts'
import type { Listed, Store } from '../store.ts'

/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export interface FoundSession extends Listed {
  readonly protocol: string
  /** The models of the seats, as `provider/model`. */
  readonly models: readonly string[]
  readonly tags: readonly string[]
}

/** What is left out lets everything pass. */
export interface Filter {
  /**
   * Words that must all stand in the question, or in the answers and the report of a finished session. The last one
   * may be the beginning of a word, unless it stands in quotes.
   */
  readonly words?: string
  readonly model?: string
  readonly protocol?: string
  readonly level?: Level
  readonly outcome?: Outcome
  readonly tag?: string
  /** Opened at this time or later; ISO 8601. */
  readonly from?: string
  /** Opened before this time. */
  readonly before?: string
}

export interface Page {
  /** At most this many sessions; 50 unless told. */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly cursor?: string
}

export interface Findings {
  /** Newest first. */
  readonly sessions: readonly FoundSession[]
  /** Null: this was the last page. */
  readonly next: string | null
}

export interface Archive extends Store {
  find(filter?: Filter, page?: Page): Promise<Findings>
  /** None for a session that is not here. */
  tags(id: string): Promise<readonly string[]>
  /** Replaces the tags of a session. A session that is not here takes none. */
  tag(id: string, tags: readonly string[]): Promise<void>
  /** All line-ups by name; what stands in one is the business of who saves it. */
  lineups(): Promise<Readonly<Record<string, Json>>>
  saveLineup(name: string, seats: Json): Promise<void>
  removeLineup(name: string): Promise<void>
  settings(): Promise<Readonly<Record<string, Json>>>
  /** Undefined where there is none by that name. */
  setting(name: string): Promise<Json | undefined>
  saveSetting(name: string, value: Json): Promise<void>
  /** Saves it unless there is one by that name, and gives back the one that stands: of many who claim, one wins. */
  addSetting(name: string, value: Json): Promise<Json>
  removeSetting(name: string): Promise<void>
  /** Gives up whatever is held: connections, files, the lock of a folder. */
  close(): Promise<void>
}

export const usualLimit = 50
