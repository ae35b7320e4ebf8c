/** The answer of a report may not say anything else than the verdict. */
import type { Report } from '../log/event.ts'
import type { Session } from '../log/state.ts'
import { normalised } from '../question/answer.ts'
import { plainReport } from './plain-report.ts'
import { decidingTally, verdictOf } from './verdict.ts'

export const leadingCamp = (session: Session) => {
  const verdict = verdictOf(session)
  return decidingTally(verdict)?.camps.find(({ id }) => id === verdict.leading)
}

const padded = (text: string): string => ` ${normalised(text)} `

const named = (options: readonly string[], text: string): string[] =>
  options.filter(option => text.includes(padded(option)))

/** It begins with the leading option, and names no other. */
const keepsTo = (said: string, leading: string, options: readonly string[]): boolean => {
  const [words, value] = [padded(said), padded(leading)]
  const others = options.filter(option => option !== leading)
  return words.startsWith(value) && named(others, words.replaceAll(value, '  ')).length === 0
}

/**
 * The answer to a closed question. Its value is code's: the moderator's sentence stands only if it begins with the
 * leading option and names no other, or if none leads and it doesn't single one out.
 */
export const closedAnswer = (session: Session, said: string): string => {
  const { format, options } = session.question
  if (format === 'open') return said
  const leading = leadingCamp(session)?.label
  const holds =
    leading === undefined ? named(options, padded(said)).length !== 1 : keepsTo(said, leading, options)
  return format === 'choice' && holds ? said : plainReport(session).answer
}

/** The two texts that a model must compare before the answer to an open question stands. Undefined: they are equal. */
export const toCompare = (
  session: Session,
  { answer }: Report,
): { readonly headline: string; readonly answer: string } | undefined => {
  const headline = session.question.format === 'open' ? leadingCamp(session)?.headline : undefined
  return headline === undefined || normalised(headline) === normalised(answer)
    ? undefined
    : { headline, answer }
}
