/** What became of a seat's last answer, in its own word, and whether the computed move says the same. */
import type { Move } from '../camps/moves.ts'
import { type Answer, type AnswerDecision, decisions, type Reason } from '../question/answer.ts'

const decisionWords: Record<AnswerDecision, string> = {
  kept: 'kept its answer',
  conceded: 'kept its answer, conceding a point',
  narrowed: 'narrowed its answer',
  changed: 'changed its answer',
}

export const reasonWords: Record<Reason, string> = {
  "a peer's point": "a peer's point",
  'the objection': "the challenger's objection",
  'my own error': 'its own error',
  'another reading': 'another reading of the question',
  other: 'other',
  'error found': 'error found',
  'new evidence': 'new evidence',
  reinterpretation: 'reinterpretation',
}

/** A text is kept or rewritten, and stands in no camp. */
const textWords: Record<AnswerDecision, string> = {
  ...decisionWords,
  kept: 'kept its text',
  changed: 'rewrote its text',
}

type Said = Pick<Answer, 'decision' | 'text'>

/** Undefined if the seat said nothing, or only "keep" or "change", as in logs of the first prompts. */
export const decisionIn = ({ decision }: Said): AnswerDecision | undefined =>
  decisions.find(one => one === decision)

/** "kept its answer, conceding a point" */
export const ownWord = (answer: Said): string | undefined => {
  const decision = decisionIn(answer)
  return decision && (answer.text === undefined ? decisionWords : textWords)[decision]
}

/** "its answer is in another camp", if the seat says it kept it; undefined if word and move agree. */
export const unlikeItsWord = (answer: Said, move: Move | null): string | undefined => {
  const decision = decisionIn(answer)
  if (!decision || answer.text !== undefined) return undefined
  if (move === 'switched') return decision === 'changed' ? undefined : 'its answer is in another camp'
  const stayed = move === 'held' || move === 'refined'
  return decision === 'changed' && stayed ? 'its answer is in the same camp' : undefined
}

/** "says it narrowed its answer (its own error); its answer is in another camp" */
export const ownWordLine = (
  answer: Said & { readonly reason?: Reason | null },
  move: Move | null,
): string | undefined => {
  const said = ownWord(answer)
  if (!said) return undefined
  const why = answer.reason ? ` (${reasonWords[answer.reason]})` : ''
  return [`says it ${said}${why}`, unlikeItsWord(answer, move)].filter(Boolean).join('; ')
}

/**
 * "B conceded a point to C", for the moment at which an answer comes in. Undefined if it keeps its answer, and also if it
 * changes it: whether that is a change of mind isn't known before the camps are.
 */
export const concessionLine = (
  seat: string,
  answer: Pick<Answer, 'decision' | 'credit'>,
  name: (seat: string) => string,
): string | undefined => {
  const decision = decisionIn(answer)
  const { credit } = answer
  const unfound = credit && !credit.verified ? ' (whose answer does not have the quoted words)' : ''
  if (decision === 'conceded')
    return `${name(seat)} conceded a point${credit ? ` to ${name(credit.seat)}${unfound}` : ''}`
  if (decision === 'narrowed')
    return `${name(seat)} narrowed its answer${credit ? ` for a point of ${name(credit.seat)}${unfound}` : ''}`
  return undefined
}
