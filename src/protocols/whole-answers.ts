/** Who reads whole answers, and how they stand in a prompt: without names, in the reader's own order, never its own. */
import { answerBefore, type Session } from '../core/log/state.ts'
import { shuffled } from '../core/random.ts'
import { peerText } from './answer-texts.ts'
import { isLargeCount } from './large-table.ts'

/** Up to this many seats, everybody reads everybody. */
const smallTable = 8
/** Larger tables do so too if all answers together are no longer than eight seats usually write. Otherwise they get a digest. */
const mostReadTokens = 2_500
/** About as many characters make a token. */
const charactersPerToken = 4

/** Whether a table reads itself, if its answers together have that many tokens. */
export const readsItself = (seats: number, tokens: number): boolean =>
  seats <= smallTable || (!isLargeCount(seats) && tokens <= mostReadTokens)

const textsBefore = (session: Session, round: number): { seat: string; text: string }[] =>
  session.seats.flatMap(({ id }) => {
    const answer = answerBefore(session, round, id)
    return answer ? [{ seat: id, text: peerText(session, id, answer) }] : []
  })

/** Whether the seats of a round read each other's whole answers, or a digest of them. */
export const readsAnswers = (session: Session, round: number): boolean => {
  const { length } = session.seats
  if (length <= smallTable) return true
  const characters = textsBefore(session, round).reduce((sum, { text }) => sum + text.length, 0)
  return readsItself(length, characters / charactersPerToken)
}

/** The answers of the others, as lines for a prompt. */
export const answersOfOthers = (
  session: Session,
  seat: string,
  round: number,
): { readonly fence: string; readonly lines: readonly string[] } => {
  const fence = `round ${round} seat ${seat}`
  const others = textsBefore(session, round).filter(one => one.seat !== seat)
  return {
    fence,
    lines: shuffled(
      others.map(({ text }) => text),
      `${session.seed} ${fence}`,
    ),
  }
}

export const whatAnswersAre = 'Between the marks stand the answers of the other seats.'
