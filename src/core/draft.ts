/** What a seat is writing, put together from the pieces that are streamed and never stored. */
import type { Delta, Retrying, SessionEvent } from './event.ts'

/** An answer on its way. */
export interface Draft {
  readonly round: number
  readonly headline: string
  readonly reasoning: string
  readonly thinking: string
  /** Why the call is being made again. */
  readonly retrying?: { readonly attempt: number; readonly why: string }
}

const fields = ['thinking', 'headline', 'reasoning'] as const

const blank = (round: number): Draft => ({ round, headline: '', reasoning: '', thinking: '' })

/** The draft with one more piece. A piece of another round, or of another try, begins anew. */
export const written = (before: Draft | undefined, piece: Delta | Retrying): Draft => {
  const draft = before?.round === piece.round ? before : blank(piece.round)
  if (piece.type === 'retrying') {
    return { ...blank(piece.round), retrying: { attempt: piece.attempt, why: piece.why } }
  }
  const { retrying: _retrying, ...rest } = draft
  return { ...rest, [piece.field]: piece.whole ? piece.text : draft[piece.field] + piece.text }
}

/** The pieces from which whoever comes now has the same draft, whatever was there before. */
export const piecesOf = (seat: string, draft: Draft): readonly (Delta | Retrying)[] => {
  const { round, retrying } = draft
  if (retrying) return [{ type: 'retrying', round, seat, ...retrying }]
  return fields.flatMap(field =>
    draft[field] === '' ? [] : [{ type: 'delta', round, seat, field, text: draft[field], whole: true }],
  )
}

/** The seat whose writing an event ends. */
export const endedBy = (event: SessionEvent): string | undefined => {
  switch (event.type) {
    case 'answer-given':
    case 'seat-silent':
    case 'seat-abstained':
    case 'seat-retried':
      return event.seat
    case 'seat-replaced':
      return event.seat.id
    default:
      return undefined
  }
}
