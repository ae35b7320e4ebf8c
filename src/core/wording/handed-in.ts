/** What a seat handed in for a round, in a line: its answer, or why there is none. */
import { type ModelError, wordingOf } from '../errors.ts'
import type { HandedIn } from '../log/state.ts'
import type { Answer } from '../question/answer.ts'
import type { Question } from '../question/question.ts'
import { percent } from './numbers.ts'
import { numberText, valueText } from './values.ts'

/** Whether a text begins with these words, and not just with the same letters. */
const beginsWith = (text: string, words: string): boolean =>
  text.toLowerCase().startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}.]/u.test(text.slice(words.length))

/** "Yes · Because it is so"; the headline alone if it says the value itself, or the question is open. */
export const answerWords = (question: Pick<Question, 'format' | 'unit'>, answer: Answer): string => {
  const headline = answer.headline.trim()
  if (question.format === 'open') return headline
  const value = valueText(question, answer)
  return beginsWith(headline, value) ? headline : `${value} · ${headline}`
}

/** How sure a seat says it is. */
export const confidenceWords = (confidence: number): string => `${percent(confidence)} sure`

/** "60 to 120 km", "at least 60 km"; undefined if a seat gave no range around its number. */
export const rangeWords = (
  { unit }: Pick<Question, 'unit'>,
  { low, high }: Pick<Answer, 'low' | 'high'>,
): string | undefined => {
  if (low !== undefined && high !== undefined) return `${numberText(low)} to ${numberText(high, unit)}`
  if (low !== undefined) return `at least ${numberText(low, unit)}`
  return high === undefined ? undefined : `at most ${numberText(high, unit)}`
}

/** For an answer that is not in the language of the question. */
export const driftWords = 'answered in another language'

/** "timed out (504)" */
export const failureName = ({ kind, status }: Omit<ModelError, 'message'>): string =>
  `${wordingOf(kind).short}${status === undefined ? '' : ` (${status})`}`

/** "timed out (504): no token for 60 s", with the provider's own words. */
export const failureWords = (error: ModelError): string =>
  [failureName(error), error.message.trim()].filter(Boolean).join(': ')

export const handedInWords = (question: Pick<Question, 'format' | 'unit'>, handedIn: HandedIn): string => {
  switch (handedIn.status) {
    case 'given':
      return answerWords(question, handedIn.answer)
    case 'silent':
      return failureWords(handedIn.error)
    case 'abstained':
      return handedIn.words.trim()
    default:
      return handedIn satisfies never
  }
}
