/** From names of models to seats: who sits where, under which letter and name. */
import { aliasFor } from '../core/log/alias.ts'
import type { Seat, Voice } from '../core/log/event.ts'
import type { Question } from '../core/question/question.ts'
import { type SeatInput, seatInputSchema } from '../core/question/seat-input.ts'
import { checked } from './ask-input.ts'
import { findModel, nameOf, type ResolvedModel } from './find-model.ts'
import type { Reach } from './reach.ts'
import { sightOf } from './sight.ts'

/** A model that was found for a seat, and what was said of that seat. */
export interface Sitting extends ResolvedModel {
  readonly wish: Exclude<SeatInput, string>
}

export const sittingFor = (seat: SeatInput, reach: Reach): Sitting => {
  const wish = typeof seat === 'string' ? { model: seat } : seat
  return { ...findModel(wish.model, reach), wish }
}

export const seatsFrom = (
  sittings: readonly Sitting[],
  voice: Voice,
  question: Pick<Question, 'attachments'>,
  reach: Pick<Reach, 'catalogue'>,
): Seat[] => {
  const taken = new Map<string, number>()
  return sittings.map((sitting, index) => {
    const { provider, model, wish } = sitting
    const { name = model.split('/').at(-1) ?? model, maker, small } = provider.known(model)
    const { brief, name: base = name, temperature = voice.temperature, effort = voice.effort } = wish
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    const sees = sightOf(sitting, question, reach)
    return {
      id: `s${index + 1}`,
      alias: aliasFor(index),
      // The same model may sit twice, and people must still be able to tell the two apart.
      name: count === 1 ? base : `${base} (${count})`,
      model: nameOf(sitting),
      ...(maker && { maker }),
      ...(brief && { brief }),
      ...(temperature !== undefined && { temperature }),
      ...(effort && { effort }),
      ...(provider.scripted && { scripted: true }),
      ...(small && { small }),
      ...(sees !== undefined && { sees }),
    }
  })
}

/** Seats that are held from outside, after those of models. Their answers come as events, so they need no provider. */
export const outsideSeats = (names: readonly string[], seats: readonly Seat[]): Seat[] =>
  names.map((wish, index) => {
    const place = seats.length + index
    const taken = [...seats.map(({ name }) => name), ...names.slice(0, index)].includes(wish)
    const slug = wish.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')
    return {
      id: `s${place + 1}`,
      alias: aliasFor(place),
      name: taken ? `${wish} (${aliasFor(place)})` : wish,
      model: `outside/${slug}`,
      outside: true,
    }
  })

/** Who takes a seat of a session that was opened before. */
export const newcomerFor = (
  input: SeatInput,
  question: Pick<Question, 'attachments'>,
  reach: Reach,
): Omit<Seat, 'id' | 'alias'> => {
  const [seat] = seatsFrom([sittingFor(checked(seatInputSchema, input), reach)], {}, question, reach)
  const { id: _id, alias: _alias, ...newcomer } = seat!
  return newcomer
}
