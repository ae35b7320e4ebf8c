/**
 * Whether events make up a log: what types can't express, and what would break a fold later. An import and a restored
 * backup pass the same check.
 */

import { mostChecks, UsageError } from './basics.ts'
import type { SessionEvent } from './event.ts'
import type { SessionOpened } from './opening.ts'

const fail = (index: number, reason: string): never => {
  throw new UsageError(`events[${index}]: ${reason}.`)
}

/** What is looked up under such a name is always there: a seat would have handed in before it was asked. */
const isInherited = (name: string): boolean => name in {}

/** What the moderator makes of all answers. Anything else that counts as out of date would only be hidden. */
const madeOfAllAnswers: ReadonlySet<SessionEvent['type']> = new Set([
  'camps-proposed',
  'round-read',
  'report-drafted',
  'report-written',
  'moderator-failed',
] as const)

const checkOutdated = (event: SessionEvent, index: number): void => {
  if (!('outdated' in event) || !event.outdated || madeOfAllAnswers.has(event.type)) return
  fail(
    index,
    'seat' in event ? 'what a seat says is never out of date' : `${event.type} is never out of date`,
  )
}

const openingOf = (events: readonly SessionEvent[]): SessionOpened => {
  const first = events[0]
  if (!first) throw new UsageError('events: the log is empty.')
  if (first.type !== 'session-opened')
    return fail(0, `a log must begin with session-opened, not with ${first.type}`)
  for (const { id, model } of first.seats) {
    if (isInherited(id)) fail(0, `a seat can't have the id "${id}"`)
    if (isInherited(model)) fail(0, `a seat can't have the model "${model}"`)
  }
  const [id, alias] = [first.seats.map(seat => seat.id), first.seats.map(seat => seat.alias)].map(namedTwice)
  if (id !== undefined) fail(0, `two seats have the id "${id}"`)
  return alias === undefined ? first : fail(0, `two seats have the letter "${alias}"`)
}

const seatsNamedBy = (event: SessionEvent): string[] => {
  switch (event.type) {
    case 'answer-given': {
      const { credit, points = [] } = event.answer
      const quoted = credit ? [credit, ...points] : points
      return [event.seat, ...quoted.map(({ seat }) => seat)]
    }
    case 'seat-silent':
    case 'seat-abstained':
    case 'seat-overdue':
    case 'membership-checked':
    case 'statement-made':
    case 'seat-retried':
    case 'change-checked':
      return [event.seat]
    case 'memberships-checked':
      return [...event.checks, ...(event.missing ?? [])].map(({ seat }) => seat)
    case 'seat-replaced':
      return [event.seat.id]
    case 'session-forked':
      return event.seats.map(({ id }) => id)
    case 'camps-proposed':
      return Object.keys(event.labels)
    case 'round-read':
      return Object.keys({ ...event.labels, ...event.positions })
    case 'readings-grouped':
      return event.readings.flatMap(({ seats }) => seats)
    case 'report-drafted':
      return [...event.moved, ...(event.changed ?? [])]
    case 'report-written':
      return (event.report.reasons ?? []).flatMap(({ seat }) => seat ?? [])
    default:
      return []
  }
}

/** An imported transcript may have lost its sealed round: then it has round 1 alone. */
const comesNext = (round: number, { imported }: SessionOpened, opened: ReadonlySet<number>): boolean =>
  round === opened.size || (imported !== undefined && opened.size === 0 && round === 1)

const namedTwice = (names: readonly string[]): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index)

/** Whoever joins or is replaced gets a letter that nobody has: peers know each other by it alone. */
const seatNewcomers = (
  event: SessionEvent & { type: 'seat-joined' | 'seat-replaced' | 'session-forked' },
  seats: Map<string, string>,
  index: number,
): void => {
  for (const { id, alias, model } of event.type === 'session-forked' ? event.seats : [event.seat]) {
    if (isInherited(id)) fail(index, `a seat can't have the id "${id}"`)
    if (isInherited(model)) fail(index, `a seat can't have the model "${model}"`)
    if (event.type === 'seat-joined' && seats.has(id)) fail(index, `two seats have the id "${id}"`)
    seats.set(id, alias)
  }
  const alias = namedTwice([...seats.values()])
  if (alias !== undefined) fail(index, `two seats have the letter "${alias}"`)
}

/** Throws UsageError with the place of the event that can't be in a log. */
export const checkLog = (events: readonly SessionEvent[]): void => {
  const opening = openingOf(events)
  const seats = new Map(opening.seats.map(seat => [seat.id, seat.alias]))
  const answers = new Set<string>()
  const rounds = new Set<number>()
  const checks = new Map<number, number>()
  for (const [index, event] of events.entries()) {
    if (event.position !== index) fail(index, `its position is ${event.position}, but it should be ${index}`)
    if (index > 0 && event.type === 'session-opened') fail(index, 'the session was already opened')
    if (event.type === 'round-opened') {
      if (rounds.has(event.round)) fail(index, `round ${event.round} was already opened`)
      if (!comesNext(event.round, opening, rounds))
        fail(index, `round ${event.round} was opened, but round ${rounds.size} comes next`)
      rounds.add(event.round)
    }
    if (event.type === 'membership-checked' || event.type === 'memberships-checked') {
      const before = checks.get(event.round) ?? 0
      const more = event.type === 'membership-checked' ? 1 : event.checks.length
      if (before + more > mostChecks)
        fail(index, `round ${event.round} has more than ${mostChecks} comparisons`)
      checks.set(event.round, before + more)
    }
    checkOutdated(event, index)
    if (event.type === 'seat-joined') seatNewcomers(event, seats, index)
    const stranger = seatsNamedBy(event).find(seat => !seats.has(seat))
    if (stranger !== undefined) fail(index, `there is no seat "${stranger}"`)
    const answered = event.type === 'answer-given' || event.type.startsWith('seat-')
    if (answered && 'round' in event && !rounds.has(event.round))
      fail(index, `round ${event.round} was not opened`)
    if (event.type === 'seat-replaced' || event.type === 'session-forked') seatNewcomers(event, seats, index)
    if (event.type === 'answer-given') {
      const answer = `${event.round} ${event.seat}`
      if (answers.has(answer)) fail(index, `seat "${event.seat}" answered round ${event.round} before`)
      answers.add(answer)
    }
  }
}
