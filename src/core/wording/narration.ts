/** A session as a story: what one more event adds to it, in plain lines. */
import { groupingOf } from '../camps/camps.ts'
import { type Flip, flipsOf } from '../camps/moves.ts'
import type { SessionEvent } from '../log/event.ts'
import { type Round, roundAt, type Session, seatOf } from '../log/state.ts'
import { betweenRoundsOf, namesIn } from './between-rounds.ts'
import { eventWords } from './event-words.ts'
import { confidenceWords, handedInWords } from './handed-in.ts'
import { moveWords } from './move-words.ts'
import { models } from './numbers.ts'
import { reasonWords } from './own-word.ts'

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

/** Who changed its mind in a round. It is known only when the round's camps are. */
const flipLines = (session: Session, round: Round | undefined): string[] =>
  round && !session.imported
    ? flipsOf(session)
        .filter(flip => flip.round === round.index)
        .map(flip => flipLine(session, flip))
    : []

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

/** What was said between two rounds since the last event. */
const newBetween = (before: Session | undefined, session: Session, index: number): string[] => {
  const told = (one: Session | undefined): string[] => {
    const round = one && roundAt(one, index)
    return one && round
      ? betweenRoundsOf(round, namesIn(one, round)).map(({ who, words }) => `${who}: ${words}`)
      : []
  }
  const known = new Set(told(before))
  return told(session).filter(line => !known.has(line))
}

const linesOf = (before: Session | undefined, session: Session, event: SessionEvent): string[] => {
  const words = eventWords(event, seat => nameIn(before ?? session, seat))
  switch (event.type) {
    case 'session-opened':
      return [
        `The question goes to ${models(session.seats.length)}: ${session.seats.map(({ name }) => name).join(', ')}.`,
      ]
    case 'round-opened':
      return [...(before ? flipLines(before, before.roundsSoFar.at(-1)) : []), `${words}.`]
    case 'answer-given':
    case 'seat-silent':
    case 'seat-abstained':
      return [handedInLine(session, event.round, event.seat)]
    case 'challenge-made':
      return event.objection === null ? [] : [`An objection: ${event.objection}`]
    case 'statement-made':
    case 'ruling-given':
    case 'digest-written':
      return newBetween(before, session, event.round)
    case 'moderator-failed':
      return [`${words}: ${event.error.message}`]
    case 'session-stopped':
      return [`Stopped: ${event.words}`]
    case 'session-finished':
      return flipLines(session, session.roundsSoFar.at(-1))
    case 'seat-retried':
    case 'seat-replaced':
    case 'round-added':
    case 'session-resumed':
    case 'session-resolved':
    case 'kind-corrected':
    case 'check-opened':
      return [`${words}.`]
    default:
      return []
  }
}

/** `before`: the session without the event. Texts of models are on one line each, and cut if they are very long. */
export const narrated = (before: Session | undefined, session: Session, event: SessionEvent): string[] =>
  linesOf(before, session, event).map(onOneLine)
