/** A credit counts only if the quoted words are in that peer's answer. */

import { answerIn, type Round, type Session } from '../log/state.ts'
import { type Credit, quoteStands } from '../question/answer.ts'
import type { Quoted } from '../question/reply.ts'
import { maskFor } from '../wording/mask.ts'

/** What a seat wrote in a round: its answer, what it said of others' points (they are shown it), and as an advocate. */
const wordsIn = (round: Round, seat: string): string[] => {
  const answer = answerIn(round, seat)
  const spoken = (round.statements ?? []).filter(statement => statement.seat === seat)
  return [
    ...(answer ? [answer.headline, answer.reasoning, answer.text ?? '', answer.reading ?? ''] : []),
    ...(answer?.points ?? []).map(point => point.why),
    ...spoken.flatMap(statement => (statement.error ? [] : [statement.argument, statement.question ?? ''])),
  ]
}

/** Everything a peer wrote before this round, as it wrote it and as others saw it. */
const textsOf = (session: Session, seat: string, round: number): string[] => {
  const mask = maskFor(session)
  return session.roundsSoFar
    .filter(one => one.index < round)
    .flatMap(one => wordsIn(one, seat))
    .flatMap(text => [text, mask(text)])
}

/** A peer's words with the seat that wrote them, and whether it really did. Undefined if it names nobody at the table. */
export const creditFor = (
  session: Session,
  round: number,
  giver: string,
  { peer, quote }: Quoted,
): Credit | undefined => {
  const letter = peer.replace(/^seat\s+/i, '').toLowerCase()
  const seat = session.seats.find(one => [one.alias, one.name].some(name => name.toLowerCase() === letter))
  if (!seat) return undefined
  const verified = seat.id !== giver && quoteStands(quote, textsOf(session, seat.id, round))
  return { seat: seat.id, quote, verified }
}
