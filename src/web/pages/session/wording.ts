/** What the page says, in plain words. */

import type { Move } from '../../../core/camps/moves.ts'
import { type ModelErrorKind, wordingOf } from '../../../core/errors.ts'
import { nextTurn } from '../../../core/group/examination.ts'
import type { Draft } from '../../../core/log/draft.ts'
import type { SessionEvent } from '../../../core/log/event.ts'
import { type HandedIn, isClosed, latestRound, type Round, type Session } from '../../../core/log/state.ts'
import type { Level } from '../../../core/verdict/tally.ts'

export const models = (count: number): string => `${count} ${count === 1 ? 'model' : 'models'}`

export const kindOf = ({ question, roundsSoFar, rounds, outcome }: Session): string => {
  const debated = outcome ? roundsSoFar.some(round => !round.sealed) : rounds > 0
  return `${question.format === 'open' ? 'Open ' : ''}${debated ? 'Debate' : 'Poll'}`
}

export const roundName = (round: Pick<Round, 'index' | 'sealed'>): string =>
  round.sealed ? 'Sealed' : `Round ${round.index}`

export const levelWords: Record<Level, string> = {
  unanimous: 'Unanimous',
  'unanimous-with-caveats': 'Unanimous, with caveats',
  supermajority: 'Large majority',
  majority: 'Majority',
  plurality: 'No majority',
  tie: 'Tie',
  split: 'Split',
  'no-quorum': 'No quorum',
}

/** The verdict's line beside a badge that has said its first words already. */
export const lineBeside = (level: Level | null, line: string): string => {
  const said = level ? `${levelWords[level]}: ` : ''
  return line.startsWith(said) ? line.slice(said.length) : line
}

/** Where the general advice is for a command line. */
const ownAdvice: Partial<Record<ModelErrorKind, string>> = {
  timeout: 'Ask it again, or seat a faster model.',
  budget: 'Ask the question again with a larger budget.',
}

export const adviceOf = (kind: ModelErrorKind): string => ownAdvice[kind] ?? wordingOf(kind).advice

/** What came of a seat in a round: its headline, or why there is none. */
export const handedInWords = (handedIn: HandedIn | undefined): string | undefined => {
  switch (handedIn?.status) {
    case 'given':
      return handedIn.answer.headline
    case 'silent':
      return wordingOf(handedIn.error.kind).short
    case 'abstained':
      return handedIn.words
    default:
      return undefined
  }
}

export const moveWords: Record<Move, string> = {
  held: 'held its position',
  refined: 'refined its position',
  switched: 'changed its mind',
  silent: 'fell silent',
  abstained: 'abstained',
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`

export const money = (usd: number | null | undefined): string => {
  if (usd === null || usd === undefined) return 'cost unknown'
  return usd === 0 ? '$0' : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`
}

export const seconds = (milliseconds: number): string => {
  const value = milliseconds / 1_000
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`
}

export const count = (value: number): string => value.toLocaleString('en-US')

/** Whoever comes in the middle of an answer sees that its beginning is missing. */
export const fromMiddle = (text: string): string =>
  /^[\s\p{Ll},.;:)]/u.test(text) ? `… ${text.trimStart()}` : text

/** An answer on its way, in one line. */
export const draftWords = ({ headline, reasoning, thinking }: Draft): string => {
  if (headline) return fromMiddle(headline)
  const rest = reasoning || thinking
  return rest ? `… ${rest.slice(-120).trimStart()}` : ''
}

/** What is going on now, for somebody who has just come. */
export const progressOf = (session: Session): string => {
  const round = latestRound(session)
  if (session.outcome) return 'The session is over.'
  if (session.stopped) return 'The session is being brought to its end.'
  if (!round) return 'The table is being seated.'
  const done = session.seats.filter(seat => round.handedIn[seat.id]?.status === 'given').length
  const where = round.sealed
    ? 'Sealed round: nobody sees anybody'
    : `Round ${round.index}: they read each other`
  if (!isClosed(session, round)) return `${where}. ${done} of ${session.seats.length} have answered.`
  if (session.report) return 'The report is written.'
  if (!round.statements) return 'The round is closed; the moderator is reading.'
  return nextTurn(session, round) ? 'The advocates speak.' : 'The advocates have spoken.'
}

/** One event of the log in a few words, as the timeline tells it. */
export const eventWords = (session: Session, event: SessionEvent): string => {
  const name = (id: string): string => session.seats.find(seat => seat.id === id)?.name ?? id
  switch (event.type) {
    case 'session-opened':
      return 'The question is asked'
    case 'round-opened':
      return event.sealed ? 'The sealed round begins' : `Round ${event.round} begins`
    case 'answer-given':
      return `${name(event.seat)} answers`
    case 'seat-silent':
      return `${name(event.seat)} is silent`
    case 'seat-abstained':
      return `${name(event.seat)} abstains`
    case 'camps-proposed':
    case 'membership-checked':
      return 'The moderator compares the headlines'
    case 'digest-written':
      return 'The positions are summed up for the table'
    case 'challenge-made':
      return event.objection === null ? 'Nobody finds an objection' : 'An objection is raised'
    case 'moderator-failed':
      return 'The moderator fails at a task'
    case 'report-written':
      return 'The report is written'
    case 'session-stopped':
      return event.reason === 'budget' ? 'The budget is spent' : 'The session is stopped'
    case 'session-finished':
      return 'The session is over'
    case 'seat-retried':
      return `${name(event.seat)} is asked again`
    case 'seat-replaced':
      return `${event.seat.name} takes a seat`
    case 'round-added':
      return 'One more round is asked for'
    case 'session-resumed':
      return 'The session goes on'
    case 'statement-made':
      return `${name(event.seat)} speaks for its side`
    case 'ruling-given':
      return 'The judge rules'
    case 'session-resolved':
      return `It turned out: ${event.answer}`
    case 'check-opened':
    case 'change-checked':
      return 'The moderator reads the transcript'
    default:
      return event satisfies never
  }
}
