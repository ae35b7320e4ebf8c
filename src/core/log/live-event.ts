/** What a watcher of a running session sees besides the log. None of it is stored. */
import type { SessionEvent } from './event.ts'

/** The parts of an answer that can be watched, in the order in which most seats write them. */
export const draftFields = ['thinking', 'points', 'reasoning', 'text', 'headline'] as const
export type DraftField = (typeof draftFields)[number]

/** In the place of a seat's id: who writes the report. Its reasons are `points`, its answer is the `headline`. */
export const reportWriter = 'moderator'

/**
 * A piece of a seat's answer on its way, of what it says as an advocate in its turn, or of the report. Streamed, never
 * stored.
 */
export interface Delta {
  readonly type: 'delta'
  readonly round: number
  readonly turn?: number
  readonly seat: string
  readonly field: DraftField
  readonly text: string
  /** The text is everything so far, and replaces what a watcher had of the field. */
  readonly whole?: true
}

/** A call was tried again; shown live, never stored. */
export interface Retrying {
  readonly type: 'retrying'
  readonly round: number
  readonly turn?: number
  readonly seat: string
  readonly attempt: number
  readonly why: string
}

/** What a watcher of a running session sees. */
export type LiveEvent = SessionEvent | Delta | Retrying
