/** What a seat is writing, put together from the pieces that are streamed and never stored. */
import type { SessionEvent } from './event.ts'
import { type Delta, type DraftField, draftFields, type Retrying, reportWriter } from './live-event.ts'

/** An answer on its way, or what an advocate is saying in its turn. */
export interface Draft extends Readonly<Record<DraftField, string>> {
  readonly round: number
  readonly turn?: number
  /** Why the call is being made again. */
  readonly retrying?: { readonly attempt: number; readonly why: string }
}

/** What a seat writes in one go. */
type Work = Pick<Draft, 'round' | 'turn'>

const workOf = ({ round, turn }: Work): Work => ({ round, ...(turn !== undefined && { turn }) })

const blank = (work: Work): Draft => ({
  ...workOf(work),
  ...{ thinking: '', points: '', reasoning: '', text: '', headline: '' },
})

/** A point of others as it stands in a draft: their words, and what the seat says of them. */
export const draftPoint = ({ quote, why }: { readonly quote: string; readonly why: string }): string =>
  `“${quote}” ${why}`

/** The draft with one more piece. A piece of another round, turn or try starts a new draft. */
export const written = (before: Draft | undefined, piece: Delta | Retrying): Draft => {
  const goesOn = before?.round === piece.round && before.turn === piece.turn
  const draft = goesOn ? before : blank(piece)
  if (piece.type === 'retrying') {
    return { ...blank(piece), retrying: { attempt: piece.attempt, why: piece.why } }
  }
  const { retrying: _retrying, ...rest } = draft
  return { ...rest, [piece.field]: piece.whole ? piece.text : draft[piece.field] + piece.text }
}

/** The pieces that give a new watcher the same draft, whatever it had before. */
export const piecesOf = (seat: string, draft: Draft): readonly (Delta | Retrying)[] => {
  const { retrying } = draft
  const work = workOf(draft)
  if (retrying) return [{ type: 'retrying', ...work, seat, ...retrying }]
  return draftFields.flatMap(field =>
    draft[field] === '' ? [] : [{ type: 'delta', ...work, seat, field, text: draft[field], whole: true }],
  )
}

/** The seat, or writer of the report, whose writing an event ends. */
export const endedBy = (event: SessionEvent): string | undefined => {
  switch (event.type) {
    case 'answer-given':
    case 'seat-silent':
    case 'seat-abstained':
    case 'seat-retried':
    case 'statement-made':
      return event.seat
    case 'seat-replaced':
      return event.seat.id
    case 'report-written':
    case 'round-opened':
      return reportWriter
    default:
      return undefined
  }
}
