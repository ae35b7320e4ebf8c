/** Recorded debates: what each seat answered in each round, and the right answer. */
import { UsageError } from '../../core/errors.ts'
import type { RecordedTable } from '../recorded-table.ts'
import { seatsNamed } from '../votes.ts'

/** One round: an answer for each seat, in the order of the seats; null if there was none that could be read. */
export type RoundAnswers = readonly (string | null)[]

export interface Debate {
  readonly id: string
  readonly gold: string
  /** The sealed round first. */
  readonly rounds: readonly RoundAnswers[]
}

/** The debates of one file. */
export interface DebateSet {
  readonly name: string
  /** What stands before the first `_` of the name: sets of one source share models or questions. */
  readonly source: string
  readonly seats: readonly string[]
  /** How many, the sealed one included. */
  readonly rounds: number
  readonly debates: readonly Debate[]
}

/** More would be a file of another kind. */
const mostSeats = 1000
const mostRounds = 100
const mostDebates = 200_000

/** "gpt5@0": seat gpt5, sealed round. A date behind the sign, as in "sonnet@20240620", is part of a model's name. */
const columnForm = /^(.+)@(\d{1,4})$/s

/** Votes have no rounds: no column ends in @ and a number. */
export const hasRounds = ({ columns }: RecordedTable): boolean =>
  columns.some(column => columnForm.test(column))

interface Column {
  readonly seat: string
  readonly round: number
}

const columnOf = (name: string): Column => {
  const [, seat, round] = columnForm.exec(name) ?? []
  if (seat === undefined)
    throw new UsageError(
      `The column ${name} names no round. In a debate, every column is called like ${name}@0, with 0 for the sealed round.`,
    )
  return { seat, round: Number(round) }
}

const inOrder = (numbers: Iterable<number>): number[] =>
  [...new Set(numbers)].sort((one, other) => one - other)

const limited = (count: number, most: number, what: string): void => {
  if (count > most) throw new UsageError(`The file has ${count} ${what}. At most ${most} can be read.`)
}

export const debatesFrom = (name: string, { columns, rows }: RecordedTable): DebateSet => {
  const known = columns.map(columnOf)
  const seats = [...new Set(known.map(({ seat }) => seat))]
  const rounds = inOrder(known.map(({ round }) => round))
  limited(seats.length, mostSeats, 'seats')
  limited(rounds.length, mostRounds, 'rounds')
  limited(rows.length, mostDebates, 'sessions')
  const places = known.map(({ seat, round }) => [rounds.indexOf(round), seats.indexOf(seat)] as const)
  const taken = new Set(places.map(place => place.join('@')))
  // "a@1" and "a@01" are two columns of one round, and one of them would be lost.
  if (taken.size < places.length) throw new UsageError('A seat has two columns of the same round.')
  const debates = rows.map(({ id, gold, cells }) => {
    const answers = rounds.map(() => seats.map((): string | null => null))
    for (const [index, [round, seat]] of places.entries()) answers[round]![seat] = cells[index] || null
    return { id, gold, rounds: answers }
  })
  return { name, source: sourceOf(name), seats, rounds: rounds.length, debates }
}

/** A name may have its folders before it, if two files are called the same. */
const sourceOf = (name: string): string => {
  const file = name.split(/[\\/]/).at(-1)!
  return file.split('_')[0] || file
}

/** Only these seats, named by a part of their name. */
export const withSeatsNamed = (set: DebateSet, names: readonly string[]): DebateSet => {
  const seats = seatsNamed(set.seats, names)
  const places = seats.map(seat => set.seats.indexOf(seat))
  const debates = set.debates.map(debate => ({
    ...debate,
    rounds: debate.rounds.map(answers => places.map(place => answers[place] ?? null)),
  }))
  return { ...set, seats, debates }
}
