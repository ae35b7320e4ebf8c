/** Fold → next → execute → append: runs a session from wherever its log ends until it is finished. */

import type { ModelError } from '../core/errors.ts'
import { type Command, commandKey } from '../core/log/command.ts'
import type { Happening, SessionEvent } from '../core/log/event.ts'
import { isInterjection } from '../core/log/interjection.ts'
import { lateAnswers } from '../core/log/late.ts'
import type { LiveEvent } from '../core/log/live-event.ts'
import type { Usage } from '../core/log/spent.ts'
import { allStamped } from '../core/log/stamp.ts'
import { apply, callsIn, fold, roundAt, type Session, seatOf } from '../core/log/state.ts'
import { promptVersion } from '../core/question/form.ts'
import { verdictOf } from '../core/verdict/verdict.ts'
import { protocolNamed } from '../protocols/index.ts'
import { settledReport } from '../protocols/moderator/report.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { nextOf } from '../protocols/steps.ts'
import type { Provider } from '../providers/provider.ts'
import { PositionTaken, type Store } from '../store/store.ts'
import { type Meter, meterFor } from './budget.ts'
import { channel } from './channel.ts'
import { type RunContext, resolveModel } from './context.ts'
import type { OpenQueue } from './limits.ts'
import { moderate } from './moderate.ts'
import { asksOutside, lateSeats, silentStatement } from './outside.ts'
import { patienceOf } from './patience.ts'
import { askSeat } from './seat.ts'
import { makeStatement } from './statement.ts'

export interface Runner {
  readonly providers: readonly Provider[]
  readonly openQueue: OpenQueue
  readonly clock: () => number
  readonly store?: Store
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
}

/** The run was told to give up its session. */
export class RunAbandoned extends Error {
  override readonly name = 'RunAbandoned'
}

/** What the session used before, by its log: a resumed session continues under the same budget. */
export const usedBefore = (session: Session, providers: readonly Provider[]) => {
  const priced = (usage: Usage | undefined, name: string | null) => {
    if (!usage || name === null) return []
    const { provider, model } = resolveModel(providers, name)
    return [{ usage, price: provider.known(model).price }]
  }
  return [
    ...session.roundsSoFar.flatMap(round =>
      session.seats.flatMap(seat =>
        callsIn(round, seat.id).flatMap(({ usage, by }) => priced(usage, by?.model ?? seat.model)),
      ),
    ),
    ...session.moderatorUsage.flatMap(usage => priced(usage, session.moderator)),
  ]
}

const execute = async (
  context: RunContext,
  session: Session,
  protocol: Protocol,
  command: Command,
): Promise<Happening[]> => {
  switch (command.type) {
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

const outcomeOf = (session: Session) => {
  if (session.stopped) return session.stopped.reason
  return verdictOf(session).level === 'no-quorum' ? 'no-quorum' : 'verdict'
}

const errorOf = (happening: Happening): ModelError | undefined => {
  if (happening.type === 'statement-made') return 'error' in happening.said ? happening.said.error : undefined
  return 'error' in happening ? happening.error : undefined
}

const isOutOfBudget = (happening: Happening): boolean => errorOf(happening)?.kind === 'budget'

/** Seats that have handed in nothing for a round that they sit in. They are silent for the given reason. */
const missing = (session: Session, error: ModelError): Happening[] =>
  session.roundsSoFar.flatMap(({ index: round, handedIn }) =>
    session.seats
      .filter(({ id }) => handedIn[id] === undefined)
      .map(({ id: seat }): Happening => ({ type: 'seat-silent', round, seat, error })),
  )

const unasked = (session: Session, { reason, words }: NonNullable<Session['stopped']>): Happening[] =>
  missing(session, { kind: reason === 'budget' ? 'budget' : 'cancelled', message: words })

const tooLate: ModelError = { kind: 'cancelled', message: 'the session ended before it answered' }

/** A call that was cut short because the session ended says so, in words that are about this session. */
const cutShort = (happening: Happening): Happening =>
  happening.type === 'seat-silent' && happening.error.kind === 'cancelled'
    ? { ...happening, error: tooLate }
    : happening

/** What the moderator reads of all answers is out of date as soon as one more comes. */
const readingAnswers: ReadonlySet<Command['type']> = new Set(['group-answers', 'read-round', 'write-report'])

/** Keeps the log of one session in memory and in the store, and shows it to watchers. */
export const writer = (
  runner: Pick<Runner, 'store' | 'publish' | 'clock'>,
  begun: readonly SessionEvent[],
) => {
  const log = [...begun]
  let session = fold(log)
  const take = (event: SessionEvent): void => {
    log.push(event)
    session = apply(session, event)
    runner.publish(event)
  }
  /** Reads what people did to the session in the meantime. Returns whether there was anything. */
  const catchUp = async (): Promise<boolean> => {
    const newer = (await runner.store?.read(session.id, log.length - 1)) ?? []
    // Another runner has continued the session. To continue here as well would pay twice.
    if (!newer.every(isInterjection)) throw new PositionTaken(session.id, log.length)
    newer.forEach(take)
    return newer.length > 0
  }
  const append = async (happenings: readonly Happening[]): Promise<void> => {
    if (happenings.length === 0) return
    const events = allStamped(happenings, log.length, runner.clock)
    try {
      await runner.store?.append(session.id, events)
    } catch (error) {
      if (!PositionTaken.isInstance(error) || !(await catchUp())) throw error
      return append(happenings)
    }
    events.forEach(take)
  }
  return { log, session: () => session, append, catchUp }
}

/** A command that ended, something that somebody else wrote to the log, or the time to look for slow seats. */
type Arrival =
  | { readonly type: 'done'; readonly key: string; readonly happenings: readonly Happening[] }
  | { readonly type: 'interjected' }
  | { readonly type: 'slow' }

/** Runs a session from where its log ends. Resolves with the whole log. */
export const run = async (runner: Runner, begun: readonly SessionEvent[]): Promise<SessionEvent[]> => {
  const { log, session, append, catchUp } = writer(runner, begun)
  let permitted: Session['seats'] | undefined
  /** Again for each newcomer: another process may have seated it. */
  const permit = (): void => {
    if (session().outcome || session().seats === permitted) return
    runner.refuse?.(session())
    permitted = session().seats
  }
  permit()
  const protocol = protocolNamed(session().protocol, runner.protocols)
  const meter = runner.meter ?? meterFor(session().budget, usedBefore(session(), runner.providers))
  const over = new AbortController()
  const signal = AbortSignal.any([runner.signal, over.signal])
  const context: RunContext = {
    ...runner,
    get providers() {
      return runner.providers
    },
    ...{ meter, queue: runner.openQueue(), signal },
  }
  /** Commands that were started and haven't ended. The log has the rest, so nothing is started twice. */
  const underWay = new Set<string>()
  const arrivals = channel<Arrival>()
  let outOfBudget = false

  const patience = patienceOf(runner.clock, () => arrivals.put({ type: 'slow' }))
  /** Ends the calls for seats that the table goes on without. */
  let closing = new AbortController()
  const isAsking = (): boolean => [...underWay].some(key => key.startsWith('ask-seat'))

  const start = (command: Command): void => {
    const key = commandKey(command)
    underWay.add(key)
    patience.started(command)
    const known = lateAnswers(session())
    const ended = closing.signal
    const called =
      command.type === 'ask-seat' ? { ...context, signal: AbortSignal.any([signal, ended]) } : context
    execute(called, session(), protocol, command).then(made => {
      // Whoever resumes the session makes the cancelled calls again, so no seat counts as silent.
      if (runner.abandoned?.aborted) return
      const outdated = readingAnswers.has(command.type) && lateAnswers(session()) > known
      const happenings = ended.aborted ? made.map(cutShort) : made
      arrivals.put({
        type: 'done',
        key,
        happenings: outdated ? happenings.map(one => ({ ...one, outdated: true }) as Happening) : happenings,
      })
    }, arrivals.fail)
  }
  const take = async (arrival: Arrival): Promise<void> => {
    if (arrival.type === 'interjected') await catchUp()
    if (arrival.type === 'done') {
      outOfBudget ||= meter.exceeded || arrival.happenings.some(isOutOfBudget)
      await append(arrival.happenings)
      underWay.delete(arrival.key)
    }
    if (session().stopped) over.abort()
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
      const stopping = !session().stopped && (outOfBudget || runner.signal.aborted)
      if (stopping && underWay.size === 0) {
        await append(stoppedBy(session(), runner.signal.aborted, meter.words))
        continue
      }
      const left = session().stopped && underWay.size === 0 ? unasked(session(), session().stopped!) : []
      if (left.length > 0) {
        await append(left)
        continue
      }
      const untaken = lateSeats(session(), runner.clock())
      if (untaken.length > 0) {
        await append(untaken)
        continue
      }
      const slow = stopping || session().stopped ? [] : patience.overdue(session())
      if (slow.length > 0) {
        await append(slow)
        continue
      }
      const winding = session().stopped && isAsking()
      const wanted = stopping || winding ? [] : nextOf(protocol, session())
      const ending = wanted.some(({ type }) => type === 'finish') && !session().stopped
      if (ending && isAsking()) {
        closing.abort()
        closing = new AbortController()
      }
      const late = ending && !isAsking() ? missing(session(), tooLate) : []
      if (late.length > 0) {
        await append(late)
        continue
      }
      const commands = ending && isAsking() ? [] : wanted
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

const stoppedBy = (session: Session, aborted: boolean, spent: string): Happening[] => {
  const stopped = aborted
    ? ({ reason: 'interrupted', words: 'Somebody stopped the session.' } as const)
    : ({ reason: 'budget', words: spent } as const)
  return [...unasked(session, stopped), { type: 'session-stopped', ...stopped }]
}
