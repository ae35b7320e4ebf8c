/** Which events a fork in the middle of a session shares with it. */
import { UsageError } from '../errors.ts'
import type { SessionEvent } from './event.ts'
import { fold, isClosed, latestRound, type Session } from './state.ts'

/** A copy has the other session's times, and places of its own. */
const renumbered = (events: readonly SessionEvent[]): SessionEvent[] =>
  events.map((event, position) => ({ ...event, position }))

/** What ends a session. A fork doesn't end where the other one did. That it was stopped stays: then the fork resumes it. */
const isEnding = (event: SessionEvent): boolean =>
  event.type === 'report-drafted' ||
  event.type === 'report-written' ||
  event.type === 'session-finished' ||
  (event.type === 'moderator-failed' && event.task === 'report')

/** What people do with a session that is over. It says nothing about its fork. */
const isLater = ({ type }: SessionEvent): boolean => type === 'session-resolved' || type === 'book-opened'

const withoutEnd = (events: readonly SessionEvent[]): SessionEvent[] =>
  events.slice(0, events.findLastIndex(event => !isEnding(event)) + 1)

const answerTypes: ReadonlySet<SessionEvent['type']> = new Set([
  'answer-given',
  'seat-silent',
  'seat-abstained',
] as const)

/** What the moderator found out about the shared rounds while the next one was under way. Late answers would change it. */
const foundLater = (events: readonly SessionEvent[], round: number): SessionEvent[] => {
  const early = events.filter(event => 'round' in event && event.round <= round)
  if (early.some(({ type }) => answerTypes.has(type))) return []
  return events.filter(event => {
    if ('outdated' in event && event.outdated) return false
    switch (event.type) {
      case 'camps-proposed':
      case 'membership-checked':
      case 'memberships-checked':
      case 'readings-grouped':
      case 'ruling-given':
        return event.round <= round
      case 'kind-found':
      case 'kind-corrected':
        return true
      default:
        return false
    }
  })
}

/** What a protocol does with a round before it opens the next one. Another protocol does something else with it. */
const withoutSteps = (events: readonly SessionEvent[], round: number): SessionEvent[] =>
  events.flatMap((event): SessionEvent[] => {
    if (!('round' in event) || event.round !== round) return [event]
    switch (event.type) {
      case 'digest-written':
      case 'challenge-made':
      case 'statement-made':
      case 'ruling-given':
        return []
      case 'round-read': {
        const { objection: _objection, digest: _digest, missing: _missing, ...labelled } = event
        return labelled.labels ? [labelled] : []
      }
      case 'moderator-failed':
        return event.task === 'digest' || event.task === 'challenge' || event.task === 'judge' ? [] : [event]
      default:
        return [event]
    }
  })

/**
 * The events of a log up to the close of a round, with what was made of that round before the next one was opened.
 * Throws UsageError if the round isn't closed.
 */
export const sharedLog = (
  log: readonly SessionEvent[],
  round: number,
  sameProtocol: boolean,
): SessionEvent[] => {
  if (fold(log).imported)
    throw new UsageError('An imported session has no log to share: fork it from the start, without a round.')
  const next = log.findIndex(event => event.type === 'round-opened' && event.round > round)
  const cut = next < 0 ? log.length : next
  const shared = withoutEnd(log.slice(0, cut).filter(event => !isLater(event)))
  const session = fold(shared)
  const last = latestRound(session)
  if (last?.index !== round || !isClosed(session, last)) throw notClosed(round, closedRounds(fold(log)))
  const events = [...shared, ...foundLater(log.slice(cut), round)]
  return renumbered(sameProtocol ? events : withoutSteps(events, round))
}

/** The rounds at which a session can be forked. */
export const closedRounds = (session: Session): number[] =>
  session.imported
    ? []
    : session.roundsSoFar.filter(round => isClosed(session, round)).map(({ index }) => index)

const notClosed = (round: number, closed: readonly number[]): UsageError =>
  new UsageError(
    closed.length === 0
      ? 'No round of this session is closed yet: wait, or fork it from the start, without a round.'
      : `Round ${round} is not a closed round of this session. It can be forked at ${closed.join(', ')}.`,
  )
