/** Fold → next → execute → append: carries a session from wherever its log stands to its end. */

import type { ModelError } from '../core/errors.ts'
import { type Command, commandKey } from '../core/log/command.ts'
import type { Happening, LiveEvent, SessionEvent } from '../core/log/event.ts'
import { isInterjection } from '../core/log/interjection.ts'
import type { Usage } from '../core/log/spent.ts'
import { apply, callsIn, fold, latestRound, roundAt, type Session } from '../core/log/state.ts'
import { verdictOf } from '../core/verdict/verdict.ts'
import { protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { nextOf } from '../protocols/steps.ts'
import type { Provider } from '../providers/provider.ts'
import { PositionTaken, type Store } from '../store/store.ts'
import { type Meter, meterFor } from './budget.ts'
import { channel } from './channel.ts'
import { type RunContext, resolveModel } from './context.ts'
import type { Lane } from './limits.ts'
import { moderate } from './moderate.ts'
import { askSeat } from './seat.ts'
import { makeStatement } from './statement.ts'

export interface Runner {
  readonly providers: readonly Provider[]
  readonly lane: Lane
  readonly clock: () => number
  readonly store?: Store
  readonly signal: AbortSignal
  readonly publish: (event: LiveEvent) => void
  /** Calls back when somebody else has written to the log; gives back how to stop listening. */
  readonly interjected?: (knock: () => void) => () => void
  /** Lets go of the session: calls are cancelled and nothing more is written, for somebody else goes on with it. */
  readonly abandoned?: AbortSignal
  /** A cap that several sessions share, in place of the session's own. */
  readonly meter?: Meter
}

/** The run was told to let go of its session. */
export class RunAbandoned extends Error {
  override readonly name = 'RunAbandoned'
}

/** What the log says was used before: a resumed session goes on under the same cap. */
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
      return [{ type: 'round-opened', round: command.round, sealed: command.sealed }]
    case 'ask-seat':
      return [await askSeat(context, session, protocol, command)]
    case 'make-statement':
      return [await makeStatement(context, session, command)]
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

/** Seats that were not asked before the session stopped: they fell silent for that reason. */
const unasked = (session: Session, { reason, words }: NonNullable<Session['stopped']>): Happening[] => {
  const round = latestRound(session)
  if (!round) return []
  const error = { kind: reason === 'budget' ? 'budget' : 'cancelled', message: words } as const
  const missing = session.seats.filter(seat => round.handedIn[seat.id] === undefined)
  return missing.map(seat => ({
    type: 'seat-silent',
    round: round.index,
    seat: seat.id,
    error,
  }))
}

/** The log of one session in memory, in the store, and in front of its watchers. */
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
  /** Takes over what people did to the session meanwhile; says whether there was anything. */
  const catchUp = async (): Promise<boolean> => {
    const newer = (await runner.store?.read(session.id, log.length - 1)) ?? []
    // Another runner has gone on with the session: to go on as well would pay twice.
    if (!newer.every(isInterjection)) throw new PositionTaken(session.id, log.length)
    newer.forEach(take)
    return newer.length > 0
  }
  const append = async (happenings: readonly Happening[]): Promise<void> => {
    if (happenings.length === 0) return
    const at = new Date(runner.clock()).toISOString()
    const events = happenings.map(
      (happening, index): SessionEvent => ({ position: log.length + index, at, ...happening }),
    )
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

interface Arrival {
  /** What has ended; absent where somebody only knocked. */
  readonly key?: string
  readonly happenings: readonly Happening[]
}

/** Carries a session on from where its log stands. Resolves with the whole log. */
export const run = async (runner: Runner, begun: readonly SessionEvent[]): Promise<SessionEvent[]> => {
  const { log, session, append, catchUp } = writer(runner, begun)
  const protocol = protocolNamed(session().protocol)
  const meter = runner.meter ?? meterFor(session().budget, usedBefore(session(), runner.providers))
  const over = new AbortController()
  const signal = AbortSignal.any([runner.signal, over.signal])
  const context: RunContext = { ...runner, meter, gates: runner.lane(), signal }
  /** What was started and has not ended: the log says the rest, so nothing is started twice. */
  const underWay = new Set<string>()
  const arrivals = channel<Arrival>()
  let outOfBudget = false

  const start = (command: Command): void => {
    const key = commandKey(command)
    underWay.add(key)
    execute(context, session(), protocol, command).then(happenings => {
      // Calls that were cancelled on letting go are made again by whoever goes on: no seat fell silent.
      if (!runner.abandoned?.aborted) arrivals.put({ key, happenings })
    }, arrivals.fail)
  }
  const take = async ({ key, happenings }: Arrival): Promise<void> => {
    outOfBudget ||= happenings.some(isOutOfBudget)
    if (key === undefined) await catchUp()
    else await append(happenings)
    if (key !== undefined) underWay.delete(key)
    if (session().stopped) over.abort()
  }

  const letGo = (): void => {
    over.abort()
    arrivals.fail(new RunAbandoned(`The run of session ${session().id} was let go.`))
  }
  const leave = runner.interjected?.(() => arrivals.put({ happenings: [] }))
  runner.abandoned?.addEventListener('abort', letGo)
  if (runner.abandoned?.aborted) letGo()
  try {
    while (!session().outcome) {
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
      const winding = session().stopped && [...underWay].some(key => key.startsWith('ask-seat'))
      const commands = stopping || winding ? [] : nextOf(protocol, session())
      commands.filter(command => !underWay.has(commandKey(command))).forEach(start)
      if (underWay.size === 0) throw new Error(`Session ${session().id} has nothing left to do and no end.`)
      const { value: arrival } = await arrivals.next()
      if (arrival) await take(arrival)
    }
    return log
  } finally {
    leave?.()
    runner.abandoned?.removeEventListener('abort', letGo)
    over.abort()
  }
}

const stoppedBy = (session: Session, aborted: boolean, spent: string): Happening[] => {
  const stopped = aborted
    ? ({ reason: 'interrupted', words: 'Somebody stopped the session.' } as const)
    : ({ reason: 'budget', words: spent } as const)
  return [...unasked(session, stopped), { type: 'session-stopped', ...stopped }]
}
