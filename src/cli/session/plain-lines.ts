/** A session as plain lines, each written once, for pipes and logs. */

import { moveOf } from '../../core/camps/moves.ts'
import type { LiveEvent } from '../../core/log/event.ts'
import { answerIn, type Round, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { betweenRoundsOf, namesIn } from '../../core/wording/between-rounds.ts'
import { cut, oneLine } from '../terminal/cells.ts'
import type { Look } from '../terminal/look.ts'
import { header } from './header.ts'
import { causeWords, roundTitle, spentWords } from './round-view.ts'
import { handedInWords } from './seat-words.ts'
import { verdictView } from './verdict-view.ts'

const nameOf = (session: Session, seat: string): string => {
  const { alias, name } = seatOf(session, seat)
  return `${oneLine(alias)} ${oneLine(name)}`
}

/** Who moved in a round, known only once its camps are. */
const moves = (session: Session, round: Round | undefined): string[] => {
  if (!round || round.sealed || session.imported) return []
  return session.seats.flatMap(seat => {
    const answer = answerIn(round, seat.id)
    const move = moveOf(session, round, seat.id)
    if (!answer || !move) return []
    if (move !== 'switched') return [`${nameOf(session, seat.id)} ${move}`]
    return [`${nameOf(session, seat.id)} switched: ${causeWords(session, answer)}`]
  })
}

/** The end of the round before, if there was one. */
const closingOf = (before: Session | undefined): string[] => {
  const last = before?.roundsSoFar.at(-1)
  return before && last ? [...moves(before, last), ''] : []
}

const handedInLine = (session: Session, round: number, seat: string): string => {
  const handedIn = session.roundsSoFar.find(one => one.index === round)?.handedIn[seat]
  if (!handedIn) return ''
  const did = { given: 'handed in', silent: 'is silent', abstained: 'declined' }[handedIn.status]
  const figures = spentWords(handedIn)
  return `${nameOf(session, seat)} ${did}: ${cut(handedInWords(session, handedIn), 1000)}${figures ? ` (${figures})` : ''}`
}

/** What the latest event added to a round besides answers. */
const exhibitsSince = (before: Session | undefined, session: Session, index: number): string[] => {
  const shown = (one: Session | undefined): string[] => {
    const round = one && roundAt(one, index)
    if (!one || !round) return []
    return betweenRoundsOf(round, namesIn(one, round)).map(({ who, words }) => oneLine(`${who}: ${words}`))
  }
  const known = new Set(shown(before))
  return shown(session).filter(line => !known.has(line))
}

const linesFor = (before: Session | undefined, session: Session, event: LiveEvent): string[] => {
  switch (event.type) {
    case 'round-opened':
      return [...closingOf(before), roundTitle(session.roundsSoFar.at(-1)!)]
    case 'answer-given':
    case 'seat-silent':
    case 'seat-abstained':
      return [handedInLine(session, event.round, event.seat)]
    case 'challenge-made':
      return event.objection === null ? [] : [`Challenger: ${oneLine(event.objection)}`]
    case 'statement-made':
    case 'ruling-given':
    case 'digest-written':
      return exhibitsSince(before, session, event.round)
    case 'moderator-failed':
      return [`The moderator could not ${event.task}: ${oneLine(event.error.message)}`]
    case 'session-stopped':
      return [`Stopped: ${oneLine(event.words)}`]
    case 'seat-retried':
      return [`${nameOf(session, event.seat)} is asked again`]
    case 'seat-replaced':
      return [
        `${nameOf(session, event.seat.id)} takes the seat of ${oneLine(seatOf(before ?? session, event.seat.id).name)}`,
      ]
    case 'round-added':
      return ['One more round was asked for']
    case 'session-resumed':
      return ['The session goes on']
    case 'session-resolved':
      return [`The right answer became known: ${oneLine(event.answer)}`]
    case 'check-opened':
      return [`${oneLine(event.moderator)} checks the transcript`]
    case 'retrying':
      return [`${nameOf(session, event.seat)}: try ${event.attempt}, because: ${oneLine(event.why)}`]
    case 'session-finished':
      return moves(session, session.roundsSoFar.at(-1))
    case 'session-opened':
    case 'camps-proposed':
    case 'membership-checked':
    case 'report-written':
    case 'change-checked':
    case 'delta':
      return []
    default:
      return event satisfies never
  }
}

/** What one more event adds to the log on the screen. */
export const plainLines = (
  before: Session | undefined,
  session: Session,
  event: LiveEvent,
  look: Look,
): string[] => {
  if (event.type === 'session-opened') return header(session, look)
  const lines = linesFor(before, session, event).map(line => (line === '' ? line : ` ${line}`))
  return event.type === 'session-finished' ? [...lines, '', ...verdictView(session, look)] : lines
}
