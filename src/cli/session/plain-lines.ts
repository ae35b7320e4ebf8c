/** A session as plain lines, each written once, for pipes and logs. */

import { moveOf } from '../../core/camps/moves.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { type LiveEvent, reportWriter } from '../../core/log/live-event.ts'
import { answerIn, type Round, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { provisionalOf } from '../../core/verdict/provisional.ts'
import { handedInWords } from '../../core/wording/handed-in.ts'
import { moveWordsFor } from '../../core/wording/move-words.ts'
import { concessionLine, ownWordLine, unlikeItsWord } from '../../core/wording/own-word.ts'
import { provisionalWords } from '../../core/wording/progress-words.ts'
import { type StoryTeller, storyLines } from '../../core/wording/story.ts'
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
const moves = (session: Session, round: Round): string[] => {
  if (round.sealed) return []
  return session.seats.flatMap(seat => {
    const answer = answerIn(round, seat.id)
    const move = moveOf(session, round, seat.id)
    if (!answer || !move) return []
    const cause = move === 'switched' ? `: ${causeWords(session, answer)}` : ''
    const unlike = unlikeItsWord(answer, move) ? `; ${ownWordLine(answer, move)}` : ''
    return [`${nameOf(session, seat.id)} ${moveWordsFor(session.question.format)[move]}${cause}${unlike}`]
  })
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

const teller: StoryTeller = {
  clean: oneLine,
  nameOf,
  sessionOpened: () => [],
  roundOpened: ({ roundsSoFar }) => [
    ...(roundsSoFar.length > 1 ? [''] : []),
    roundTitle(roundsSoFar.at(-1)!),
  ],
  handedIn: (session, event) => [
    handedInLine(session, event.round, event.seat),
    ...(event.type === 'answer-given' ? concessionLines(session, event) : []),
  ],
  moves,
  challenger: 'Challenger',
  stop: '',
}

const linesFor = (before: Session | undefined, session: Session, event: LiveEvent): string[] => {
  if (event.type === 'delta') return []
  if (event.type !== 'retrying') return storyLines(teller, before, session, event)
  const who = event.seat === reportWriter ? 'Moderator' : nameOf(session, event.seat)
  return [`${who}: try ${event.attempt}, because: ${oneLine(event.why)}`]
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
