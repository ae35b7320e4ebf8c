/** Seats that are held from outside, by an agent or a person: what readers of a session are told about them. */
import type { Seat } from '../log/event.ts'
import { counted, listed, models } from './numbers.ts'

type Holder = Pick<Seat, 'name' | 'outside'>

/** "3 models and 1 seat from outside" */
export const tableWords = (seats: readonly Holder[]): string => {
  const outside = seats.filter(seat => seat.outside).length
  if (outside === 0) return models(seats.length)
  return listed([
    ...(seats.length > outside ? [models(seats.length - outside)] : []),
    `${counted(outside, 'seat')} from outside`,
  ])
}

/** Undefined if models hold all seats. */
export const outsideNote = (seats: readonly Holder[]): string | undefined => {
  const names = seats.filter(seat => seat.outside).map(({ name }) => name)
  if (names.length === 0) return undefined
  return names.length === 1
    ? `${names[0]} answers from outside: somebody hands in the answers of this seat, and no model is called for it.`
    : `${listed(names)} answer from outside: somebody hands in the answers of these seats, and no model is called for them.`
}

/** Where a seat's answers come from: the model's id, or somebody outside. */
export const sourceWords = ({ model, outside }: Pick<Seat, 'model' | 'outside'>): string =>
  outside ? 'answers from outside' : model

/** What a seat is doing that was asked and hasn't answered. */
export const outsideWaiting = 'Its answer is awaited from outside.'
