/** Scores one session against the right answer: the verdict, each seat, the flips, repeated samples. */
import { majority } from '../../core/aggregation/majority.ts'
import { answerAt, type Camp } from '../../core/camps/camp.ts'
import { answerBefore, answerIn, roundAt, type Session } from '../../core/log/state.ts'
import { type Answer, normalised } from '../../core/question/answer.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { valueText } from '../../core/wording/values.ts'
import { type GoldQuestion, isRight } from './questions.ts'
import { type Spent, spentOn, together } from './spent.ts'

export interface SessionScore extends Spent {
  /** 1 right, 0 wrong; a tie counts as what a coin would get, so a tie between two is half right. */
  readonly credit: number
  readonly tied: boolean
}

const isRightCamp = (gold: GoldQuestion, session: Session, camp: Camp): boolean => {
  const answer = answerAt(session, camp.exemplar)
  return answer !== undefined && isRight(gold, answer)
}

/** Scores the computed verdict; without a quorum there is no answer. */
export const scoreOfVerdict = (gold: GoldQuestion, session: Session): Omit<SessionScore, keyof Spent> => {
  const { final: tally, leading } = verdictOf(session)
  if (!tally || tally.level === 'no-quorum') return { credit: 0, tied: false }
  const first = tally.camps.filter(camp =>
    leading === null ? camp.seats.length === tally.agree : camp.id === leading,
  )
  const right = first.filter(camp => isRightCamp(gold, session, camp))
  return { credit: first.length === 0 ? 0 : right.length / first.length, tied: first.length > 1 }
}

const sealedAnswer = (session: Session, seat: string): Answer | undefined =>
  answerIn(roundAt(session, 0), seat)

/** A seat without a sealed answer counts as wrong. */
export const isSeatRight = (gold: GoldQuestion, session: Session, seat: string): boolean => {
  const answer = sealedAnswer(session, seat)
  return answer !== undefined && isRight(gold, answer)
}

export interface Flips {
  readonly wrongToRight: number
  readonly rightToWrong: number
}

/** Seats whose sealed answer was wrong and whose last one is right, and the other way round. */
export const flipsIn = (gold: GoldQuestion, session: Session): Flips => {
  let [wrongToRight, rightToWrong] = [0, 0]
  for (const { id } of session.seats) {
    const [before, after] = [sealedAnswer(session, id), answerBefore(session, Infinity, id)]
    if (!before || !after) continue
    const [was, is] = [isRight(gold, before), isRight(gold, after)]
    if (!was && is) wrongToRight++
    if (was && !is) rightToWrong++
  }
  return { wrongToRight, rightToWrong }
}

const voteOf = ({ question }: GoldQuestion, answer: Answer): string =>
  question.format === 'open' ? normalised(answer.headline) : valueText(question, answer)

/** The vote of as many samples as the tokens allow, but at least one. */
export const scoreOfSamples = (
  gold: GoldQuestion,
  session: Session,
  tokens: number,
): SessionScore & { readonly samples: number } => {
  const taken: Spent[] = []
  const answers: Answer[] = []
  for (const { id } of session.seats) {
    const spent = spentOn(roundAt(session, 0)?.handedIn[id]?.usage)
    if (taken.length > 0 && together([...taken, spent]).tokens > tokens) break
    taken.push(spent)
    const answer = sealedAnswer(session, id)
    if (answer) answers.push(answer)
  }
  const votes = answers.map((answer, index) => ({ seat: String(index), value: voteOf(gold, answer) }))
  const { value, tied } = majority().decide(votes, { options: gold.question.options })
  const first = value === null ? tied : [value]
  const isGold = (vote: string): boolean =>
    answers.some(answer => voteOf(gold, answer) === vote && isRight(gold, answer))
  return {
    ...together(taken),
    samples: taken.length,
    credit: first.length === 0 ? 0 : first.filter(isGold).length / first.length,
    tied: first.length > 1,
  }
}
