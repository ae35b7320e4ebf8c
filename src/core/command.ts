/** What a protocol may ask the runtime to do, as plain data. */

export type Command =
  | { readonly type: 'open-round'; readonly round: number; readonly sealed: boolean }
  | { readonly type: 'ask-seat'; readonly round: number; readonly seat: string }
  /** Label the headlines of a round; two passes, in two orders. */
  | { readonly type: 'group-answers'; readonly round: number; readonly pass: 0 | 1 }
  | {
      readonly type: 'check-membership'
      readonly round: number
      readonly seat: string
      readonly exemplar: string
    }
  /** Sum up a round for the next one, without names and without counts. */
  | { readonly type: 'write-digest'; readonly round: number }
  /** Look for a checkable objection to the leading position. */
  | { readonly type: 'challenge'; readonly round: number }
  | { readonly type: 'write-report' }
  /** Say whether the text of a transcript's seat says that it changed its mind. */
  | { readonly type: 'check-change'; readonly round: number; readonly seat: string }
  | { readonly type: 'finish' }

/** Commands that need a model; the others are carried out by code. */
export type ModelCommand = Exclude<Command, { type: 'open-round' | 'finish' }>

/** Two equal commands share a key: the runtime starts each at most once. */
export const commandKey = (command: Command): string => Object.values(command).join(' ')
