/** Fills in what a request leaves open: from a line-up's name, the configuration, or what a line-up brings. Pure. */
import { UsageError } from '../core/errors.ts'
import { counted } from '../core/wording/numbers.ts'
import { defaultProtocol, protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { type AskInput, isOpenTable } from './ask-input.ts'
import type { Lineups, Usual } from './reach.ts'

export interface Filled {
  readonly input: AskInput
  /** What was left out, and why. */
  readonly notes: readonly string[]
}

type Defaults = Pick<
  Usual,
  'seats' | 'moderator' | 'protocol' | 'rounds' | 'deadline' | 'budget' | 'search' | 'fetch'
>

/** Rounds that the protocol doesn't take were meant for another one, unless the request itself asks for them. */
const roundsFor = (
  rounds: number | undefined,
  protocol: string,
  known: readonly Protocol[],
): { readonly rounds?: number; readonly note?: string } => {
  if (rounds === undefined) return {}
  const { most, usual } = protocolNamed(protocol, known).rounds
  if (rounds <= most) return { rounds }
  const taken = most === 0 ? 'has no open rounds' : `has at most ${most} open rounds`
  return {
    rounds: usual,
    note: `The usual ${counted(rounds, 'open round')} can't be held: the protocol ${protocol} ${taken}.`,
  }
}

export const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** What the request says counts over the defaults. Seats only fill a table that nobody named. */
export const filledFrom = (asked: AskInput, defaults: Defaults, known: readonly Protocol[]): Filled => {
  const input = withoutUndefined(asked)
  const protocol = input.protocol ?? defaults.protocol
  const usual =
    input.rounds === undefined ? roundsFor(defaults.rounds, protocol ?? defaultProtocol, known) : {}
  const { moderator, deadline, budget, search, fetch } = defaults
  return {
    input: {
      ...withoutUndefined({ moderator, deadline, budget, search, fetch, protocol, rounds: usual.rounds }),
      ...input,
      ...(isOpenTable(input) && defaults.seats && { seats: defaults.seats }),
    },
    notes: usual.note === undefined ? [] : [usual.note],
  }
}

/** The seats of a line-up of one's own take the place of its name; any other name stays for whoever knows it. */
const withOwnLineup = (input: AskInput, lineups: Lineups): AskInput => {
  const { lineup, ...rest } = input
  if (input.seats && lineup !== undefined)
    throw new UsageError('Seats and a line-up both say who sits at the table: give one of them.')
  if (lineup === undefined || !Object.hasOwn(lineups, lineup)) return input
  return { ...rest, seats: lineups[lineup]! }
}

/** The request with one's own line-ups, the saved ones first, and what is configured. */
export const withUsual = (
  input: AskInput,
  usual: Usual,
  known: readonly Protocol[],
  saved: Lineups = {},
): Filled => filledFrom(withOwnLineup(input, { ...usual.lineups, ...saved }), usual, known)
