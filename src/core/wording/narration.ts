/** A session told to programs and to people who read a chat: what one more event adds, in plain lines. */
import { groupingOf } from '../camps/camps.ts'
import { type Flip, flipsOf } from '../camps/moves.ts'
import type { SessionEvent } from '../log/event.ts'
import { roundAt, type Session, seatOf } from '../log/state.ts'
import { confidenceWords, handedInWords } from './handed-in.ts'
import { moveWords } from './move-words.ts'
import { tableWords } from './outside-words.ts'
import { reasonWords } from './own-word.ts'
import { type StoryTeller, storyLines } from './story.ts'

const longestLine = 1_000

const onOneLine = (text: string): string => {
  const flat = text.replace(/\s+/gu, ' ').trim()
  return flat.length > longestLine ? `${flat.slice(0, longestLine)}…` : flat
}

const nameIn = (session: Session, seat: string): string => seatOf(session, seat).name

/** “Yes”, by the latest label of the camp. */
export const campLabel = (session: Session, id: string | null): string => {
  const camps = session.roundsSoFar.flatMap(round => groupingOf(session, round).camps)
  const label = camps.findLast(camp => camp.id === id)?.label
  return label === undefined ? 'no camp' : `“${label}”`
}

/** "Bea changed its mind, from “No” to “Yes” (a peer's point), citing Ada: “…”" */
const flipLine = (session: Session, { seat, from, to, reason, credit }: Flip): string => {
  const why = reason ? ` (${reasonWords[reason]})` : ''
  const citing = credit?.verified ? `, citing ${nameIn(session, credit.seat)}: “${credit.quote}”` : ''
  return `${nameIn(session, seat)} ${moveWords.switched}, from ${campLabel(session, from)} to ${campLabel(session, to)}${why}${citing}`
}

const handedInLine = (session: Session, index: number, seat: string): string => {
  const handedIn = roundAt(session, index)?.handedIn[seat]
  if (!handedIn) return ''
  const did = { given: 'answers', silent: 'is silent', abstained: 'abstains' }[handedIn.status]
  const sure =
    handedIn.status === 'given' && handedIn.answer.confidence != null
      ? ` (${confidenceWords(handedIn.answer.confidence)})`
      : ''
  return `${nameIn(session, seat)} ${did}: ${handedInWords(session.question, handedIn)}${sure}`
}

const teller: StoryTeller = {
  clean: onOneLine,
  nameOf: nameIn,
  sessionOpened: ({ seats }) => [
    onOneLine(`The question goes to ${tableWords(seats)}: ${seats.map(({ name }) => name).join(', ')}.`),
  ],
  roundOpened: (_, words) => [`${words}.`],
  handedIn: (session, { round, seat }) => [onOneLine(handedInLine(session, round, seat))],
  moves: (session, { index }) =>
    flipsOf(session)
      .filter(flip => flip.round === index)
      .map(flip => onOneLine(flipLine(session, flip))),
  challenger: 'An objection',
  stop: '.',
}

/** `before`: the session without the event. Texts of models are on one line each, and cut if they are very long. */
export const narrated = (before: Session | undefined, session: Session, event: SessionEvent): string[] =>
  storyLines(teller, before, session, event)
