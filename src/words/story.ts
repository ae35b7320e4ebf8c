/** A session as a story, event by event. Each face words names, answers and moves in its own way; what is told is the same. */
import { capitalised, counted, listed, models, utcDayText } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import type { BookMark } from '../core/opening.ts'
import type { Format } from '../core/question.ts'
import { type Round, roundAt, type Session, seatOf } from '../core/session.ts'
import type { BookLetter } from '../count/letters.ts'
import { areMovesKnown, type Flip, flipsOf } from '../count/moves.ts'
import { groupingOf } from '../count/settle.ts'
import { type Level, roundPhrase } from '../count/tally.ts'
import { kindTitles } from './asking.ts'
import { betweenRoundsOf, concessionLine, moveWords, namesIn, reasonWords } from './moves.ts'
import { confidenceWords, couldNot, failureWords, handedInWords, outsideNote, tableWords } from './words.ts'

// bookWords: What a book of letters is called, and what is said about it on every face.

export const commonThread = 'The common thread'
export const readingOrder = 'Reading order'
export const readingOrderHint =
  'As far as possible, a letter comes after those it draws on. Among equals, the one that is quoted most comes first.'

/** "Letters of Nov 17, 2026" */
export const bookTitle = ({
  book,
  openedAt,
}: {
  readonly book?: BookMark | undefined
  readonly openedAt: string
}): string => `${book?.lessonOf === undefined ? 'Letters' : 'Lessons'} of ${utcDayText(openedAt)}`

/** "6 letters by GLM 4.7, Grok 4.20 and …" */
export const bookLine = (letters: readonly { readonly from: string }[]): string =>
  letters.length === 0
    ? 'No letters yet'
    : `${counted(letters.length, 'letter')} by ${listed(letters.map(({ from }) => from))}`

/** "Rewritten after reading the others; draws on Grok 4.20" */
export const letterNote = (
  { rewritten, drawsOn }: Pick<BookLetter, 'rewritten' | 'drawsOn'>,
  name: (seat: string) => string,
): string =>
  [
    ...(rewritten ? ['rewritten after reading the others'] : []),
    ...(drawsOn.length > 0 ? [`draws on ${listed(drawsOn.map(name))}`] : []),
  ]
    .join('; ')
    .replace(/^./, letter => letter.toUpperCase())

// eventWords: One event of the log in a few words.

const uncapitalised = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

/** A session as it is after the event no longer has the old name. */
const replacement = (newcomer: string, before: string): string =>
  before === newcomer ? `${newcomer} takes a seat` : `${newcomer} replaces ${before}`

/** `name` says what a seat is called, by its id. */
export const eventWords = (event: SessionEvent, name: (seat: string) => string): string => {
  if ('outdated' in event && event.outdated) return 'A late answer came, so the moderator reads again'
  switch (event.type) {
    case 'session-opened':
      return 'The question is asked'
    case 'evidence-found':
      return event.sources.length === 0
        ? 'The web search finds nothing'
        : `The web search finds ${counted(event.sources.length, 'source')}`
    case 'search-failed':
      return 'The web search fails'
    case 'round-opened':
      return `${capitalised(roundPhrase({ index: event.round, sealed: event.sealed }))} begins`
    case 'answer-given':
      return concessionLine(event.seat, event.answer, name) ?? `${name(event.seat)} answers`
    case 'seat-silent':
      return `${name(event.seat)} is silent`
    case 'seat-abstained':
      return `${name(event.seat)} abstains`
    case 'seat-overdue':
      return `The table goes on without ${name(event.seat)}`
    case 'kind-found':
    case 'readings-grouped':
      return 'The moderator reads the question'
    case 'kind-corrected':
      return `The kind of question is corrected: ${uncapitalised(kindTitles[event.kind])}`
    case 'round-read':
      return event.objection ? 'The challenger objects' : 'The moderator reads the round'
    case 'camps-proposed':
    case 'membership-checked':
    case 'memberships-checked':
      return 'The moderator compares the headlines'
    case 'digest-written':
      return 'The round is summed up for the table'
    case 'challenge-made':
      return event.objection === null ? 'The challenger finds no objection' : 'The challenger objects'
    case 'moderator-failed':
      return `The moderator ${couldNot(event.task)}`
    case 'report-drafted':
      return 'The report is drafted'
    case 'report-written':
      return 'The report is written'
    case 'session-stopped':
      return event.reason === 'budget' ? 'The budget is used up' : 'The session is stopped'
    case 'session-finished':
      return 'The session is over'
    case 'seat-retried':
      return `${name(event.seat)} is asked again`
    case 'seat-replaced':
      return replacement(event.seat.name, name(event.seat.id))
    case 'seat-joined':
      return `${event.seat.name} joins the table and answers from the next round on`
    case 'asker-said':
      return `The asker says${event.to === undefined ? '' : ` to ${name(event.to)}`}: ${event.words}`
    case 'round-added':
      return 'One more round is added'
    case 'session-resumed':
      return 'The session is resumed'
    case 'statement-made':
      return 'concedes' in event.said && event.said.concedes
        ? `${name(event.seat)} concedes to the other side`
        : `${name(event.seat)} speaks for its camp`
    case 'ruling-given':
      return 'The judge rules'
    case 'session-resolved':
      return `The right answer is known: ${event.answer}`
    case 'check-opened':
    case 'change-checked':
      return 'The moderator reads the transcript'
    case 'session-forked':
      return 'The fork goes on from here'
    case 'calls-begun':
      return 'Models are asked'
    default:
      return event satisfies never
  }
}

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
  round && !session.imported && areMovesKnown(session, round) ? teller.moves(session, round) : []

/** Who moved in an earlier round, once the comparisons that ran beside the next one say so. */
const settledSince = (
  teller: StoryTeller,
  before: Session | undefined,
  session: Session,
  index: number,
): string[] => {
  const was = before && roundAt(before, index)
  if (!before || !was || index === session.roundsSoFar.at(-1)?.index || areMovesKnown(before, was)) return []
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
    case 'calls-begun':
      return []
    default:
      return event satisfies never
  }
}

// narration: A session told to programs and to people who read a chat: what one more event adds, in plain lines.

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

// sessionTitle: What a session is called, and what its question asks for.

/** "Open Debate": by format, and by whether any seat saw what others wrote. */
export const kindText = (format: Format, isDebate: boolean): string => {
  const kind = format === 'open' ? 'Open ' : format === 'text' ? 'Text ' : ''
  return `${kind}${isDebate ? 'Debate' : 'Poll'}`
}

/** "AI Roundtable Open Debate · 6 models": the first line of a transcript, which is read back. */
export const sessionTitle = (format: Format, isDebate: boolean, seats: number): string =>
  `AI Roundtable ${kindText(format, isDebate)} · ${models(seats)}`

/** What the first sentence of the report is. */
export const reportTitle = (format: Format, level: Level | null): string => {
  if (level === 'no-quorum') return 'No verdict'
  if (format === 'text') return 'What the texts have in common'
  const isDivided = level === 'plurality' || level === 'tie' || level === 'split'
  return isDivided ? 'Where the table stands' : "The table's answer"
}

/** What a reader must know before believing any of it; undefined if models gave all the replies. */
const scriptedNote = (
  seats: readonly { readonly name: string; readonly scripted?: boolean }[],
): string | undefined => {
  const scripted = seats.filter(seat => seat.scripted)
  if (scripted.length === 0) return undefined
  const who = scripted.length === seats.length ? 'all seats' : scripted.map(seat => seat.name).join(', ')
  return `Scripted: the replies of ${who} were written in advance, not by a model.`
}

/** Below the title of a session: who didn't answer as a model does. */
export const seatNotes = (
  seats: readonly {
    readonly name: string
    readonly scripted?: boolean
    readonly outside?: boolean
    readonly person?: boolean
  }[],
): string[] => [scriptedNote(seats), outsideNote(seats)].filter(note => note !== undefined)

/** Beside whatever a transcript claims of its agreement: nobody has counted it. */
export const importedMark = 'Imported, unchecked'

/** Told by the models of a session alone, for a list that doesn't read its log. */
export const isTranscript = ({ models = [] }: { readonly models?: readonly string[] }): boolean =>
  models.some(model => model.startsWith('imported/'))

export const importedNote =
  'Imported: the transcript has no earlier rounds, so its moves and its agreement are claims.'
