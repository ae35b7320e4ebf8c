/** A person's answer as it stands in the form, and as it is handed in. */
import type { PersonSeatReply } from '../../../api/index.ts'
import {
  type Answer,
  judgements,
  reasons,
  textJudgements,
  textReasons,
} from '../../../core/question/answer.ts'
import { wordsProblem } from '../../../core/question/own-citations.ts'
import type { Format } from '../../../core/question/question.ts'

export interface QuoteForm {
  /** The letter of the seat. */
  readonly seat: string
  readonly quote: string
  readonly why: string
  readonly judgement: string
}

/** A passage that the answer relies on, as it stands in the form. */
export interface CitationForm {
  /** The number of the exhibit or source. */
  readonly exhibit: string
  readonly place: string
  readonly quote: string
}

export interface SeatAnswer {
  readonly decision: 'kept' | 'changed'
  readonly reason: string
  readonly headline: string
  readonly reasoning: string
  readonly choice: string
  readonly ranking: readonly string[]
  readonly number: string
  readonly low: string
  readonly high: string
  readonly text: string
  /** In percent. Empty: not said. */
  readonly confidence: string
  readonly wouldChangeMind: string
  readonly quotes: readonly QuoteForm[]
  readonly citations: readonly CitationForm[]
}

export type Turn = NonNullable<PersonSeatReply['turn']>
export type SeatQuestion = PersonSeatReply['question']

const written = (value: number | undefined): string => (value === undefined ? '' : String(value))

/** The person's last answer filled in, or an empty form. */
export const answerForm = (last: Answer | null, { options }: Pick<SeatQuestion, 'options'>): SeatAnswer => ({
  decision: 'kept',
  reason: 'other',
  headline: last?.headline ?? '',
  reasoning: last?.reasoning ?? '',
  choice: last?.choice ?? '',
  ranking: last?.ranking ?? options,
  number: written(last?.number),
  low: written(last?.low),
  high: written(last?.high),
  text: last?.text ?? '',
  confidence: last?.confidence == null ? '' : String(Math.round(last.confidence * 100)),
  wouldChangeMind: last?.wouldChangeMind ?? '',
  quotes: [],
  citations: (last?.citations ?? []).flatMap(({ exhibit, place = '', quote }) =>
    exhibit === undefined ? [] : [{ exhibit: String(exhibit), place, quote }],
  ),
})

export const judgementsFor = (format: Format): readonly string[] =>
  format === 'text' ? textJudgements : judgements

export const reasonsFor = (format: Format): readonly string[] => (format === 'text' ? textReasons : reasons)

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const valueIn = (form: SeatAnswer, format: Format, keeps: boolean): object => {
  switch (format) {
    case 'open':
      return {}
    case 'choice':
      return { choice: form.choice }
    case 'ranking':
      return { ranking: form.ranking }
    case 'number':
      return { number: numberOf(form.number), low: numberOf(form.low), high: numberOf(form.high) }
    case 'text':
      return { text: keeps ? null : form.text }
    default:
      return format satisfies never
  }
}

/** What a change is credited to: the quoted words, unless the person names another reason. */
const changeOf = ({ decision, reason, quotes }: SeatAnswer): object => ({
  points: quotes.map(({ seat, quote, why, judgement }) => ({ seat, quote, why, judgement })),
  decision,
  reason: decision === 'changed' ? reason : null,
  because: decision === 'changed' ? quotes.map((_, index) => index + 1) : [],
})

const rawCitation = ({ exhibit, place, quote }: CitationForm): object => ({
  exhibit: Number(exhibit),
  place: place.trim() || null,
  quote: quote.trim(),
})

/** The answer in the form that a model in the seat would fill in. */
export const rawAnswer = (
  form: SeatAnswer,
  { format }: SeatQuestion,
  open: boolean,
): Record<string, unknown> => ({
  ...(open && changeOf(form)),
  ...(form.citations.length > 0 && { citations: form.citations.map(rawCitation) }),
  reasoning: form.reasoning.trim(),
  ...valueIn(form, format, open && form.decision === 'kept'),
  headline: form.headline.trim(),
  ...(format !== 'text' && { confidence: form.confidence === '' ? null : Number(form.confidence) / 100 }),
  wouldChangeMind: form.wouldChangeMind.trim() || null,
})

const missingCitation = ({ citations }: SeatAnswer): string | undefined => {
  const problems = citations.map(({ quote }) => wordsProblem(quote))
  const index = problems.findIndex(problem => problem !== undefined)
  return index < 0 ? undefined : `Citation ${index + 1}: ${problems[index]}.`
}

/** Why it can't be handed in yet; undefined if it can. */
export const missingIn = (form: SeatAnswer, { format }: SeatQuestion): string | undefined => {
  if (format === 'choice' && form.choice === '') return 'Choose one of the options.'
  if (format === 'number' && (form.number.trim() === '' || Number.isNaN(Number(form.number))))
    return 'Write your answer as a number.'
  if (format === 'text' && form.text.trim() === '') return 'Write your text.'
  if ((format === 'open' || format === 'text') && form.headline.trim() === '')
    return 'Say your answer in one sentence.'
  return missingCitation(form)
}
