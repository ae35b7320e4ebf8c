/** What a person asks for, as every face hands it in. */

import { z } from 'zod'
import { longestPersonName, type PersonInput, type SeatInput, wishSchema } from '../core/ask.ts'
import { counted, UsageError } from '../core/basics.ts'
import { letterSchema, type Seat } from '../core/opening.ts'
import { personSeat } from '../count/acts.ts'
import { defaultProtocol, protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { Lineups, Usual } from './reach.ts'

export const askInputSchema = wishSchema.extend({
  signal: z.instanceof(AbortSignal).optional(),
  /** The letters of the books that `letters` names, once somebody has read them. */
  given: z.array(letterSchema).readonly().optional(),
})
export type AskInput = z.input<typeof askInputSchema>

/** One line for each problem. */
const problemsOf = (error: z.ZodError): string =>
  error.issues
    .map(
      issue =>
        (issue.code === 'custom' || !issue.path.length ? '' : `${issue.path.join('.')}: `) + issue.message,
    )
    .join('\n')

export const checked = <T extends z.ZodType>(schema: T, value: unknown): z.output<T> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new UsageError(problemsOf(result.error))
}

export const modelOf = (seat: SeatInput): string => (typeof seat === 'string' ? seat : seat.model)

/** Whoever is named in a request: the seats, and the moderator. */
export const namesIn = ({ seats = [], moderator }: Pick<AskInput, 'seats' | 'moderator'>): string[] => [
  ...seats.map(modelOf),
  ...(moderator ? [moderator] : []),
]

/** Nobody said who sits at the table. */
export const isOpenTable = ({ seats, lineup }: Pick<AskInput, 'seats' | 'lineup'>): boolean =>
  !seats && lineup === undefined

// people: People at the table: `me` and `person:<name>` among the seats of a request stand beside the models. Pure.

/** The name of the person who asks, as the table and every export show it. */
export const myName = 'Me'

/** Seconds: an hour. */
export const usualPersonDeadline = 3_600

/** The name of the person that a seat is for; undefined: it is a model's. */
const personIn = (seat: SeatInput): string | undefined => {
  const wish = modelOf(seat).trim()
  const given = typeof seat === 'string' ? undefined : seat.name?.trim()
  if (/^me$/i.test(wish)) return given || myName
  const named = /^person:/i.test(wish) ? wish.slice('person:'.length).trim() : undefined
  if (named === undefined) return undefined
  const name = given || named
  if (name !== '' && name.length <= longestPersonName) return name
  throw new UsageError(
    name === ''
      ? 'Whose seat is it? Write a name, such as person:Ada.'
      : `The name of a person has at most ${longestPersonName} characters.`,
  )
}

export const isPersonSeat = (seat: SeatInput): boolean => personIn(seat) !== undefined

/** Whether the person who asks wants a seat. */
export const wantsOwnSeat = ({ seats = [] }: Pick<AskInput, 'seats'>): boolean =>
  seats.some(seat => /^me$/i.test(modelOf(seat).trim()))

/** The request with people apart from models. If it names nobody but people, the usual models sit there too. */
export const withPeople = (input: AskInput): AskInput => {
  const { seats, ...rest } = input
  const people = seats?.flatMap(seat => personIn(seat) ?? []) ?? []
  if (!seats || people.length === 0) return input
  const models = seats.filter(seat => !isPersonSeat(seat))
  return {
    ...rest,
    ...(models.length > 0 && { seats: models }),
    people: [...(input.people ?? []), ...people],
  }
}

/** Seats of people and programs, after those of models. Their answers come as events, so they need no provider. */
export const peopleSeats = (
  people: readonly PersonInput[],
  seats: readonly Seat[],
  deadline: number,
): Seat[] => {
  const wishes = people.map(person => (typeof person === 'string' ? { name: person } : person))
  return wishes.map((wish, index) => {
    const place = seats.length + index
    return personSeat(wish, place, [...seats, ...wishes.slice(0, index)], wish.deadline ?? deadline)
  })
}

// usual: Fills in what a request leaves open: from a line-up's name, the configuration, or what a line-up brings. Pure.

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
): Filled => {
  const { seats = false, lineups = [], words } = usual.awaiting ?? {}
  const { lineup } = input
  // Another table than the one that the folder means would answer, and nobody would notice.
  const isAwaited =
    lineup === undefined ? seats && !input.seats : lineups.includes(lineup) && !Object.hasOwn(saved, lineup)
  if (isAwaited) throw new UsageError(words ?? '')
  return filledFrom(withOwnLineup(input, { ...usual.lineups, ...saved }), usual, known)
}
