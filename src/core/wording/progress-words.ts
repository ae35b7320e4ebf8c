/** What a session is doing now and how long it may still take: the same words on every face. */
import { nextTurn } from '../group/examination.ts'
import { isOverdue, latestRound, type Round, type Session, seatOf } from '../log/state.ts'
import { stageOf, stepsOf } from '../progress/steps.ts'
import { type MeasuredTimes, silentIn, type TimeLeft, timeLeft, waitedFor } from '../progress/time-left.ts'
import type { Provisional } from '../verdict/provisional.ts'
import { counted, listed } from './numbers.ts'
import { roundPhrase } from './round-names.ts'

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

export const provisionalTitle = 'Provisional verdict'

/** "So far, after the sealed round: 4 of 6 models agreed (not checked yet)" */
export const provisionalWords = ({ round, line, unchecked }: Provisional): string =>
  `So far, after ${roundPhrase(round)}: ${line}${unchecked ? ' (not checked yet)' : ''}`
