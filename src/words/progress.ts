/** How far a session has come and how long it may still take, in words, and what its verdict is so far. */
import { counted, duration, listed } from '../core/basics.ts'
import type { Seat } from '../core/opening.ts'
import { median } from '../core/rules.ts'
import { isOverdue, latestRound, type Round, type Session, seatOf, seatsIn } from '../core/session.ts'
import { nextTurn } from '../count/group.ts'
import { roundPhrase } from '../count/tally.ts'
import type { Provisional } from '../count/verdict.ts'
import { type Step, silentIn, stageOf, stepsOf } from './stages.ts'

// timeLeft: About how long a session still takes, as an honest range: from what was measured, and without a promise.

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
): number => (outside ? (own ?? session.deadline) : deadlineOf(session, id))

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

// progressWords: What a session is doing now and how long it may still take: the same words on every face.

/** More names than this are a number. */
const mostNames = 3

const waitingWords = (session: Session, round: Round): string => {
  const seats = waitedFor(session, round).map(seat => seatOf(session, seat))
  const waiting = seats.map(({ name }) => name)
  if (seats.length > 0 && seats.every(({ outside }) => outside))
    return `Waiting for ${listed(waiting)} to answer${seats.every(({ person }) => person) ? '' : ' from outside'}`
  if (waiting.length === session.seats.length) return `All ${counted(waiting.length, 'seat')} are answering`
  return waiting.length <= mostNames
    ? `Waiting for ${listed(waiting)}`
    : `Waiting for ${waiting.length} of ${counted(session.seats.length, 'seat')}`
}

/** "; Ember is silent": a seat that failed is no longer waited for, and still one of the table's. */
const silentWords = (session: Session, round: Round): string => {
  const names = silentIn(session, round).map(({ name }) => name)
  if (names.length === 0) return ''
  return names.length <= mostNames
    ? `; ${listed(names)} ${names.length === 1 ? 'is' : 'are'} silent`
    : `; ${names.length} are silent`
}

/** Seats that the table went on without. Each is named once, and not while it is waited for again. */
const lateWords = ({ seats, roundsSoFar }: Session): string => {
  const [latest] = roundsSoFar.slice(-1)
  const late = seats.filter(
    ({ id }) =>
      roundsSoFar.some(round => isOverdue(round, id)) &&
      (isOverdue(latest!, id) || latest?.handedIn[id] !== undefined),
  )
  return late.length === 0 ? '' : `; a late answer of ${listed(late.map(({ name }) => name))} still counts`
}

/** "Waiting for Claude and GPT", "The moderator is reading the answers" */
export const progressWords = (session: Session): string => {
  const round = latestRound(session)
  if (session.outcome) return 'The session is over'
  if (session.stopped) return 'The session is ending'
  if (!round) return 'The seats are being filled'
  const stage = stageOf(session)
  if (stage === 'round')
    return `${waitingWords(session, round)}${silentWords(session, round)}${lateWords(session)}`
  if (session.report) return 'The report is written'
  if (stage === 'report') return `The report is being written${lateWords(session)}`
  if (round.statements && nextTurn(session, round)) return 'The advocates are speaking'
  return `The moderator is reading the answers${lateWords(session)}`
}

/** Nobody knows it to the second. */
const rounded = (seconds: number): number => {
  const unit = seconds < 20 ? 1 : seconds < 60 ? 5 : seconds < 180 ? 10 : 60
  return Math.max(1, Math.ceil(seconds / unit) * unit)
}

/** From this ratio on, the lower end tells nobody anything. */
const tooWide = 8

/** "35 s", "3 min" */
const longest = (seconds: number): string => {
  const most = rounded(seconds)
  return most < 120 ? `${most} s` : `${Math.ceil(most / 60)} min`
}

/** "5–40 s", "1–3 min", "less than 5 s", "under 2 min" */
export const timeWords = ({ low, high }: TimeLeft): string => {
  if (high < 5) return 'less than 5 s'
  const [least, most] = [rounded(low), rounded(high)]
  if (high > low * tooWide) return `under ${longest(high)}`
  if (most < 120) return least === most ? `${most} s` : `${least}–${most} s`
  const minutes = Math.ceil(most / 60)
  if (least < 60) return `${least} s to ${minutes} min`
  const first = Math.floor(least / 60)
  return first === minutes ? `${minutes} min` : `${first}–${minutes} min`
}

export interface WayAhead {
  readonly now: string
  /** At most. */
  readonly stepsLeft: number
  readonly secondsLeft: TimeLeft
}

/** Null once the session is over or ending. */
export const progressOf = (session: Session, now: number, measured?: MeasuredTimes): WayAhead | null => {
  if (session.outcome || session.stopped) return null
  return {
    now: progressWords(session),
    stepsLeft: stepsOf(session).filter(({ state }) => state !== 'done').length,
    secondsLeft: timeLeft(session, now, measured),
  }
}

/** "about 20–90 s left", "less than 5 s left", "likely under 2 min left", "slower than usual, at most 2 min more for this round"; nothing once the session is over. */
export const timeLeftWords = (session: Session, now: number, measured?: MeasuredTimes): string => {
  const progress = progressOf(session, now, measured)
  if (!progress) return ''
  const { slow } = progress.secondsLeft
  if (slow !== undefined) return `slower than usual, at most ${longest(slow)} more for this round`
  const left = timeWords(progress.secondsLeft)
  // As a limit it would contradict the longer one that each seat has.
  if (left.startsWith('under ')) return `likely ${left} left`
  return `${left.startsWith('less ') ? '' : 'about '}${left} left`
}

/** "at most 4 steps, about 20–90 s left": for a face that doesn't draw the steps. */
export const leftWords = (session: Session, now: number, measured?: MeasuredTimes): string => {
  const progress = progressOf(session, now, measured)
  if (!progress) return ''
  const most = progress.stepsLeft === 1 ? 'the last step' : `at most ${progress.stepsLeft} steps`
  return `${most}, ${timeLeftWords(session, now, measured)}`
}

/** "lab asks us to wait: 12 s" */
export const waitWords = (provider: string, milliseconds: number): string =>
  `${provider} asks us to wait: ${milliseconds < 100_000 ? `${Math.ceil(milliseconds / 1_000)} s` : duration(milliseconds)}`

export const provisionalTitle = 'Provisional verdict'

/** "after the sealed round"; "in open round 1, of which 2 of 6 have answered" */
export const provisionalMoment = ({ round, running, tally }: Provisional): string =>
  running
    ? `in ${roundPhrase(round)}, which ${tally.answered} of ${tally.of} have answered`
    : `after ${roundPhrase(round)}`

/** "So far, after the sealed round: 4 of 6 models agreed (not checked yet)" */
export const provisionalWords = (soFar: Provisional): string =>
  `So far, ${provisionalMoment(soFar)}: ${soFar.line}${soFar.unchecked ? ' (not checked yet)' : ''}`
