/** About how long a session still takes, as an honest range: from what was measured, and without a promise. */
import { median } from '../aggregation/number.ts'
import type { Seat } from '../log/event.ts'
import { isOverdue, latestRound, type Round, type Session, seatsIn } from '../log/state.ts'
import { type Step, stepsOf } from './steps.ts'

/** By model: the milliseconds that one answer of it took before, in other sessions. */
export type MeasuredTimes = Readonly<Record<string, number>>

/** From the records of models. A model that nobody measured is left out. */
export const measuredIn = (
  records: readonly { readonly model: string; readonly latency: number | null }[],
): MeasuredTimes =>
  Object.fromEntries(records.flatMap(({ model, latency }) => (latency === null ? [] : [[model, latency]])))

export interface TimeLeft {
  /** Seconds. */
  readonly low: number
  readonly high: number
  /** A seat takes longer than usual: what its deadline still allows, at most, for this round alone. */
  readonly slow?: number
}

/** Seconds for one step, if nothing was measured. */
export const unmeasured: TimeLeft = { low: 4, high: 40 }

/** How much faster and slower an answer may well be than the same model's before, or than those of others. */
const spreadOfOwn: TimeLeft = { low: 0.6, high: 1.8 }
const spreadOfOthers: TimeLeft = { low: 0.5, high: 3 }

const times = ({ roundsSoFar }: Session, isOf: (seat: string) => boolean): number[] =>
  roundsSoFar.flatMap(({ handedIn }) =>
    Object.entries(handedIn).flatMap(([seat, { timing, status }]) =>
      isOf(seat) && timing && status === 'given' ? [timing.total] : [],
    ),
  )

const middle = (values: readonly number[]): number | undefined =>
  values.length > 0 ? median(values, 'linear') : undefined

const rangeAround = (milliseconds: number, spread: TimeLeft): TimeLeft => ({
  low: (milliseconds / 1_000) * spread.low,
  high: (milliseconds / 1_000) * spread.high,
})

/** From one's own times, else from those of the whole table, else a guess. */
const rangeFor = (session: Session, own: number | undefined): TimeLeft => {
  if (own !== undefined) return rangeAround(own, spreadOfOwn)
  const others = middle(times(session, () => true))
  return others === undefined ? unmeasured : rangeAround(others, spreadOfOthers)
}

/** Milliseconds that the table waited for a seat in vain: it takes at least as long. */
const waitedInVain = ({ roundsSoFar }: Session, seat: string): number | undefined => {
  const waits = roundsSoFar.flatMap((round, index) => {
    const next = roundsSoFar[index + 1]
    return next && isOverdue(round, seat) ? [Date.parse(next.openedAt) - Date.parse(round.openedAt)] : []
  })
  return waits.length > 0 ? Math.max(...waits) : undefined
}

/** Seconds for one answer of a seat: as its model took in other sessions, else as it took in this one. */
const answerRange = (session: Session, seat: Seat, measured: MeasuredTimes): TimeLeft => {
  const { id, model, outside } = seat
  if (outside) return { low: 0, high: secondsFor(session, seat) }
  const own = measured[model] ?? middle(times(session, one => one === id)) ?? waitedInVain(session, id)
  return rangeFor(session, own)
}

/** The first token may take long, but not the whole time that there is for an answer. */
export const shareForFirstToken = 0.75

/** Seconds for one answer of a model. The next wait for a seat that hung is shorter. */
export const deadlineOf = ({ deadline, roundsSoFar }: Session, seat?: string): number => {
  const hung = roundsSoFar.some(({ handedIn }) => {
    const last = seat === undefined ? undefined : handedIn[seat]
    return last?.status === 'silent' && last.error.kind === 'timeout'
  })
  return hung ? deadline / 4 : deadline
}

/** Seconds that a seat has for an answer. Somebody outside may have days. */
export const secondsFor = (
  session: Session,
  { id, outside, deadline: own }: Pick<Seat, 'id' | 'outside' | 'deadline'>,
): number => (outside ? (own ?? session.outsideDeadline ?? session.deadline) : deadlineOf(session, id))

/** A call that takes longer than usual may take until its deadline. */
const stillTaking = (
  { low, high }: TimeLeft,
  passed: number,
  deadline: number,
  late = Number.POSITIVE_INFINITY,
): TimeLeft => {
  const most = Math.max(0, deadline - passed)
  const isSlow = high <= passed
  return {
    low: Math.min(most, Math.max(0, low - passed)),
    high: Math.min(most, isSlow ? late : high - passed),
    ...(isSlow && late > most && { slow: most }),
  }
}

/** The slowest seat decides when a round is over. */
const wholeRound = (session: Session, measured: MeasuredTimes): TimeLeft => {
  const ranges = session.seats.map(seat => {
    const { low, high } = answerRange(session, seat, measured)
    return { low, high: Math.min(high, secondsFor(session, seat)) }
  })
  return { low: Math.max(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) }
}

/** The seats that a round waits for. */
export const waitedFor = (session: Session, round: Round): string[] =>
  seatsIn(session, round.index)
    .map(({ id }) => id)
    .filter(id => round.handedIn[id] === undefined && !isOverdue(round, id))

/** The seats that hold up most of the table: a person may want to go on without them. */
export const skippable = (session: Session): string[] => {
  const round = latestRound(session)
  if (!round || session.stopped || session.outcome) return []
  const waiting = waitedFor(session, round)
  const given = Object.values(round.handedIn).filter(({ status }) => status === 'given').length
  return given > 0 && waiting.length * 2 <= seatsIn(session, round.index).length ? waiting : []
}

/** The seats that a round got no answer from. */
export const silentIn = (session: Session, round: Round): Seat[] =>
  seatsIn(session, round.index).filter(({ id }) => round.handedIn[id]?.status === 'silent')

const slowest = (ranges: readonly TimeLeft[]): { slow?: number } => {
  const slow = ranges.flatMap(range => range.slow ?? [])
  return slow.length > 0 ? { slow: Math.max(...slow) } : {}
}

const thisRound = (session: Session, round: Round, now: number, measured: MeasuredTimes): TimeLeft => {
  const passed = Math.max(0, (now - Date.parse(round.openedAt)) / 1_000)
  const waiting = new Set(waitedFor(session, round))
  const ranges = session.seats
    .filter(({ id }) => waiting.has(id))
    .map(seat => stillTaking(answerRange(session, seat, measured), passed, secondsFor(session, seat)))
  return {
    low: Math.max(0, ...ranges.map(({ low }) => low)),
    high: Math.max(0, ...ranges.map(({ high }) => high)),
    ...slowest(ranges),
  }
}

/** What is under way counts from now; the steps ahead count whole, and may all be left out but the report. */
export const timeLeft = (session: Session, now: number, measured: MeasuredTimes = {}): TimeLeft => {
  const round = latestRound(session)
  const reading = rangeFor(session, middle(session.moderatorTimes))
  const answering = wholeRound(session, measured)
  const since = Math.max(0, (now - Date.parse(session.lastAt)) / 1_000)
  const taking = (step: Step): TimeLeft => {
    if (step.kind !== 'round')
      // A moderator hardly ever hangs: a long report is the usual reason.
      return step.state === 'now'
        ? stillTaking(reading, since, session.deadline, Math.max(since, 1))
        : reading
    return step.state === 'now' && round ? thisRound(session, round, now, measured) : answering
  }
  const left = stepsOf(session).filter(({ state }) => state !== 'done')
  const certain = left.filter(({ state, kind }) => state === 'now' || kind === 'report')
  const sum = (steps: readonly Step[], end: 'low' | 'high'): number =>
    steps.reduce((total, step) => total + taking(step)[end], 0)
  const underWay = left.filter(({ state }) => state === 'now').map(taking)
  return { low: sum(certain, 'low'), high: sum(left, 'high'), ...slowest(underWay) }
}
