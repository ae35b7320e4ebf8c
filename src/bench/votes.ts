/** Recorded votes: what models answered to questions with known answers. */
import type { Ballot } from '../core/aggregation/rule.ts'
import { UsageError } from '../core/errors.ts'
import { type RecordedTable, recordedTable } from './recorded-table.ts'

export interface RecordedQuestion {
  readonly id: string
  readonly gold: string
  /** From seat to answer; seats that didn't answer are missing. */
  readonly votes: Ballot
}

export interface Recording {
  readonly seats: readonly string[]
  /** Every answer that was right or given anywhere. */
  readonly options: readonly string[]
  readonly questions: readonly RecordedQuestion[]
}

export const recordingOf = ({ columns, rows }: RecordedTable): Recording => {
  const questions = rows.map(({ id, gold, cells }) => {
    const given = cells.flatMap((vote, seat) => (vote === '' ? [] : [[columns[seat]!, vote] as const]))
    return { id, gold, votes: new Map(given) }
  })
  const options = new Set(questions.flatMap(({ gold, votes }) => [gold, ...votes.values()]))
  return { seats: columns, options: [...options].sort(), questions }
}

export const recordingFrom = (file: string): Recording => recordingOf(recordedTable(file))

/** Finds seats by part of their name; a whole name or the end of one comes first. */
export const seatsNamed = (seats: readonly string[], names: readonly string[]): string[] => {
  const found = names.map(name => seatNamed(seats, name))
  const twice = found.find((seat, index) => found.indexOf(seat) !== index)
  if (twice !== undefined) throw new UsageError(`${twice} is named twice.`)
  return found
}

const seatNamed = (seats: readonly string[], name: string): string => {
  const wanted = name.toLowerCase()
  const fits: readonly ((seat: string) => boolean)[] = [
    seat => seat === wanted,
    seat => seat.endsWith(`/${wanted}`),
    seat => seat.endsWith(wanted),
    seat => seat.includes(wanted),
  ]
  for (const fit of fits) {
    const matching = seats.filter(seat => fit(seat.toLowerCase()))
    if (matching.length === 1) return matching[0]!
    if (matching.length > 1)
      throw new UsageError(`"${name}" could be ${matching.join(' or ')}. Write more of the name.`)
  }
  throw new UsageError(`No model is called "${name}". The file has ${seats.join(', ')}.`)
}

/** Only these seats. */
export const withSeats = (recording: Recording, seats: readonly string[]): Recording => ({
  ...recording,
  seats,
  questions: recording.questions.map(question => ({
    ...question,
    votes: new Map(
      seats.flatMap(seat => (question.votes.has(seat) ? [[seat, question.votes.get(seat)!]] : [])),
    ),
  })),
})

/** "openai" from "openai/gpt-4o": models of one maker err together. Without a maker, a name is its own. */
export const familyOf = (seat: string): string => seat.split('/')[0]!
