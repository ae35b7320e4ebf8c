/**
 * Keeps the log of one session in memory and in the store, and shows it to watchers. Nothing enters it that a log can't
 * hold, and no call that is paid for is lost with its process.
 */

import type { ModelError } from '../core/basics.ts'
import {
  allStamped,
  type CallBegun,
  type Command,
  commandKey,
  eventProblem,
  type Happening,
  type SessionEvent,
  timingSchema,
  type Usage,
  usageSchema,
} from '../core/event.ts'
import { apply, fold } from '../core/fold.ts'
import type { Session } from '../core/session.ts'
import { isInterjection } from '../count/acts.ts'
import { PositionTaken } from '../store/store.ts'
import { plus } from './budget.ts'
import type { Runner } from './run.ts'
import { moderatorFailed } from './seat.ts'

/** A log can't hold what a call came to. */
class Unsound extends Error {
  override readonly name = 'Unsound'
}

/** What the call took is kept, as far as a log can hold it: it was paid for. */
const spentIn = (
  made: readonly Happening[],
): Pick<Happening & { type: 'seat-silent' }, 'usage' | 'timing'> => {
  const [first] = made.filter(one => 'timing' in one || 'usage' in one)
  const usage = usageSchema.safeParse(first && 'usage' in first ? first.usage : undefined).data
  const timing = timingSchema.safeParse(first && 'timing' in first ? first.timing : undefined).data
  return { ...(usage && { usage }), ...(timing && { timing }) }
}

/** The events of a call whose own a log refuses: no answer, and why. Undefined: code made them, so the code is wrong. */
const failedInstead = (
  session: Session,
  command: Command,
  error: ModelError,
): readonly Happening[] | undefined => {
  switch (command.type) {
    case 'ask-seat':
      return [{ type: 'seat-silent', round: command.round, seat: command.seat, error }]
    case 'make-statement': {
      const { round, turn, seat } = command
      return [{ type: 'statement-made', round, turn, seat, said: { error } }]
    }
    case 'search':
      return [{ type: 'search-failed', by: session.moderator ?? 'the search', error }]
    case 'open-round':
    case 'settle-report':
    case 'finish':
      return undefined
    default:
      return moderatorFailed(session, command, error)
  }
}

export const writer = (
  runner: Pick<Runner, 'store' | 'publish' | 'clock'>,
  begun: readonly SessionEvent[],
) => {
  const log = [...begun]
  let session = fold(log)
  const ended = new Map<string, CallBegun>()
  const take = (event: SessionEvent): void => {
    if ('call' in event && event.call !== undefined) ended.delete(event.call)
    log.push(event)
    session = apply(session, event)
    runner.publish(event)
  }
  /** Reads what people did to the session in the meantime. Returns whether there was anything. */
  const catchUpNow = async (): Promise<boolean> => {
    const newer = (await runner.store?.read(session.id, log.length - 1)) ?? []
    // Another runner has continued the session. To continue here as well would pay twice.
    if (!newer.every(isInterjection)) throw new PositionTaken(session.id, log.length)
    newer.forEach(take)
    return newer.length > 0
  }
  const appendNow = async (happenings: readonly Happening[]): Promise<void> => {
    if (happenings.length === 0) return
    // A clock that was set back must not make a session end before it began.
    const clock = (): number => Math.max(runner.clock(), Date.parse(session.lastAt) || 0)
    const events = allStamped(happenings, log.length, clock)
    const problem = events.map(eventProblem).find(one => one !== undefined)
    if (problem) throw new Unsound(problem)
    try {
      await runner.store?.append(session.id, events)
    } catch (error) {
      if (!PositionTaken.isInstance(error) || !(await catchUpNow())) throw error
      return appendNow(happenings)
    }
    events.forEach(take)
  }
  /** One after another: calls begin while the log grows, and two events at one position would look like two runners. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  const append = (happenings: readonly Happening[]): Promise<void> => inTurn(() => appendNow(happenings))
  const catchUp = (): Promise<boolean> => inTurn(catchUpNow)
  const waiting: CallBegun[] = []
  let beginning: Promise<void> | undefined
  /** Calls that begin together share an event. */
  const begin = (call: CallBegun): Promise<void> => {
    waiting.push(call)
    beginning ??= inTurn(() => {
      beginning = undefined
      const calls = waiting.splice(0)
      const over = [...ended.values()].filter(one => calls.every(({ call }) => call !== one.call))
      ended.clear()
      return appendNow([{ type: 'calls-begun', calls: [...over, ...calls] }])
    })
    return beginning
  }
  /** It holds less from now on. The next call that begins may need that room, before the log says what this one came to. */
  const end = (call: CallBegun): void => void ended.set(call.call, call)
  /** What a command came to. Whatever a model replied, its event is one that a log can hold. */
  const appendMade = async (command: Command, made: readonly Happening[]): Promise<void> => {
    try {
      await append(made)
    } catch (error) {
      if (!(error instanceof Unsound)) throw error
      const message = `its reply can't be kept in a log: ${error.message}`
      const [first, ...rest] = failedInstead(session, command, { kind: 'bad-shape', message }) ?? []
      if (!first) throw error
      await append([{ ...first, ...spentIn(made) } as Happening, ...rest])
    }
  }
  return { log, session: () => session, append, appendMade, begin, end, catchUp }
}

// calls: What processes that died used for a call that is made again.

/** What was used for a call by processes that died, or may have been used. */
export const usedByCall = (session: Session, call: string): Usage | undefined => {
  const { used, held } = session.callsBegun?.[call] ?? {}
  return held ? plus(used, held) : used
}

/** What a call came to, with what processes that died used for it. */
export const withEarlier = (
  session: Session,
  command: Command,
  before: Usage | undefined,
  made: readonly Happening[],
) => {
  const call = commandKey(command)
  if (!session.callsBegun?.[call]) return made
  const [first, ...rest] = made as readonly (Happening & { type: 'seat-silent' })[]
  if (!first) return made
  const usage = before && first.usage ? plus(before, first.usage) : (before ?? first.usage)
  return [{ ...first, ...(usage && { usage }), call }, ...rest]
}
