/** Seats that are held from outside, by an agent or a person: what readers of a session are told about them. */
import type { Seat } from '../log/event.ts'
import { counted, listed, models } from './numbers.ts'

type Holder = Pick<Seat, 'name' | 'outside' | 'person'>

/** "3 models, 2 people and 1 seat from outside" */
export const tableWords = (seats: readonly Holder[]): string => {
  const people = seats.filter(seat => seat.person).length
  const outside = seats.filter(seat => seat.outside).length - people
  const rest = seats.length - outside - people
  if (rest === seats.length) return models(seats.length)
  return listed([
    ...(rest > 0 ? [models(rest)] : []),
    ...(people > 0 ? [counted(people, 'person', 'people')] : []),
    ...(outside > 0 ? [`${counted(outside, 'seat')} from outside`] : []),
  ])
}

const agentNote = (names: readonly string[]): string =>
  names.length === 1
    ? `${names[0]} answers from outside: somebody hands in the answers of this seat, and no model is called for it.`
    : `${listed(names)} answer from outside: somebody hands in the answers of these seats, and no model is called for them.`

/** Undefined if models hold all seats. */
export const outsideNote = (seats: readonly Holder[]): string | undefined => {
  const namesOf = (isPerson: boolean): string[] =>
    seats.filter(seat => seat.outside && (seat.person ?? false) === isPerson).map(({ name }) => name)
  const [people, agents] = [namesOf(true), namesOf(false)]
  const notes = [
    ...(people.length > 0
      ? [`${listed(people)} ${people.length === 1 ? 'is a person' : 'are people'} at this table.`]
      : []),
    ...(agents.length > 0 ? [agentNote(agents)] : []),
  ]
  return notes.length > 0 ? notes.join(' ') : undefined
}

/** Where a seat's answers come from: the model's id, a person, or somebody outside. */
export const sourceWords = ({
  model,
  outside,
  person,
}: Pick<Seat, 'model' | 'outside' | 'person'>): string => {
  if (person) return 'a person'
  return outside ? 'answers from outside' : model
}

/** What a seat is doing that was asked and hasn't answered. */
export const outsideWaiting = ({ person }: Pick<Seat, 'person'>): string =>
  person ? 'The table waits for this person.' : 'Its answer is awaited from outside.'
