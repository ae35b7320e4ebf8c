/** One headline of a round with every seat that gave it. Equal words are always one. */
import type { Round, Session } from '../log/state.ts'
import { type Answer, normalised } from '../question/answer.ts'
import { type CampDraft, givenIn } from './camp.ts'

export interface SharedHeadline {
  readonly words: string
  readonly answer: Answer
  readonly seats: readonly [string, ...string[]]
}

export const sharedHeadlines = (session: Session, round: Round): SharedHeadline[] => {
  const given = givenIn(session, round)
  const byWords = Map.groupBy(given, ({ answer }) => normalised(answer.headline))
  return [...byWords].map(([words, [first, ...rest]]) => {
    return { words, answer: first!.answer, seats: [first!.seat, ...rest.map(({ seat }) => seat)] }
  })
}

export const join = (camp: CampDraft, entry: SharedHeadline, qualified: boolean): void => {
  camp.seats.push(...entry.seats)
  if (qualified) camp.qualified.push(...entry.seats)
}

/** From now on this headline stands for the camp. */
export const represent = (camp: CampDraft, { answer, seats }: SharedHeadline, round: Round): void => {
  camp.exemplar = `${seats[0]}@${round.index}`
  camp.headline = answer.headline
}
