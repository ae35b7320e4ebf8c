/**
 * What a sealed book shows: who wrote, when and at what cost, but no word of a letter and nothing that quotes one. Every
 * face reads logs and live events through this. The store and the seats have the letters themselves.
 */
import type { ModelError } from './basics.ts'
import type { LiveEvent, SessionEvent } from './event.ts'
import { isSealedBook } from './opening.ts'
import type { Answer } from './question.ts'

export const sealedWords = 'Sealed: only models can read these letters until their owner opens them.'

/** Letters of sealed books that were handed to this session's seats. Their own book shows them once it is open. */
const withoutGiven = (event: SessionEvent): SessionEvent => {
  if (event.type !== 'session-opened' || !event.letters?.given.some(({ sealed }) => sealed)) return event
  const given = event.letters.given.map(letter => (letter.sealed ? { ...letter, text: sealedWords } : letter))
  return { ...event, letters: { ...event.letters, given } }
}

/** A reply that couldn't be used is often quoted in its error. The provider's own words stay. */
const withoutReply = (error: ModelError): ModelError =>
  ['bad-shape', 'content-filter', 'cut-off'].includes(error.kind) ? { ...error, message: sealedWords } : error

const withoutLetter = (
  { confidence, language, drifted, decision, reason }: Answer,
  text: string,
): Answer => ({
  headline: sealedWords,
  reasoning: '',
  text,
  confidence,
  language,
  ...(drifted !== undefined && { drifted }),
  ...(decision && { decision }),
  ...(reason && { reason }),
})

/** An event of a book without anything that a seat wrote, or that the moderator made of it. */
const withoutWords = (
  event: SessionEvent,
  textOf: (seat: string, answer: Answer) => string,
): SessionEvent => {
  switch (event.type) {
    case 'answer-given':
      return { ...event, answer: withoutLetter(event.answer, textOf(event.seat, event.answer)) }
    case 'seat-abstained':
      return { ...event, words: sealedWords }
    case 'seat-silent':
      return { ...event, error: withoutReply(event.error) }
    case 'moderator-failed': {
      const { subject: _subject, subjects: _subjects, ...rest } = event
      return { ...rest, error: withoutReply(event.error) }
    }
    case 'readings-grouped':
      return { ...event, readings: [] }
    case 'round-read': {
      const {
        labels: _labels,
        positions: _positions,
        digest: _digest,
        objection: _objection,
        ...rest
      } = event
      return rest
    }
    case 'camps-proposed': {
      const { positions: _positions, ...rest } = event
      return { ...rest, labels: {} }
    }
    case 'digest-written':
      return { ...event, digest: { positions: [] } }
    case 'challenge-made':
      return { ...event, objection: null }
    case 'statement-made':
      return { ...event, said: { argument: sealedWords, question: null } }
    case 'ruling-given':
      return { ...event, camp: null, words: sealedWords }
    case 'report-drafted': {
      const { draft: _draft, rejected: _rejected, ...rest } = event
      return { ...rest, leading: null }
    }
    case 'report-written': {
      const { rejected: _rejected, ...rest } = event
      return { ...rest, report: { answer: sealedWords, summary: '' } }
    }
    case 'change-checked':
      return { ...event, quote: sealedWords }
    case 'calls-begun':
      return { ...event, calls: event.calls.map(({ repair: _repair, ...rest }) => rest) }
    case 'session-opened':
    case 'evidence-found':
    case 'search-failed':
    case 'round-opened':
    case 'seat-overdue':
    case 'kind-found':
    case 'kind-corrected':
    case 'membership-checked':
    case 'memberships-checked':
    case 'session-stopped':
    case 'session-finished':
    case 'seat-retried':
    case 'seat-replaced':
    case 'round-added':
    case 'session-resumed':
    case 'session-resolved':
    case 'book-opened':
    case 'asker-said':
    case 'seat-joined':
    case 'session-forked':
    case 'check-opened':
      return event
    default:
      return event satisfies never
  }
}

/** Takes the events of one log in order. While the book is sealed, it lets no word of a letter through. */
export const withholding = (): ((event: SessionEvent) => SessionEvent) => {
  let sealed = false
  /** By seat: the letter itself, and how often it was rewritten. That it was is no secret. */
  const written = new Map<string, { readonly text: string | undefined; readonly times: number }>()
  const textOf = (seat: string, { text }: Answer): string => {
    const before = written.get(seat)
    const times = before ? before.times + (before.text === text ? 0 : 1) : 0
    written.set(seat, { text, times })
    return times === 0 ? sealedWords : `${sealedWords} (Rewritten, ${times}.)`
  }
  return event => {
    if (event.type === 'session-opened') sealed = isSealedBook(event)
    if (event.type === 'book-opened') sealed = false
    return sealed ? withoutWords(event, textOf) : withoutGiven(event)
  }
}

/** A log as faces read it. The whole log must be given: whether a book is open is in its last part. */
export const withheldLog = (log: readonly SessionEvent[]): SessionEvent[] =>
  log.map(log.some(({ type }) => type === 'book-opened') ? withoutGiven : withholding())

/** The first event of a log, and what people do to a session, as watchers get them. */
export const withheldEvent = withoutGiven

/** What a watcher sees besides the log. Undefined: nothing. */
export const withheldPiece = (
  session: Parameters<typeof isSealedBook>[0],
  piece: Exclude<LiveEvent, SessionEvent>,
): Exclude<LiveEvent, SessionEvent> | undefined => {
  if (!isSealedBook(session)) return piece
  if (piece.type !== 'retrying') return undefined
  return piece.waits ? piece : { ...piece, why: sealedWords }
}
