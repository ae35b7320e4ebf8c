/** A session as plain lines, each written once, for pipes and logs. */

import { isSettled, moveOf } from '../../core/camps/moves.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { type LiveEvent, reportWriter } from '../../core/log/live-event.ts'
import { answerIn, type Round, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { provisionalOf } from '../../core/verdict/provisional.ts'
import { betweenRoundsOf, namesIn } from '../../core/wording/between-rounds.ts'
import { eventWords } from '../../core/wording/event-words.ts'
import { failureWords, handedInWords } from '../../core/wording/handed-in.ts'
import { moveWordsFor } from '../../core/wording/move-words.ts'
import { concessionLine, ownWordLine, unlikeItsWord } from '../../core/wording/own-word.ts'
import { provisionalWords } from '../../core/wording/progress-words.ts'
import { cut, oneLine } from '../terminal/cells.ts'
import type { Look } from '../terminal/look.ts'
import { causeWords } from './answer-lines.ts'
import { header } from './header.ts'
import { roundTitle, spentWords } from './round-view.ts'
import { textLines } from './text-lines.ts'
import { verdictView } from './verdict-view.ts'

const nameOf = (session: Session, seat: string): string => {
  const { alias, name } = seatOf(session, seat)
  return `${oneLine(alias)} ${oneLine(name)}`
}

/** Who moved in a round; known only when its camps are. */
const moves = (session: Session, round: Round | undefined): string[] => {
  if (!round || round.sealed || session.imported) return []
  return session.seats.flatMap(seat => {
    const answer = answerIn(round, seat.id)
    const move = moveOf(session, round, seat.id)
    if (!answer || !move) return []
    const cause = move === 'switched' ? `: ${causeWords(session, answer)}` : ''
    const unlike = unlikeItsWord(answer, move) ? `; ${ownWordLine(answer, move)}` : ''
    return [`${nameOf(session, seat.id)} ${moveWordsFor(session.question.format)[move]}${cause}${unlike}`]
  })
}

/** The end of the round before, if there was one. Its moves come later if they are still being checked. */
const closingOf = (before: Session | undefined): string[] => {
  const last = before?.roundsSoFar.at(-1)
  if (!before || !last) return []
  return [...(isSettled(before, last) ? moves(before, last) : []), '']
}

/** Who moved in an earlier round, once the comparisons that ran beside the next one say so. */
const settledSince = (before: Session | undefined, session: Session, index: number): string[] => {
  const [was, is] = [before && roundAt(before, index), roundAt(session, index)]
  if (!before || !was || !is || index === session.roundsSoFar.at(-1)?.index) return []
  return !isSettled(before, was) && isSettled(session, is) ? moves(session, is) : []
}

const handedInLine = (session: Session, round: number, seat: string): string => {
  const handedIn = session.roundsSoFar.find(one => one.index === round)?.handedIn[seat]
  if (!handedIn) return ''
  const did = { given: 'answers', silent: 'is silent', abstained: 'abstains' }[handedIn.status]
  const figures = spentWords(handedIn)
  return `${nameOf(session, seat)} ${did}: ${cut(oneLine(handedInWords(session.question, handedIn)), 1000)}${figures ? ` (${figures})` : ''}`
}

/** "B conceded a point to C", below the answer. */
const concessionLines = (session: Session, { seat, answer }: SessionEvent & { type: 'answer-given' }) => {
  const line = concessionLine(seat, answer, one => nameOf(session, one))
  return line === undefined ? [] : [line]
}

/** What the latest event added between two rounds. */
const addedSince = (before: Session | undefined, session: Session, index: number): string[] => {
  const shown = (one: Session | undefined): string[] => {
    const round = one && roundAt(one, index)
    if (!one || !round) return []
    return betweenRoundsOf(round, namesIn(one, round)).map(({ who, words }) => oneLine(`${who}: ${words}`))
  }
  const known = new Set(shown(before))
  return shown(session).filter(line => !known.has(line))
}

const linesFor = (before: Session | undefined, session: Session, event: LiveEvent): string[] => {
  /** A seat that is being replaced still has its old name before the event. */
  const words = (happened: SessionEvent): string =>
    oneLine(eventWords(happened, seat => nameOf(before ?? session, seat)))
  switch (event.type) {
    case 'round-opened':
      return [...closingOf(before), roundTitle(session.roundsSoFar.at(-1)!)]
    case 'answer-given':
      return [handedInLine(session, event.round, event.seat), ...concessionLines(session, event)]
    case 'seat-silent':
    case 'seat-abstained':
      return [handedInLine(session, event.round, event.seat)]
    case 'challenge-made':
      return event.objection === null ? [] : [`Challenger: ${oneLine(event.objection)}`]
    case 'round-read':
      return [
        ...(event.objection ? [`Challenger: ${oneLine(event.objection)}`] : []),
        ...(event.digest ? addedSince(before, session, event.round) : []),
      ]
    case 'camps-proposed':
    case 'membership-checked':
    case 'memberships-checked':
      return settledSince(before, session, event.round)
    case 'statement-made':
    case 'ruling-given':
    case 'digest-written':
      return addedSince(before, session, event.round)
    case 'moderator-failed':
      return [`${words(event)}: ${oneLine(failureWords(event.error))}`]
    case 'session-stopped':
      return [`Stopped: ${oneLine(event.words)}`]
    case 'seat-retried':
    case 'seat-replaced':
    case 'round-added':
    case 'session-resumed':
    case 'session-resolved':
    case 'kind-corrected':
    case 'check-opened':
    case 'seat-overdue':
      return [words(event)]
    case 'retrying':
      return [
        `${event.seat === reportWriter ? 'Moderator' : nameOf(session, event.seat)}: try ${event.attempt}, because: ${oneLine(event.why)}`,
      ]
    case 'session-finished':
      return moves(session, session.roundsSoFar.at(-1))
    case 'session-opened':
    case 'kind-found':
    case 'readings-grouped':
    case 'report-drafted':
    case 'report-written':
    case 'change-checked':
    case 'delta':
      return []
    default:
      return event satisfies never
  }
}

/** The verdict so far, whenever it changes. Answers that nobody has compared yet are no news: they were just printed. */
const soFarLines = (before: Session | undefined, session: Session): string[] => {
  const words = (one: Session | undefined): string => {
    const found = one && provisionalOf(one)
    return found && !found.uncompared ? oneLine(provisionalWords(found)) : ''
  }
  return words(session) === '' || words(session) === words(before) ? [] : [words(session)]
}

/** What one more event adds to the log on the screen. */
export const plainLines = (
  before: Session | undefined,
  session: Session,
  event: LiveEvent,
  look: Look,
): string[] => {
  if (event.type === 'session-opened') return header(session, look)
  const added = [
    ...linesFor(before, session, event),
    ...(event.type === 'delta' ? [] : soFarLines(before, session)),
  ]
  const lines = added.map(line => (line === '' ? line : ` ${line}`))
  if (event.type === 'session-finished') return [...lines, '', ...verdictView(session, look)]
  const round = event.type === 'answer-given' ? roundAt(session, event.round) : undefined
  return round && event.type === 'answer-given'
    ? [...lines, ...textLines(session, round, event.seat, look)]
    : lines
}
