/** What a protocol may ask the runtime to do, as plain data. */
import type { ReadingPart } from './event.ts'

export type Command =
  /** Search the web for all seats, before the first round. */
  | { readonly type: 'search' }
  | { readonly type: 'open-round'; readonly round: number; readonly sealed: boolean }
  | { readonly type: 'ask-seat'; readonly round: number; readonly seat: string }
  /** Say what kind of question it is. */
  | { readonly type: 'find-kind' }
  /** Put together the ways in which seats read the question. */
  | { readonly type: 'group-readings'; readonly round: number }
  /** Read a closed round in one call: labels if it needs them, and the parts that its protocol wants. */
  | { readonly type: 'read-round'; readonly round: number; readonly parts: readonly ReadingPart[] }
  /** Label the headlines of a round; two passes, in two orders, and batch after batch at a large table. */
  | {
      readonly type: 'group-answers'
      readonly round: number
      readonly pass: 0 | 1
      readonly batch?: number
    }
  | {
      readonly type: 'check-membership'
      readonly round: number
      readonly seat: string
      readonly exemplar: string
    }
  /** Compare several pairs of headlines in one call. */
  | {
      readonly type: 'check-memberships'
      readonly round: number
      readonly pairs: readonly { readonly seat: string; readonly exemplar: string }[]
    }
  /** Sum up a round for the next one, without names; at a large table first in parts, then these. */
  | { readonly type: 'write-digest'; readonly round: number; readonly batch?: number }
  /** Look for a checkable objection to the leading position. */
  | { readonly type: 'challenge'; readonly round: number }
  /** An advocate's turn: argue for its camp, and question the other. */
  | { readonly type: 'make-statement'; readonly round: number; readonly turn: number; readonly seat: string }
  /** Which case holds better, with the one side first or the other. */
  | { readonly type: 'judge'; readonly round: number; readonly order: 0 | 1 }
  /** Again: what was drafted doesn't hold now that all memberships are checked. */
  | { readonly type: 'write-report'; readonly again?: true }
  /** Fill in the counts of a report that was drafted before they were known. */
  | { readonly type: 'settle-report' }
  /** Say whether the text of a transcript's seat says that it changed its mind. */
  | { readonly type: 'check-change'; readonly round: number; readonly seat: string }
  | { readonly type: 'finish' }

/** Commands that need a model; the others are carried out by code. */
export type ModelCommand = Exclude<Command, { type: 'search' | 'open-round' | 'settle-report' | 'finish' }>

const keyPart = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** A large table's commands are looked at after every answer, so each key is made once. */
const keys = new WeakMap<Command, string>()

/** Two equal commands share a key: the runtime starts each at most once. */
export const commandKey = (command: Command): string => {
  const key = keys.get(command) ?? Object.values(command).map(keyPart).join(' ')
  keys.set(command, key)
  return key
}
