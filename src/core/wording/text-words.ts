/** What there is to say about a round of texts. They aren't a vote, so nothing is claimed to be agreed. */
import { isRewritten } from '../camps/moves.ts'
import { answerIn, roundAt, type Session } from '../log/state.ts'
import type { Tally } from '../verdict/tally.ts'
import { counted } from './numbers.ts'

/** The seats whose text isn't the one that they first wrote. */
export const rewrittenIn = (session: Session, index: number): string[] =>
  session.seats.flatMap(({ id }) => {
    const now = answerIn(roundAt(session, index), id)
    const first = session.roundsSoFar.map(round => answerIn(round, id)).find(answer => answer !== undefined)
    return now && first && isRewritten(first, now) ? [id] : []
  })

/** "6 texts; 2 were rewritten after reading the others" */
export const textsLine = (session: Session, { round, answered, camps }: Tally): string => {
  const grouped = camps.length > 0 ? ` in ${counted(camps.length, 'camp')} by intent` : ''
  const texts = `${counted(answered, 'text')}${grouped}`
  if (roundAt(session, round)?.sealed) return texts
  const count = rewrittenIn(session, round).length
  const rewritten = `${count === 0 ? 'none' : count} ${count < 2 ? 'was' : 'were'} rewritten`
  return `${texts}; ${rewritten} after reading the others`
}
