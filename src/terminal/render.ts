/** Shows a session while it runs: drawn in place on a terminal, line by line elsewhere. */
import { reportWriter } from '../core/basics.ts'
import type { Delta, LiveEvent, SessionEvent } from '../core/event.ts'
import {
  answerIn,
  draftPoint,
  isOverdue,
  isUnreached,
  latestRound,
  type Round,
  roundAt,
  type Session,
  seatOf,
  unreachedIn,
} from '../core/session.ts'
import { areMovesKnown, moveOf } from '../count/moves.ts'
import { provisionalOf } from '../count/verdict.ts'
import { concessionLine, moveWordsFor, ownWordLine, unlikeItsWord } from '../words/moves.ts'
import { type MeasuredTimes, provisionalWords } from '../words/progress.ts'
import { type StoryTeller, storyLines } from '../words/story.ts'
import { handedInWords } from '../words/words.ts'
import { liveTable } from './live-table.ts'
import { causeWords, roundTitle, roundView, spentWords, textLines } from './round-view.ts'
import { cut, type Look, type Output, oneLine, type Paint, paragraph, screenOn } from './terminal.ts'
import { createView, forkLines, header, verdictView } from './views.ts'

// plainLines: A session as plain lines, each written once, for pipes and logs.

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
  if (event.waits) return [oneLine(event.why)]
  const who = event.seat === reportWriter ? 'Moderator' : nameOf(session, event.seat)
  return [`${who}: try ${event.attempt}, because: ${oneLine(event.why)}`]
}

/**
 * The verdict so far, whenever a round changes it. Answers that nobody has compared yet are no news, and neither is the count
 * within a round: they were just printed.
 */
const soFarLines = (before: Session | undefined, session: Session): string[] => {
  const words = (one: Session | undefined): string => {
    const found = one && provisionalOf(one)
    return found && !found.uncompared && !found.running ? oneLine(provisionalWords(found)) : ''
  }
  return words(session) === '' || words(session) === words(before) ? [] : [words(session)]
}

/** A fork in the middle begins with the events of another session. */
const isCopying = ({ forkedFrom }: Session): boolean => forkedFrom?.round !== undefined

/** What one more event adds to the log on the screen. */
export const plainLines = (
  before: Session | undefined,
  session: Session,
  event: LiveEvent,
  look: Look,
): string[] => {
  if (event.type === 'session-opened') return header(session, look, isCopying(session))
  if (event.type === 'session-forked') return forkLines(session, look)
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

export interface Renderer {
  take(event: LiveEvent): void
  /** A remark from outside the session. */
  note(text: string): void
  /** Leaves the terminal as it was found. May be called twice. */
  end(): void
}

export interface RenderOptions {
  readonly output: Output
  readonly paint: Paint
  readonly clock: () => number
  /** What models took before, as far as it is known by now. */
  readonly measured?: () => MeasuredTimes
  /** Line by line also on a terminal: somebody is asked there, and nothing may be drawn over the question. */
  readonly plain?: boolean
}

/** Milliseconds between two frames; faster is only work. */
const frameTime = 50
/** The seconds on the screen count while nothing happens. */
const tickTime = 200

const lookOf = ({ output, paint }: RenderOptions): Look => ({ columns: output.columns || 80, paint })

const plainRenderer = (options: RenderOptions): Renderer => {
  const view = createView()
  const look: Look = { columns: 110, paint: options.paint }
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) options.output.write(`${lines.join('\n')}\n`)
  }
  const waits = new Set<string>()
  /** Failures before anybody has answered: if nobody can be reached, the end says it once. */
  const failures: string[] = []
  return {
    take(event) {
      const before = view.session
      view.take(event, options.clock())
      if (event.type === 'retrying' && event.waits) {
        // Every seat of a provider waits: it is said once.
        if (waits.has(event.why)) return
        waits.add(event.why)
      }
      if (!view.session) return
      const lines = plainLines(before, view.session, event, look)
      if (isFailure(event) && !hasAnswered(view.session)) {
        failures.push(...lines)
        return
      }
      if (event.type === 'delta') return
      const unreached = unreachedIn(view.session) !== undefined
      if (unreached && event.type === 'session-stopped') failures.splice(0)
      if (!unreached) print(failures.splice(0))
      if (!unreached || event.type !== 'session-stopped') print(lines)
    },
    note: text => print(paragraph(text, 1, look)),
    end() {},
  }
}

const isFailure = (event: LiveEvent): boolean =>
  event.type === 'seat-silent' ||
  event.type === 'moderator-failed' ||
  (event.type === 'retrying' && !event.waits)

const hasAnswered = ({ roundsSoFar }: Session): boolean =>
  roundsSoFar.some(({ handedIn }) => Object.values(handedIn).some(({ status }) => status !== 'silent'))

/** Nothing of it can change: it is grouped, and no answer can still come late. */
const isFinal = (session: Session, round: Round): boolean =>
  areMovesKnown(session, round) && !session.seats.some(({ id }) => isOverdue(round, id))

/** Rounds are printed in order, each once it is final. The end prints what is left. */
const roundsDue = (session: Session, printed: ReadonlySet<number>): readonly Round[] => {
  if (isUnreached(session)) return []
  const left = session.roundsSoFar.filter(({ index }) => !printed.has(index))
  if (session.outcome) return left
  const open = left.findIndex(round => round === latestRound(session) || !isFinal(session, round))
  return left.slice(0, open)
}

/** What the latest event makes final: the head, rounds that are over, the end. */
const settled = (session: Session, event: LiveEvent, look: Look, printed: Set<number>): string[] => {
  if (event.type === 'delta' || event.type === 'retrying') return []
  if (event.type === 'session-opened') return header(session, look, isCopying(session))
  const due = roundsDue(session, printed)
  for (const { index } of due) printed.add(index)
  return [
    ...due.flatMap(round => roundView(session, round, look)),
    ...(event.type === 'session-forked' ? forkLines(session, look) : []),
    ...(event.type === 'session-finished' ? verdictView(session, look) : []),
  ]
}

const liveRenderer = (options: RenderOptions): Renderer => {
  const { output, paint, clock } = options
  const screen = screenOn(output)
  const view = createView()
  let drawnAt = Number.NEGATIVE_INFINITY
  let due: NodeJS.Timeout | undefined
  let ended = false
  const printed = new Set<number>()

  const frame = (): string[] => {
    clearTimeout(due)
    due = undefined
    drawnAt = clock()
    const measured = options.measured?.() ?? {}
    return liveTable(view, { ...lookOf(options), rows: output.rows || 24, now: drawnAt, measured })
  }
  const draw = (): void => {
    if (!ended) screen.draw(frame())
  }
  const request = (): void => {
    due ??= setTimeout(draw, Math.max(0, frameTime - (clock() - drawnAt)))
  }
  const ticking = setInterval(request, tickTime)
  ticking.unref()

  return {
    take(event) {
      if (ended) return
      const atOnce = view.take(event, clock())
      const lines = view.session ? settled(view.session, event, lookOf(options), printed) : []
      if (lines.length > 0) screen.print(lines, frame())
      else if (atOnce) draw()
      else request()
    },
    note: text => screen.print(paragraph(text, 1, lookOf(options), paint.faint)),
    end() {
      if (ended) return
      ended = true
      clearInterval(ticking)
      clearTimeout(due)
      screen.close()
    },
  }
}

export const rendererFor = (options: RenderOptions): Renderer =>
  options.output.isTTY && !options.plain ? liveRenderer(options) : plainRenderer(options)

// replayPlan: When each event of a saved session would be seen, and the pieces of text that were never stored.

export interface Beat {
  /** Milliseconds since the beginning. */
  readonly at: number
  readonly event: LiveEvent
}

/** How long an answer takes if nobody measured it, as in a transcript. */
const usualTime = 3_000
const longestPause = 10_000
const piecesPerText = 40

const pieces = (text: string): string[] => {
  const words = text.match(/\S+\s*|\s+/g) ?? []
  const size = Math.max(1, Math.ceil(words.length / piecesPerText))
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size).join(''),
  )
}

type Field = Delta['field']

const deltasOf = (event: SessionEvent, headlineFirst: boolean): Delta[] => {
  const streamed = (work: Pick<Delta, 'round' | 'turn' | 'seat'>, field: Field, text: string): Delta[] =>
    pieces(text).map(piece => ({ type: 'delta', ...work, field, text: piece }))
  if (event.type === 'answer-given') {
    const { round, seat, answer } = event
    const { headline, reasoning, text = '' } = answer
    const points = (answer.points ?? []).map(draftPoint).join('\n')
    const said = { points, reasoning, text }
    const inOrder = headlineFirst ? { headline, ...said } : { ...said, headline }
    return Object.entries(inOrder).flatMap(([field, words]) =>
      streamed({ round, seat }, field as Field, words),
    )
  }
  if (event.type === 'statement-made' && 'argument' in event.said) {
    const { round, turn, seat, said } = event
    return streamed({ round, turn, seat }, 'reasoning', said.argument)
  }
  return []
}

/** What was said, spread over the time in which it was written. */
const writing = (event: SessionEvent, end: number, least: number, headlineFirst: boolean): Beat[] => {
  const deltas = deltasOf(event, headlineFirst)
  const timing = 'timing' in event ? event.timing : undefined
  const total = Math.min(timing?.total ?? usualTime, end - least)
  const begin = end - total + Math.min(timing?.firstToken ?? total / 4, total)
  return deltas.map((delta, index) => ({ at: begin + ((end - begin) * index) / deltas.length, event: delta }))
}

const isHandedIn = (event: SessionEvent): boolean =>
  event.type === 'answer-given' || event.type === 'seat-silent' || event.type === 'seat-abstained'

/** Milliseconds from each event to the next. A session without times of its own gets some. */
const pauses = (events: readonly SessionEvent[]): number[] => {
  const untimed = events.at(0)?.at === events.at(-1)?.at
  return events.map((event, index) => {
    const before = events[index - 1]
    if (!before) return 0
    if (!untimed) return Math.min(longestPause, Math.max(0, Date.parse(event.at) - Date.parse(before.at)))
    if (!isHandedIn(event)) return 300
    return isHandedIn(before) ? 150 : usualTime
  })
}

export const replayPlan = (events: readonly SessionEvent[]): Beat[] => {
  const waits = pauses(events)
  let now = 0
  let roundAt = 0
  let headlineFirst = true
  const answerFirst = events.some(event => event.type === 'session-opened' && event.form === 'answer-first')
  const beats = events.flatMap((event, index): Beat[] => {
    const before = now
    now += waits[index]!
    if (event.type === 'round-opened') {
      roundAt = now
      // The first version of the prompts asked for the headline first.
      headlineFirst = answerFirst || event.prompts === undefined
    }
    // Seats answer a round at the same time, and speak one after the other.
    const least = event.type === 'statement-made' ? before : roundAt
    return [...writing(event, now, least, headlineFirst), { at: now, event }]
  })
  return beats.toSorted((one, other) => one.at - other.at)
}
