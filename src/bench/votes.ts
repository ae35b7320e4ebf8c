/** Recorded votes: what models answered to questions of which the right answer is known. */
import type { Ballot } from '../core/aggregation/rule.ts'
import { UsageError } from '../core/errors.ts'
import { rowsOf } from './csv.ts'

export interface RecordedQuestion {
  readonly id: string
  readonly gold: string
  /** Seat to answer; a seat that gave none is not in it. */
  readonly votes: Ballot
}

export interface Recording {
  readonly seats: readonly string[]
  /** Every answer that was right or given anywhere. */
  readonly options: readonly string[]
  readonly questions: readonly RecordedQuestion[]
}

const asked = 'The first line must read id,gold and then a name for each model.'

const seatsOf = (header: readonly string[]): string[] => {
  const [id, gold, ...seats] = header
  if (id?.toLowerCase() !== 'id' || gold?.toLowerCase() !== 'gold' || seats.length === 0)
    throw new UsageError(asked)
  const twice = seats.find((seat, index) => seat === '' || seats.indexOf(seat) !== index)
  if (twice !== undefined)
    throw new UsageError(twice === '' ? 'A model has no name.' : `The model ${twice} has two columns.`)
  return seats
}

export const recordingFrom = (file: string): Recording => {
  const [header, ...rows] = rowsOf(file)
  if (!header) throw new UsageError(`There is nothing in it. ${asked}`)
  const seats = seatsOf(header.cells)
  const questions = rows.map(({ line, cells }) => {
    const [id = '', gold = '', ...votes] = cells
    if (votes.length !== seats.length)
      throw new UsageError(`Line ${line}: ${cells.length} cells where ${seats.length + 2} are needed.`)
    if (gold === '') throw new UsageError(`Line ${line}: ${id} has no right answer.`)
    const given = votes.flatMap((vote, seat) => (vote === '' ? [] : [[seats[seat]!, vote] as const]))
    return { id, gold, votes: new Map(given) }
  })
  if (questions.length === 0) throw new UsageError('There is not one question in it.')
  const options = new Set(questions.flatMap(({ gold, votes }) => [gold, ...votes.values()]))
  return { seats, options: [...options].sort(), questions }
}

/** The seats whose names end with or contain what was asked for; the whole name or its end comes first. */
export const seatsNamed = (seats: readonly string[], names: readonly string[]): string[] => {
  const found = names.map(name => seatNamed(seats, name))
  const twice = found.find((seat, index) => found.indexOf(seat) !== index)
  if (twice !== undefined) throw new UsageError(`The seat ${twice} is named twice.`)
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
      throw new UsageError(`"${name}" could be ${matching.join(' or ')}: write more of the name.`)
  }
  throw new UsageError(`There is no model "${name}". There are ${seats.join(', ')}.`)
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

/** "openai" of "openai/gpt-4o": models of one maker err together. A name without a maker stands for itself. */
export const familyOf = (seat: string): string => seat.split('/')[0]!
