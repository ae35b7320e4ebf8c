/** People at the table: `me` and `person:<name>` among the seats of a request stand beside the models. Pure. */
import { UsageError } from '../core/errors.ts'
import { personSeat } from '../core/log/acts-of-people.ts'
import type { Seat } from '../core/log/event.ts'
import { longestPersonName, type PersonInput, type SeatInput } from '../core/question/seat-input.ts'
import { type AskInput, modelOf } from './ask-input.ts'

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

/** Seats of people, after all others. */
export const peopleSeats = (
  people: readonly PersonInput[],
  seats: readonly Seat[],
  deadline: number,
): Seat[] => {
  const wishes = people.map(person => (typeof person === 'string' ? { name: person } : person))
  const taken = [...seats, ...wishes].map(({ name }) => name)
  return wishes.map((wish, index) => {
    const place = seats.length + index
    return personSeat(wish.name, place, taken.slice(0, place), wish.deadline ?? deadline)
  })
}
