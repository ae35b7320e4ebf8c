/** The right answer to a question, once it is known: which camps had it, and so which seats. */

import { UsageError } from '../errors.ts'
import { latestRound, type Round, type Session } from '../log/state.ts'
import { normalised } from '../question/answer.ts'
import { numberFrom } from '../question/number.ts'
import { optionFrom } from '../question/reply.ts'
import { numberText } from '../wording/values.ts'
import type { Camp } from './camp.ts'
import { answerAt } from './camp.ts'
import { campOfSeat, groupingOf } from './camps.ts'
import { closeIn } from './number-camps.ts'

export interface Resolution {
  readonly answer: string
  readonly camps: string[]
}

const everyCamp = (session: Session): Camp[] =>
  session.roundsSoFar.flatMap(round => groupingOf(session, round).camps)

const campsOf = (session: Session): Camp[] => [
  ...new Map(everyCamp(session).map(camp => [camp.id, camp])).values(),
]

const cannotRead = (answer: string, ways: string): never => {
  throw new UsageError(`"${answer}" isn't an answer to this question: ${ways}.`)
}

const rightChoice = ({ question }: Session, answer: string): Resolution => {
  const option = optionFrom(answer, question.options)
  if (option === undefined) return cannotRead(answer, `give one of ${question.options.join(', ')}`)
  return { answer: option, camps: [option] }
}

const rightRanking = ({ question }: Session, answer: string): Resolution => {
  const items = answer.split(answer.includes('>') ? '>' : ',').map(item => optionFrom(item, question.options))
  const ranking = [...new Set(items.filter(item => item !== undefined))]
  if (ranking.length !== question.options.length)
    return cannotRead(answer, `give all of ${question.options.join(', ')}, best first, with commas between`)
  return { answer: ranking.join(' > '), camps: [ranking.join(' > ')] }
}

/** A number is right if it would share a camp with the answer. */
const rightNumber = (session: Session, answer: string): Resolution => {
  const { unit } = session.question
  const value = numberFrom(answer, unit)
  if (value === undefined) return cannotRead(answer, `give a number${unit ? ` in ${unit}` : ''}`)
  const text = numberText(value, unit)
  const last = latestRound(session)
  const isClose = last && closeIn(session, last)
  const fitting = campsOf(session).filter(camp =>
    isClose?.(answerAt(session, camp.exemplar)?.number ?? 0, value),
  )
  return { answer: text, camps: isClose ? fitting.map(camp => camp.id) : [text] }
}

/** A camp can be named by its id, or by its label or headline of any round. */
const rightCamp = (session: Session, answer: string): Resolution => {
  const camps = campsOf(session)
  const words = normalised(answer)
  const named =
    camps.find(camp => camp.id === answer.trim().toLowerCase()) ??
    everyCamp(session).findLast(camp => [camp.label, camp.headline].some(text => normalised(text) === words))
  if (named) return { answer: named.label, camps: [named.id] }
  const known = camps.map(camp => `${camp.id} (${camp.label})`).join('; ')
  return cannotRead(
    answer,
    `name a position by its id or its words, or say none. There are ${known || 'none'}`,
  )
}

const noRightText = (): never => {
  throw new UsageError("A text is neither right nor wrong, so this session can't be resolved.")
}

/** Throws a UsageError that says what to write, if the text isn't an answer to this question. */
export const rightCamps = (session: Session, answer: string): Resolution => {
  const { format, options } = session.question
  const isNobody = /^none$/i.test(answer.trim()) && !options.some(option => /^none$/i.test(option))
  if (isNobody && format !== 'text') return { answer: 'none', camps: [] }
  const ways = {
    choice: rightChoice,
    ranking: rightRanking,
    number: rightNumber,
    open: rightCamp,
    text: noRightText,
  }
  return ways[format](session, answer)
}

/** Whether a seat's answer to a round was right. Null if it gave none, or nobody knows. */
export const wasRight = (session: Session, round: Round | undefined, seat: string): boolean | null => {
  const camp = round && campOfSeat(groupingOf(session, round), seat)
  return camp && session.resolved ? session.resolved.camps.includes(camp.id) : null
}
