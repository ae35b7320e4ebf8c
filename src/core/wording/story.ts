/** A session as a story, event by event. Each face words names, answers and moves in its own way; what is told is the same. */
import { isSettled } from '../camps/moves.ts'
import type { SessionEvent } from '../log/event.ts'
import { type Round, roundAt, type Session } from '../log/state.ts'
import { betweenRoundsOf, namesIn } from './between-rounds.ts'
import { eventWords } from './event-words.ts'
import { failureWords } from './handed-in.ts'

type HandingIn = Extract<SessionEvent, { type: 'answer-given' | 'seat-silent' | 'seat-abstained' }>

export interface StoryTeller {
  /** Makes one line of what models and providers wrote. */
  clean(text: string): string
  nameOf(session: Session, seat: string): string
  sessionOpened(session: Session): string[]
  /** `words`: "The sealed round begins". */
  roundOpened(session: Session, words: string): string[]
  handedIn(session: Session, event: HandingIn): string[]
  /** Who moved in a round. It is asked for once the round's camps are settled. */
  moves(session: Session, round: Round): string[]
  /** Who objects to the leading position. */
  readonly challenger: string
  /** What ends a line that is a sentence. */
  readonly stop: string
}

const settledMoves = (teller: StoryTeller, session: Session, round: Round | undefined): string[] =>
  round && !session.imported && isSettled(session, round) ? teller.moves(session, round) : []

/** Who moved in an earlier round, once the comparisons that ran beside the next one say so. */
const settledSince = (
  teller: StoryTeller,
  before: Session | undefined,
  session: Session,
  index: number,
): string[] => {
  const was = before && roundAt(before, index)
  if (!before || !was || index === session.roundsSoFar.at(-1)?.index || isSettled(before, was)) return []
  return settledMoves(teller, session, roundAt(session, index))
}

/** What the latest event added between two rounds. */
const addedSince = (
  teller: StoryTeller,
  before: Session | undefined,
  session: Session,
  index: number,
): string[] => {
  const told = (one: Session | undefined): string[] => {
    const round = one && roundAt(one, index)
    return one && round
      ? betweenRoundsOf(round, namesIn(one, round)).map(({ who, words }) => `${who}: ${words}`)
      : []
  }
  const known = new Set(told(before))
  return told(session)
    .filter(line => !known.has(line))
    .map(line => teller.clean(line))
}

/** What one more event adds. `before`: the session without it. */
export const storyLines = (
  teller: StoryTeller,
  before: Session | undefined,
  session: Session,
  event: SessionEvent,
): string[] => {
  /** A seat that is being replaced still has its old name before the event. */
  const words = (): string => teller.clean(eventWords(event, seat => teller.nameOf(before ?? session, seat)))
  const objection = (found: string | null | undefined): string[] =>
    found ? [teller.clean(`${teller.challenger}: ${found}`)] : []
  switch (event.type) {
    case 'session-opened':
      return teller.sessionOpened(session)
    case 'round-opened': {
      const moved = before ? settledMoves(teller, before, before.roundsSoFar.at(-1)) : []
      return [...moved, ...teller.roundOpened(session, words())]
    }
    case 'answer-given':
    case 'seat-silent':
    case 'seat-abstained':
      return teller.handedIn(session, event)
    case 'challenge-made':
      return objection(event.objection)
    case 'round-read':
      return [
        ...objection(event.objection),
        ...(event.digest ? addedSince(teller, before, session, event.round) : []),
      ]
    case 'camps-proposed':
    case 'membership-checked':
    case 'memberships-checked':
      return settledSince(teller, before, session, event.round)
    case 'statement-made':
    case 'ruling-given':
    case 'digest-written':
      return addedSince(teller, before, session, event.round)
    case 'search-failed':
    case 'moderator-failed':
      return [teller.clean(`${words()}: ${failureWords(event.error)}`)]
    case 'session-stopped':
      return [teller.clean(`Stopped: ${event.words}`)]
    case 'session-finished': {
      // Whatever wasn't compared by now never will be.
      const last = session.roundsSoFar.at(-1)
      return last && !session.imported ? teller.moves(session, last) : []
    }
    case 'evidence-found':
    case 'seat-retried':
    case 'seat-replaced':
    case 'seat-overdue':
    case 'seat-joined':
    case 'round-added':
    case 'session-resumed':
    case 'session-resolved':
    case 'kind-corrected':
    case 'book-opened':
    case 'check-opened':
    case 'session-forked':
      return [`${words()}${teller.stop}`]
    // It ends as the asker ended it.
    case 'asker-said':
      return [words()]
    case 'kind-found':
    case 'readings-grouped':
    case 'report-drafted':
    case 'report-written':
    case 'change-checked':
      return []
    default:
      return event satisfies never
  }
}
