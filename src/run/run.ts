/** Fold → next → execute → append: runs a session from wherever its log ends until it is finished. */

import { randomBytes } from 'node:crypto'
import { longestDeadline, type ModelError, UsageError } from '../core/basics.ts'
import {
  type CallBegun,
  type Command,
  commandKey,
  type Happening,
  type LiveEvent,
  type SessionEvent,
  type Usage,
} from '../core/event.ts'
import { promptVersion } from '../core/form.ts'
import { queryFor, type Source, sourcesFrom, withPage } from '../core/question.ts'
import { citationsProblem } from '../core/reply.ts'
import {
  asSeenIn,
  callsIn,
  isClosed,
  lateAnswers,
  latestRound,
  longestWait,
  roundAt,
  type Session,
  seatOf,
  seatsIn,
  unreachedIn,
} from '../core/session.ts'
import { checkOutsideTurn, handedIn, type Interjection } from '../count/acts.ts'
import { verdictOf } from '../count/verdict.ts'
import type { Searcher } from '../evidence/search.ts'
import type { Provider } from '../models/provider.ts'
import { protocolNamed } from '../protocols/index.ts'
import type { Prompt, Protocol } from '../protocols/protocol.ts'
import { settledReport } from '../protocols/report.ts'
import { searchPrompt } from '../protocols/sharpen.ts'
import { nextOf } from '../protocols/steps.ts'
import type { Store } from '../store/store.ts'
import { unreachedWords } from '../words/moves.ts'
import { askModel, eventFrom, type RunContext } from './ask.ts'
import { bothMeters, heldMeter, type Meter, meterFor, type OpenQueue } from './budget.ts'
import { usedByCall, withEarlier, writer } from './log-writer.ts'
import { type FileOf, guardedReadPage, pageIn, pagesOf, type ReadPage, withCitedPages } from './material.ts'
import { askSeat, citableIn, languageOf, makeStatement, moderate, readAnswer, words } from './seat.ts'

// channel: A queue between those who put items and one reader who waits for them.

/** It has one reader at a time. An async generator would cost several turns of the event loop for each token. */
export interface Channel<T> extends AsyncIterableIterator<T, undefined> {
  put(item: T): void
  /** The reader still gets what was put before. */
  close(): void
  /** The reader gets the error after what was put before. */
  fail(error: unknown): void
}

type Taken<T> = IteratorResult<T, undefined>

export const channel = <T>(before: readonly T[] = [], onLeave: () => void = () => {}): Channel<T> => {
  const items = [...before]
  let read = 0
  let closed = false
  let failure: { error: unknown } | undefined
  let waiting: { resolve(taken: Taken<T>): void; reject(error: unknown): void } | undefined

  const end = (): void => {
    const reader = waiting
    waiting = undefined
    if (failure) reader?.reject(failure.error)
    else reader?.resolve({ value: undefined, done: true })
  }
  const nextItem = (): T => {
    const item = items[read++]!
    if (read === items.length) {
      items.length = 0
      read = 0
    }
    return item
  }
  return {
    put(item) {
      const reader = waiting
      waiting = undefined
      if (reader) reader.resolve({ value: item, done: false })
      else items.push(item)
    },
    close() {
      closed = true
      end()
    },
    fail(error) {
      failure ??= { error }
      end()
    },
    next() {
      if (read < items.length) return Promise.resolve({ value: nextItem(), done: false })
      if (failure) return Promise.reject(failure.error)
      if (closed) return Promise.resolve({ value: undefined, done: true })
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
      })
    },
    return() {
      onLeave()
      return Promise.resolve({ value: undefined, done: true })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

// outside: Seats that somebody outside holds, an agent or a person. A session that waits for them is a log with nothing under way:
// no process, slot or connection is held, and the answer comes as an event. Late means silent.

/** What somebody outside is asked: exactly what a model in the seat would be. */
export interface OutsideTurn {
  readonly seat: string
  readonly round: number
  readonly prompt: Prompt
  /** Milliseconds since 1970. */
  readonly deadline: number
}

export const asksOutside = (session: Session, command: Command): boolean =>
  'seat' in command && seatOf(session, command.seat).outside === true && command.type === 'ask-seat'

/** When a seat's time in the latest round is over, in milliseconds since 1970. Undefined if nobody outside is asked. */
const seatDeadline = (session: Session, seat: string): number | undefined => {
  const round = latestRound(session)
  const askedAt = round?.askedAgain?.[seat] ?? round?.askedAt
  const { outside, deadline = session.deadline } = seatOf(session, seat)
  if (!outside || session.outcome || askedAt === undefined) return undefined
  // Whoever resumes a session gives everybody the whole time again.
  const last = round?.askedAt && round.askedAt > askedAt ? round.askedAt : askedAt
  return Date.parse(last) + deadline * 1_000
}

const waitedFor = (session: Session): string[] => {
  const round = latestRound(session)
  if (!round || session.outcome || session.stopped) return []
  return seatsIn(session, round.index)
    .filter(({ id, outside }) => outside && !round.handedIn[id])
    .map(({ id }) => id)
}

/** When the next seat outside runs out of time. Undefined if nobody is waited for. */
export const outsideDeadlineOf = (session: Session): number | undefined => {
  const all = waitedFor(session).flatMap(seat => seatDeadline(session, seat) ?? [])
  return all.length > 0 ? Math.min(...all) : undefined
}

/** Seats that have run out of time. */
export const lateSeats = (session: Session, now: number): Happening[] => {
  const round = latestRound(session)?.index ?? 0
  return waitedFor(session).flatMap((seat): Happening[] => {
    const deadline = seatDeadline(session, seat)
    if (deadline === undefined || now < deadline) return []
    const seconds = seatOf(session, seat).deadline ?? session.deadline
    const message = `No answer was handed in within ${seconds} seconds.`
    return [{ type: 'seat-silent', round, seat, error: { kind: 'timeout', message } }]
  })
}

/** Whose turn it is outside. */
export const outsideTurns = (session: Session, protocols?: readonly Protocol[]): OutsideTurn[] => {
  if (waitedFor(session).length === 0) return []
  const protocol = protocolNamed(session.protocol, protocols)
  return nextOf(protocol, session).flatMap(command => {
    if (command.type !== 'ask-seat' || !asksOutside(session, command)) return []
    const { seat, round } = command
    const deadline = seatDeadline(session, seat)
    if (deadline === undefined) return []
    return [{ seat, round, prompt: protocol.prompt(asSeenIn(session, round), seat, round), deadline }]
  })
}

/** Nothing is left to do here before somebody outside answers. */
export const waitsOutside = (session: Session, protocols?: readonly Protocol[]): boolean => {
  if (waitedFor(session).length === 0) return false
  const commands = nextOf(protocolNamed(session.protocol, protocols), session)
  return commands.length > 0 && commands.every(command => asksOutside(session, command))
}

/** Turns of agents. A person's turn is nobody's business but theirs. */
export const agentTurns = (session: Session): OutsideTurn[] =>
  outsideTurns(session).filter(({ seat }) => !seatOf(session, seat).person)

/** The event of an answer from outside. Throws UsageError if it is of the wrong form, late, or not wanted. */
export const answerFromOutside = async (
  session: Session,
  seat: string,
  round: number,
  raw: Record<string, unknown>,
  now: number,
  readPage: ReadPage = guardedReadPage,
): Promise<Interjection> => {
  checkOutsideTurn(session, seat, round)
  const deadline = seatDeadline(session, seat)
  if (deadline !== undefined && now >= deadline)
    throw new UsageError('The time for this answer is over: the seat is silent in this round.')
  const { person } = seatOf(session, seat)
  const wrong = person && citationsProblem(raw.citations, session.citations && citableIn(session))
  if (wrong) throw new UsageError(`The citations can't be looked up: ${wrong}.`)
  const read = readAnswer(raw, asSeenIn(session, round), round, seat)
  if ('problem' in read)
    throw new UsageError(`The answer is not of the form that was asked for: ${read.problem}.`)
  if ('declines' in read)
    throw new UsageError('To decline, hand in nothing: the seat is silent when its time is over.')
  const language = session.language ?? (await languageOf(words(read)))
  const pages = pagesOf(readPage, new AbortController().signal, session.id)
  return handedIn(session, seat, round, { ...(await withCitedPages(pages, session, read)), language })
}

/** An advocate's turn is not for somebody outside: they are asked for answers alone. */
export const silentStatement = (command: Command & { type: 'make-statement' }): Happening => {
  const { round, turn, seat } = command
  const message = 'Somebody outside holds this seat, and is asked for answers only.'
  return { type: 'statement-made', round, turn, seat, said: { error: { kind: 'cancelled', message } } }
}

// search: The one search for all seats, by the person's search endpoint or by the moderator's model.

const failed = (by: string, error: ModelError): Happening => ({ type: 'search-failed', by, error })

const found = (session: Session, by: string, sources: readonly Source[]): Happening => ({
  type: 'evidence-found',
  by,
  query: queryFor(session.question.text),
  sources,
})

const stopped: ModelError = { kind: 'cancelled', message: 'stopped before the search' }

/** A search endpoint takes no tokens. */
const oneQuery = { inputTokens: 0, leastOutput: 0, mostOutput: 0, searches: 1 }

const byEndpoint = async (
  { meter, signal }: RunContext,
  session: Session,
  { label, fee, search }: Searcher,
): Promise<Happening> => {
  const reserved = await meter.reserve(oneQuery, { input: 0, output: 0, search: fee }, signal)
  if (!reserved) return failed(label, signal.aborted ? stopped : { kind: 'budget', message: meter.words })
  let usage: Usage | undefined
  try {
    const result = await search(queryFor(session.question.text), signal)
    if ('error' in result) return failed(label, result.error)
    if (fee > 0) usage = { inputTokens: 0, outputTokens: 0, searches: 1, costUsd: fee }
    return { ...found(session, label, result.sources), ...(usage && { usage }) } as Happening
  } finally {
    reserved.settle(usage)
  }
}

/** A model may invent quotes: those that aren't in their page are left out, and those nobody could look up are marked. */
const checkedSource =
  ({ pages }: RunContext, session: Session) =>
  async (source: Source): Promise<Source> => {
    const page = await pageIn(pages, session, source.address)
    if ('unreachable' in page) return { ...source, unchecked: page.unreachable.slice(0, 500) }
    const { address } = source
    const stands = (quote: string): boolean => withPage({ address, quote, verified: false }, page).verified
    return { ...source, quotes: source.quotes.filter(stands) }
  }

const byModel = async (context: RunContext, session: Session, model: string): Promise<Happening> => {
  const asked = await askModel<readonly Source[]>(context, session, {
    prompt: searchPrompt(session),
    name: 'search',
    read: raw => (Array.isArray(raw.sources) ? sourcesFrom(raw.sources) : { problem: 'it lists no sources' }),
  })
  const sources =
    asked.status === 'given' ? await Promise.all(asked.value.map(checkedSource(context, session))) : []
  return eventFrom(asked, {
    given: () => found(session, model, sources),
    failed: error => failed(model, error),
  })
}

export const searchWeb = (context: RunContext, session: Session): Promise<Happening> => {
  const { searcher } = context
  const { moderator } = session
  if (searcher) return byEndpoint(context, session, searcher)
  if (moderator !== null) return byModel(context, session, moderator)
  const message = 'nobody can search: no search endpoint is configured, and there is no moderator'
  return Promise.resolve(failed('nobody', { kind: 'bad-request', message }))
}

// execute: Carries one command out, and says what happened.

const outcomeOf = (session: Session) => {
  if (session.stopped) return session.stopped.reason
  return verdictOf(session).level === 'no-quorum' ? 'no-quorum' : 'verdict'
}

export const execute = async (
  context: RunContext,
  session: Session,
  protocol: Protocol,
  command: Command,
): Promise<Happening[]> => {
  switch (command.type) {
    case 'search':
      return [await searchWeb(context, session)]
    case 'open-round':
      return [
        {
          type: 'round-opened',
          round: command.round,
          sealed: command.sealed,
          prompts: promptVersion,
        },
      ]
    case 'ask-seat':
      return [await askSeat(context, session, protocol, command)]
    case 'make-statement':
      return [
        seatOf(session, command.seat).outside
          ? silentStatement(command)
          : await makeStatement(context, session, command),
      ]
    case 'settle-report':
      return [settledReport(session)]
    case 'finish':
      return [{ type: 'session-finished', outcome: outcomeOf(session) }]
    case 'write-digest': {
      const round = roundAt(session, command.round)
      if (!protocol.digest || !round) return moderate(context, session, command)
      return [
        { type: 'digest-written', round: command.round, digest: protocol.digest(session, round), by: 'code' },
      ]
    }
    default:
      return moderate(context, session, command)
  }
}

// ids: Ids of sessions.

/** Sorted by day and short enough to type: `20261115-x7k2m9`. */
export const dayId = (clock: () => number) => (): string => {
  const day = new Date(clock()).toISOString().slice(0, 10).replaceAll('-', '')
  return `${day}-${[...randomBytes(6)].map(byte => (byte % 32).toString(32)).join('')}`
}

// runner: What runs sessions: its providers, its store, and who is told.

export interface Runner {
  readonly providers: readonly Provider[]
  readonly openQueue: OpenQueue
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Milliseconds since some moment, for how long things take. Absent: the clock, as long as it isn't set back. */
  readonly stopwatch?: () => number
  /** The person's search endpoint. Absent: a model searches. */
  readonly searcher?: Searcher | undefined
  /** Reads a page that an answer cites. Absent: fetches it, guarded. */
  readonly readPage?: ReadPage | undefined
  readonly store?: Store
  /** The files of sessions. Absent: the store's. */
  readonly file?: FileOf
  readonly signal: AbortSignal
  readonly publish: (event: LiveEvent) => void
  /** Calls back when somebody else has written to the log. Returns how to stop listening. */
  readonly interjected?: (written: () => void) => () => void
  /** Gives the session up for somebody else to resume: calls are cancelled, and nothing more is written. */
  readonly abandoned?: AbortSignal
  /** The protocols that a session may have. Absent: the built-in ones. */
  readonly protocols?: readonly Protocol[]
  /** Throws if this log may not be run here: what may not be asked may not be resumed either. */
  readonly refuse?: ((session: Session) => void) | undefined
  /** A budget that several sessions share, instead of the session's own. */
  readonly meter?: Meter
  /** The budgets of whoever pays, besides the session's own. */
  readonly payer?: Meter | undefined
  /** The person whose session it is, if people have accounts. */
  readonly owner?: string | undefined
}

/** Never goes back: a call that took less than no time is in no log. */
export const stopwatchOf = ({ stopwatch, clock }: Pick<Runner, 'stopwatch' | 'clock'>): (() => number) => {
  if (stopwatch) return stopwatch
  let last = Number.NEGATIVE_INFINITY
  return () => {
    last = Math.max(last, clock())
    return last
  }
}

// patience: How long the seats of a round may take, by the asker's patience: measured here, and decided in the log.

export interface Patience {
  /** From now on the table waits for this seat. A call that is made again after a crash gets its whole time. */
  started(command: Command): void
  /** The seats that the table goes on without, now. */
  overdue(session: Session): Happening[]
  stop(): void
}

/** Milliseconds. A longer timer would fire at once, again and again. */
const longestTimer = longestDeadline * 1_000

/** `wake` is called when the next seat may be overdue. */
export const patienceOf = (clock: () => number, wake: () => void): Patience => {
  const since = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    started(command) {
      if (command.type === 'ask-seat') since.set(commandKey(command), clock())
    },
    overdue(session) {
      clearTimeout(timer)
      const round = latestRound(session)
      const wait = round && longestWait(session, round)
      if (!round || wait === undefined || isClosed(session, round)) return []
      const left = session.seats
        .filter(({ id }) => round.handedIn[id] === undefined && !round.overdue?.includes(id))
        .flatMap(({ id }) => {
          const at = since.get(commandKey({ type: 'ask-seat', round: round.index, seat: id }))
          return at === undefined ? [] : [{ seat: id, left: at + wait - clock() }]
        })
      const over = left.filter(one => one.left <= 0)
      if (over.length === 0 && left.length > 0)
        timer = setTimeout(wake, Math.max(1, Math.min(longestTimer, ...left.map(one => one.left))))
      return over.map(({ seat }) => ({ type: 'seat-overdue', round: round.index, seat, by: 'patience' }))
    },
    stop: () => clearTimeout(timer),
  }
}

// unanswered: Seats that have handed in nothing when the session ends or stops: they are silent, and the reason is said.

/** Seats that have handed in nothing for a round that they sit in. They are silent for the given reason. */
export const missing = (session: Session, error: ModelError): Happening[] =>
  session.roundsSoFar.flatMap(({ index: round, handedIn }) =>
    seatsIn(session, round)
      .filter(({ id }) => handedIn[id] === undefined)
      .flatMap(({ id: seat }) => {
        const command = { type: 'ask-seat', round, seat } as const
        const before = usedByCall(session, commandKey(command))
        return withEarlier(session, command, before, [{ type: 'seat-silent', round, seat, error }])
      }),
  )

export const unasked = (session: Session, { reason, words }: NonNullable<Session['stopped']>): Happening[] =>
  missing(session, { kind: reason === 'budget' ? 'budget' : 'cancelled', message: words })

export const tooLate: ModelError = { kind: 'cancelled', message: 'the session ended before it answered' }

/** A call that was cut short because the session ended says so, in words that are about this session. */
export const cutShort = (happening: Happening): Happening =>
  happening.type === 'seat-silent' && happening.error.kind === 'cancelled'
    ? { ...happening, error: tooLate }
    : happening

/** Nobody was reached: the log says so, and the session ends without a verdict or a report. */
const unreachedBy = (errors: readonly ModelError[]): Happening[] => [
  { type: 'session-stopped', reason: 'failed', words: unreachedWords(errors) },
  { type: 'session-finished', outcome: 'failed' },
]

export const stoppedBy = (session: Session, aborted: boolean, spent: string): Happening[] => {
  const stopped = aborted
    ? ({ reason: 'interrupted', words: 'Somebody stopped the session.' } as const)
    : ({ reason: 'budget', words: spent } as const)
  return [...unasked(session, stopped), { type: 'session-stopped', ...stopped }]
}

// usedBefore: What the session used before, by its log: a resumed session continues under the same budget.

export const usedBefore = ({ roundsSoFar, seats, moderatorUsage, callsBegun = {} }: Session): Usage[] => [
  ...roundsSoFar.flatMap(round =>
    seats.flatMap(({ id }) => callsIn(round, id).flatMap(({ usage }) => usage ?? [])),
  ),
  ...moderatorUsage,
  ...Object.values(callsBegun).flatMap(({ used, held }) => [
    ...(used ? [used] : []),
    ...(held ? [held] : []),
  ]),
]

/** The run was told to give up its session. */
export class RunAbandoned extends Error {
  override readonly name = 'RunAbandoned'
}

const errorOf = (happening: Happening): ModelError | undefined => {
  if (happening.type === 'statement-made') return 'error' in happening.said ? happening.said.error : undefined
  return 'error' in happening ? happening.error : undefined
}

const isOutOfBudget = (happening: Happening): boolean => errorOf(happening)?.kind === 'budget'

/** What the moderator reads of all answers is out of date as soon as one more comes. */
const readingAnswers: ReadonlySet<Command['type']> = new Set(['group-answers', 'read-round', 'write-report'])

/** A command that ended, something that somebody else wrote to the log, or the time to look for slow seats. */
type Arrival =
  | { readonly type: 'done'; readonly command: Command; readonly happenings: readonly Happening[] }
  | { readonly type: 'interjected' }
  | { readonly type: 'slow' }

/** Runs a session from where its log ends. Resolves with the whole log. */
export const run = async (runner: Runner, begun: readonly SessionEvent[]): Promise<SessionEvent[]> => {
  const { log, session, append, appendMade, begin, end, catchUp } = writer(runner, begun)
  let permitted: Session['seats'] | undefined
  /** Again for each newcomer: another process may have seated it. */
  const permit = (): void => {
    if (session().outcome || session().seats === permitted) return
    runner.refuse?.(session())
    permitted = session().seats
  }
  permit()
  const protocol = protocolNamed(session().protocol, runner.protocols)
  const own = runner.meter ?? meterFor(session().budget, usedBefore(session()))
  const meter = bothMeters(own, runner.payer)
  /** A budget that several sessions share is whoever's who shares it out. */
  const holds = !runner.meter && session().budget !== undefined
  const over = new AbortController()
  const signal = AbortSignal.any([runner.signal, over.signal])
  const context: RunContext = {
    ...runner,
    get providers() {
      return runner.providers
    },
    ...{ meter, queue: runner.openQueue(), signal, clock: stopwatchOf(runner) },
    file: runner.file ?? (async (id, sha256) => runner.store?.file(id, sha256)),
    pages: pagesOf(runner.readPage ?? guardedReadPage, signal, runner.owner ?? session().id),
  }
  /** Commands that were started and haven't ended. The log has the rest, so nothing is started twice. */
  const underWay = new Set<string>()
  const arrivals = channel<Arrival>()
  let outOfBudget = false

  const patience = patienceOf(context.clock, () => arrivals.put({ type: 'slow' }))
  /** Ends the calls for seats that the table goes on without. */
  let closing = new AbortController()
  const isAsking = (): boolean => [...underWay].some(key => key.startsWith('ask-seat'))

  /** Who dies during a call must neither hide its cost nor pay again for a reply that had to be repaired. */
  const noted = (call: string, before: Usage | undefined): Pick<RunContext, 'meter' | 'repairs'> => {
    let earlier = session().callsBegun?.[call]?.repair
    let repair: string | undefined
    let inLog: string | undefined
    const told = (used: Usage | undefined): CallBegun => ({
      call,
      ...(used && { used }),
      ...(repair !== undefined && { repair }),
    })
    return {
      meter: heldMeter(meter, before, {
        async begin(held, used) {
          if (runner.abandoned?.aborted || (!holds && repair === inLog)) return
          inLog = repair
          await begin({ ...told(used), ...(holds && { held }) })
        },
        end(used) {
          if (holds) end(told(used))
        },
      }),
      repairs: {
        begun() {
          // Only of the first reply of a command: another one is about something else.
          repair = earlier
          inLog = earlier
          earlier = undefined
          return repair
        },
        note(words) {
          repair = words
        },
      },
    }
  }

  const start = (command: Command): void => {
    const key = commandKey(command)
    underWay.add(key)
    patience.started(command)
    const known = lateAnswers(session())
    const ended = closing.signal
    const before = usedByCall(session(), key)
    const called = {
      ...context,
      ...noted(key, before),
      ...(command.type === 'ask-seat' && { signal: AbortSignal.any([signal, ended]) }),
    }
    execute(called, session(), protocol, command).then(came => {
      // Whoever resumes the session makes the cancelled calls again, so no seat counts as silent.
      if (runner.abandoned?.aborted) return
      const made = withEarlier(session(), command, before, came)
      const outdated = readingAnswers.has(command.type) && lateAnswers(session()) > known
      const happenings = ended.aborted ? made.map(cutShort) : made
      arrivals.put({
        type: 'done',
        command,
        happenings: outdated ? happenings.map(one => ({ ...one, outdated: true }) as Happening) : happenings,
      })
    }, arrivals.fail)
  }
  const take = async (arrival: Arrival): Promise<void> => {
    if (arrival.type === 'interjected') await catchUp()
    if (arrival.type === 'done') {
      outOfBudget ||= meter.exceeded || arrival.happenings.some(isOutOfBudget)
      await appendMade(arrival.command, arrival.happenings)
      underWay.delete(commandKey(arrival.command))
    }
    if (session().stopped) over.abort()
  }

  /** It has to stop, and the log doesn't say so yet. */
  const isStopping = (): boolean =>
    !session().stopped && (outOfBudget || runner.signal.aborted || unreachedIn(session()) !== undefined)
  /** What has to be in the log before anything else is asked. */
  const due = (): Happening[] => {
    const { stopped } = session()
    const isQuiet = underWay.size === 0
    const unreached = isStopping() && isQuiet && !runner.signal.aborted ? unreachedIn(session()) : undefined
    if (unreached) return unreachedBy(unreached)
    if (isStopping() && isQuiet) return stoppedBy(session(), runner.signal.aborted, meter.words)
    const left = stopped && isQuiet ? unasked(session(), stopped) : []
    if (left.length > 0) return left
    const untaken = lateSeats(session(), runner.clock())
    if (untaken.length > 0 || isStopping() || stopped) return untaken
    return patience.overdue(session())
  }
  /** What the protocol wants. Once nothing but the end is left, seats that still write are cut short first. */
  const wanted = (): readonly Command[] => {
    const { stopped } = session()
    if (isStopping() || (stopped && isAsking())) return []
    const commands = nextOf(protocol, session())
    const isEnding = commands.some(({ type }) => type === 'finish') && !stopped
    if (!isEnding || !isAsking()) return commands
    closing.abort()
    closing = new AbortController()
    return []
  }

  const giveUp = (): void => {
    over.abort()
    arrivals.fail(new RunAbandoned(`The run of session ${session().id} was given up.`))
  }
  const leave = runner.interjected?.(() => arrivals.put({ type: 'interjected' }))
  runner.abandoned?.addEventListener('abort', giveUp)
  if (runner.abandoned?.aborted) giveUp()
  try {
    while (!session().outcome) {
      permit()
      const noted = due()
      if (noted.length > 0) {
        await append(noted)
        continue
      }
      const commands = wanted()
      const isEnding = commands.some(({ type }) => type === 'finish') && !session().stopped
      const late = isEnding ? missing(session(), tooLate) : []
      if (late.length > 0) {
        await append(late)
        continue
      }
      const own = commands.filter(command => !asksOutside(session(), command))
      own.filter(command => !underWay.has(commandKey(command))).forEach(start)
      // It waits for somebody outside, and holds nothing while it waits.
      if (underWay.size === 0 && commands.length > own.length) return log
      if (underWay.size === 0)
        throw new Error(`Session ${session().id} has nothing left to do, but isn't finished.`)
      const { value: arrival } = await arrivals.next()
      if (arrival) await take(arrival)
    }
    return log
  } finally {
    leave?.()
    patience.stop()
    runner.abandoned?.removeEventListener('abort', giveUp)
    over.abort()
  }
}
