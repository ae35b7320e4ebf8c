/** What a seat said in a round, in a line: its answer, or why there is none. */

import { valueText } from '../../core/camps/camps.ts'
import { wordingOf } from '../../core/errors.ts'
import type { HandedIn, Session } from '../../core/log/state.ts'
import type { Answer } from '../../core/question/answer.ts'
import { oneLine } from '../terminal/cells.ts'

/** Whether a text begins with these words, and not just with the same letters. */
const beginsWith = (text: string, words: string): boolean =>
  text.toLowerCase().startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}.]/u.test(text.slice(words.length))

/** "Yes · Because it is so"; the headline alone where it says the value itself, or the format is open. */
export const answerWords = (session: Session, answer: Answer): string => {
  const headline = oneLine(answer.headline)
  if (session.question.format === 'open') return headline
  const value = oneLine(valueText(session.question, answer))
  return beginsWith(headline, value) ? headline : `${value} · ${headline}`
}

/** "timed out: no token for 60 s", with the provider's own words and status. */
export const silenceWords = (handedIn: HandedIn & { status: 'silent' }): string => {
  const { kind, message, status } = handedIn.error
  const words = oneLine(message)
  return `${wordingOf(kind).short}${status ? ` (${status})` : ''}${words ? `: ${words}` : ''}`
}

export const handedInWords = (session: Session, handedIn: HandedIn): string => {
  switch (handedIn.status) {
    case 'given':
      return answerWords(session, handedIn.answer)
    case 'silent':
      return silenceWords(handedIn)
    case 'abstained':
      return oneLine(handedIn.words)
    default:
      return handedIn satisfies never
  }
}
