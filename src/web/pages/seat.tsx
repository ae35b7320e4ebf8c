/** A person's answer as it stands in the form, and as it is handed in. */

import { useEffect, useState } from 'react'
import type { PersonSeatReply } from '../../api/sessions.ts'
import { shortestQuote } from '../../core/basics.ts'
import {
  type Answer,
  type Format,
  judgements,
  reasons,
  textJudgements,
  textReasons,
} from '../../core/question.ts'
import { wordsProblem } from '../../core/reply.ts'
import { Button } from '../kit/frame.tsx'

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

// selection: Words that a person selects on the page, with mouse, finger or keyboard, and the button that takes them.

/** What can be selected: words of a seat, or of an exhibit. */
type Kind = 'quotable' | 'citable'

export interface Selected {
  readonly card: HTMLElement
  readonly words: string
}

const cardOf = (node: Node | null, kind: Kind): HTMLElement | null => {
  const element = node instanceof Element ? node : node?.parentElement
  return element?.closest<HTMLElement>(`[data-${kind}]`) ?? null
}

/** Undefined if the selection is elsewhere, too short, or spans two cards. */
const selectedWords = (kind: Kind, longest: number): Selected | undefined => {
  const selection = document.getSelection()
  const card = cardOf(selection?.anchorNode ?? null, kind)
  const words = selection?.toString().replace(/\s+/g, ' ').trim() ?? ''
  if (!card || card !== cardOf(selection?.focusNode ?? null, kind) || words.length < shortestQuote)
    return undefined
  return { card, words: words.slice(0, longest) }
}

export const useSelection = (kind: Kind, longest: number): Selected | undefined => {
  const [selected, setSelected] = useState<Selected>()
  useEffect(() => {
    const follow = (): void => setSelected(selectedWords(kind, longest))
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [kind, longest])
  return selected
}

export const endSelection = (): void => document.getSelection()?.removeAllRanges()

/** Above everything, so that nothing moves when words are selected. */
export const TakeButton = ({ children, onTake }: { children: React.ReactNode; onTake(): void }) => (
  <p className="fixed inset-x-0 bottom-4 z-40 flex justify-center px-4">
    {/* A press must not end the selection before it is taken. */}
    <Button
      kind="primary"
      className="shadow-lg"
      onPointerDown={event => event.preventDefault()}
      onClick={onTake}
    >
      {children}
    </Button>
  </p>
)
