/** Fold → next → execute → append: carries a session from wherever its log stands to its end. */
import { type Command, commandKey } from '../core/command.ts'
import type { Happening, LiveEvent, SessionEvent, Usage } from '../core/event.ts'
import { apply, fold, latestRound, type Session } from '../core/state.ts'
import { verdictOf } from '../core/verdict.ts'
import { protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { nextOf } from '../protocols/steps.ts'
import type { Provider } from '../providers/provider.ts'
import type { Store } from '../store/store.ts'
import { meterFor } from './budget.ts'
import { channel } from './channel.ts'
import { type RunContext, resolveModel } from './context.ts'
import type { Gates } from './limits.ts'
import { moderate } from './moderate.ts'
import { askSeat } from './seat.ts'

export interface Runner {
  readonly providers: readonly Provider[]
  readonly gates: Gates
  readonly clock: () => number
  readonly store?: Store
  readonly signal: AbortSignal
  readonly publish: (event: LiveEvent) => void
}

/** What the log says was used before: a resumed session goes on under the same cap. */
const usedBefore = (session: Session, providers: readonly Provider[]) => {
  const priced = (usage: Usage | undefined, name: string | null) => {
    if (!usage || name === null) return []
    const { provider, model } = resolveModel(providers, name)
    return [{ usage, price: provider.known(model).price }]
  }
  return [
    ...session.roundsSoFar.flatMap(round =>
      session.seats.flatMap(seat => priced(round.handedIn[seat.id]?.usage, seat.model)),
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
      return [{ type: 'round-opened', round: command.round, sealed: command.sealed }]
    case 'ask-seat':
      return [await askSeat(context, session, protocol, command)]
    case 'finish':
      return [{ type: 'session-finished', outcome: outcomeOf(session) }]
    default:
      return moderate(context, session, command)
  }
}

const outcomeOf = (session: Session) => {
  if (session.stopped) return session.stopped.reason
  return verdictOf(session).level === 'no-quorum' ? 'no-quorum' : 'verdict'
}

const isOutOfBudget = (happening: Happening): boolean =>
  (happening.type === 'seat-silent' || happening.type === 'moderator-failed') &&
  happening.error.kind === 'budget'

/** Seats that were not asked before the session stopped: they fell silent for that reason. */
const unasked = (session: Session, kind: 'budget' | 'cancelled', message: string): Happening[] => {
  const round = latestRound(session)
  if (!round) return []
  const missing = session.seats.filter(seat => round.handedIn[seat.id] === undefined)
  return missing.map(seat => ({
    type: 'seat-silent',
    round: round.index,
    seat: seat.id,
    error: { kind, message },
  }))
}

/** The log of one session in memory, in the store, and in front of its watchers. */
const writer = (runner: Runner, begun: readonly SessionEvent[]) => {
  const log = [...begun]
  let session = fold(log)
  return {
    log,
    session: () => session,
    async append(happenings: readonly Happening[]): Promise<void> {
      if (happenings.length === 0) return
      const at = new Date(runner.clock()).toISOString()
      const events = happenings.map(
        (happening, index): SessionEvent => ({ position: log.length + index, at, ...happening }),
      )
      await runner.store?.append(session.id, events)
      for (const event of events) {
        log.push(event)
        session = apply(session, event)
        runner.publish(event)
      }
    },
  }
}

/** Carries a session on from where its log stands. Resolves with the whole log. */
export const run = async (runner: Runner, begun: readonly SessionEvent[]): Promise<SessionEvent[]> => {
  const { log, session, append } = writer(runner, begun)
  const protocol = protocolNamed(session().protocol)
  const meter = meterFor(session().budget, usedBefore(session(), runner.providers))
  const abandoned = new AbortController()
  const context: RunContext = { ...runner, meter, signal: AbortSignal.any([runner.signal, abandoned.signal]) }
  const started = new Set<string>()
  const arrivals = channel<readonly Happening[]>()
  let underWay = 0
  let outOfBudget = false

  const start = (command: Command): void => {
    started.add(commandKey(command))
    underWay++
    execute(context, session(), protocol, command).then(arrivals.put, arrivals.fail)
  }

  try {
    while (!session().outcome) {
      const stopping = !session().stopped && (outOfBudget || runner.signal.aborted)
      if (stopping && underWay === 0) {
        await append(stoppedBy(session(), runner.signal.aborted, meter.words))
        continue
      }
      const commands = stopping ? [] : nextOf(protocol, session())
      commands.filter(command => !started.has(commandKey(command))).forEach(start)
      if (underWay === 0) throw new Error(`Session ${session().id} has nothing left to do and no end.`)
      const { value: happenings = [] } = await arrivals.next()
      underWay--
      outOfBudget ||= happenings.some(isOutOfBudget)
      await append(happenings)
    }
    return log
  } finally {
    abandoned.abort()
  }
}

const stoppedBy = (session: Session, aborted: boolean, spent: string): Happening[] => {
  const words = aborted ? 'Somebody stopped the session.' : spent
  return [
    ...unasked(session, aborted ? 'cancelled' : 'budget', words),
    { type: 'session-stopped', reason: aborted ? 'interrupted' : 'budget', words },
  ]
}
