/** How sure the seats say they are, in one sentence beside the verdict. */
import { answerIn, roundAt, type Session } from '../log/state.ts'
import { canBeRight } from '../question/kind.ts'
import { verdictOf } from '../verdict/verdict.ts'
import { percent } from './numbers.ts'

/** "They say they are 57–80% sure."; undefined without a verdict, where being sure means nothing, or if fewer than two seats say it. */
export const sureSentence = (session: Session): string | undefined => {
  const { final, level } = verdictOf(session)
  if (!final || level === 'no-quorum' || session.imported || !canBeRight(session)) return undefined
  const round = roundAt(session, final.round)
  const said = session.seats.flatMap(({ id }) => answerIn(round, id)?.confidence ?? [])
  if (said.length < 2) return undefined
  const [low, high] = [percent(Math.min(...said)), percent(Math.max(...said))]
  return `They say they are ${low === high ? low : `${low.slice(0, -1)}–${high}`} sure.`
}
