/** What the page has of a session: its log without gap or repetition, and what seats are writing now. */
import type { Delta, LiveEvent, Retrying, SessionEvent } from '../core/event.ts'
import { apply, type Session } from '../core/state.ts'

/** An answer on its way. */
export interface Draft {
  readonly round: number
  readonly headline: string
  readonly reasoning: string
  readonly thinking: string
  /** Why the call is being made again. */
  readonly retrying?: { readonly attempt: number; readonly why: string }
}

export interface LiveLog {
  readonly events: readonly SessionEvent[]
  /** The fold of `events`. */
  readonly session: Session | undefined
  readonly drafts: ReadonlyMap<string, Draft>
}

export const emptyLog: LiveLog = { events: [], session: undefined, drafts: new Map() }

export interface Taken {
  readonly log: LiveLog
  /** Seats whose draft is another one now. */
  readonly seats: ReadonlySet<string>
  /** An event is missing before one that came: the rest must be asked for again. */
  readonly gap: boolean
}

const blank = (round: number): Draft => ({ round, headline: '', reasoning: '', thinking: '' })

const written = (before: Draft | undefined, piece: Delta | Retrying): Draft => {
  const draft = before?.round === piece.round ? before : blank(piece.round)
  if (piece.type === 'retrying') {
    return { ...blank(piece.round), retrying: { attempt: piece.attempt, why: piece.why } }
  }
  const { retrying: _retrying, ...rest } = draft
  return { ...rest, [piece.field]: draft[piece.field] + piece.text }
}

/** The seat whose writing an event ends. */
const endedBy = (event: SessionEvent): string | undefined => {
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

/** The log after everything that came in the meantime. */
export const take = (before: LiveLog, arrived: readonly LiveEvent[]): Taken => {
  const added: SessionEvent[] = []
  const drafts = new Map(before.drafts)
  const seats = new Set<string>()
  let session = before.session
  for (const event of arrived) {
    if (event.type === 'delta' || event.type === 'retrying') {
      drafts.set(event.seat, written(drafts.get(event.seat), event))
      seats.add(event.seat)
      continue
    }
    const next = before.events.length + added.length
    if (event.position < next) continue
    if (event.position > next) return { log: logOf(before, added, session, drafts), seats, gap: true }
    session = apply(session, event)
    added.push(event)
    const ended = endedBy(event)
    if (ended !== undefined && drafts.delete(ended)) seats.add(ended)
  }
  return { log: logOf(before, added, session, drafts), seats, gap: false }
}

const logOf = (
  before: LiveLog,
  added: readonly SessionEvent[],
  session: Session | undefined,
  drafts: ReadonlyMap<string, Draft>,
): LiveLog => ({ events: added.length > 0 ? [...before.events, ...added] : before.events, session, drafts })
