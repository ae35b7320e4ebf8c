/** The names of seats on the page. Two seats of the same model get different names, as in the session. */
import type { ModelReply } from '../../../api/index.ts'
import type { SeatForm } from './form.ts'

export type KnownModels = ReadonlyMap<string, ModelReply>

export interface NamedSeat {
  readonly seat: SeatForm
  readonly name: string
  readonly maker: string
}

const nameOf = ({ model, name }: SeatForm, known: KnownModels): string =>
  name ?? known.get(model)?.name ?? model.split('/').at(-1) ?? model

export const namedSeats = (seats: readonly SeatForm[], known: KnownModels): NamedSeat[] => {
  const taken = new Map<string, number>()
  return seats.map(seat => {
    const base = nameOf(seat, known)
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    const maker = known.get(seat.model)?.makerLabel ?? seat.model.split('/')[0] ?? ''
    return { seat, name: count === 1 ? base : `${base} (${count})`, maker }
  })
}
