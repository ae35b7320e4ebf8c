/** A credit counts only if the quoted words stand in that peer's answer. */
import { type Credit, quoteStands } from './answer.ts'
import { maskFor } from './mask.ts'
import { answerIn, type Session } from './state.ts'

/** Everything a peer wrote before this round, as it wrote it and as others saw it. */
const textsOf = (session: Session, seat: string, round: number): string[] => {
  const mask = maskFor(session)
  return session.roundsSoFar
    .filter(one => one.index < round)
    .flatMap(one => answerIn(one, seat) ?? [])
    .flatMap(answer => [answer.headline, answer.reasoning])
    .flatMap(text => [text, mask(text)])
}

/** The credit that a seat gives, with whether it checks out; undefined where it names no seat of the table. */
export const creditFor = (
  session: Session,
  round: number,
  giver: string,
  peer: string | undefined,
  quote: string | undefined,
): Credit | undefined => {
  if (peer === undefined || quote === undefined) return undefined
  const letter = peer.replace(/^seat\s+/i, '').toLowerCase()
  const seat = session.seats.find(one => [one.alias, one.name].some(name => name.toLowerCase() === letter))
  if (!seat) return undefined
  const verified = seat.id !== giver && quoteStands(quote, textsOf(session, seat.id, round))
  return { seat: seat.id, quote, verified }
}
