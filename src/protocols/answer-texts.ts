/** What a seat reads of an answer, another's or its own. */
import { type Session, seatOf } from '../core/log/state.ts'
import type { Answer } from '../core/question/answer.ts'
import { type Citation, isInPicture } from '../core/question/citation.ts'
import type { Question } from '../core/question/question.ts'
import { maskFor, seatLabel } from '../core/wording/mask.ts'
import { numbersText, valueText } from '../core/wording/values.ts'
import { cut, shortened } from './prompt-parts.ts'

/** How many citations of an answer others read, and how much of each. */
const mostCited = 6
const longestCited = 400

/** "1. Train, 2. Car": a sign between two options could be read as more or as less. */
const placesText = (ranking: readonly string[]): string =>
  ranking.map((option, index) => `${index + 1}. ${option}`).join(', ')

const rangePart = ({ unit }: Question, { low, high }: Pick<Answer, 'low' | 'high'>): object =>
  low !== undefined && high !== undefined ? { range: numbersText(low, high, unit) } : {}

/** The number of an answer and its range, for those who read only an argument of it. */
export const numberParts = (question: Question, answer: Answer): object =>
  question.format === 'number' ? { value: valueText(question, answer), ...rangePart(question, answer) } : {}

const unverifiedNote = (citation: Pick<Citation, 'address' | 'unreachable'>): string => {
  if (isInPicture(citation)) return 'a picture: code cannot look words up in it'
  if (citation.unreachable !== undefined) return 'code could not read this source'
  return `code did not find these words in the ${citation.address === undefined ? 'exhibit' : 'source'}`
}

/** A citation as others see it: they are told if its words aren't there. */
const citedText = (
  { exhibit, address, place, quote, verified, unreachable }: Citation,
  mask: (text: string) => string,
): object => ({
  exhibit,
  ...(address !== undefined && { address: mask(address) }),
  ...(place !== undefined && { place: mask(place) }),
  quote: cut(mask(quote), longestCited),
  ...(!verified && { note: unverifiedNote({ address, unreachable }) }),
})

/** The words and the value of an answer. What it says of other seats' points, and how sure it is, stays with its author. */
const wordsOf = (
  { question }: Session,
  { reading, headline, reasoning, ...value }: Answer,
  mask: (text: string) => string,
): object => ({
  ...(reading && { reading: mask(reading) }),
  ...(question.format !== 'open' && {
    value: value.ranking ? placesText(value.ranking) : valueText(question, { ...value, headline, reasoning }),
  }),
  ...rangePart(question, value),
  headline: mask(headline),
  reasoning: shortened(mask(reasoning)),
  ...(value.citations?.length && {
    cites: value.citations.slice(0, mostCited).map(one => citedText(one, mask)),
  }),
})

const masked = new WeakMap<Answer, { mask: unknown; seat: string; text: string }>()

/** What others see of an answer: its words and value without names. They see no confidence and no counts. */
export const peerText = (session: Session, seat: string, answer: Answer): string => {
  const mask = maskFor(session)
  const known = masked.get(answer)
  if (known?.mask === mask && known.seat === seat) return known.text
  const { alias, name } = seatOf(session, seat)
  const text = JSON.stringify({
    seat: alias,
    ...(session.names === 'shown' && { name }),
    ...wordsOf(session, answer, mask),
  })
  masked.set(answer, { mask, seat, text })
  return text
}

/** A seat's own last answer, and its letter, because others may mention it. */
export const ownText = (session: Session, seat: string, answer: Answer): string =>
  [
    `You are ${seatLabel(seatOf(session, seat))}. Your last answer was:`,
    JSON.stringify({
      ...wordsOf(session, answer, text => text),
      ...(answer.wouldChangeMind && { wouldChangeMind: answer.wouldChangeMind }),
    }),
  ].join('\n')
