/** Fold → next → execute → append: runs a session from wherever its log ends until it is finished. */

import type { ModelError } from '../core/errors.ts'
import { withheldPiece } from '../core/letters/withheld.ts'
import { type Command, commandKey } from '../core/log/command.ts'
import type { Happening, SessionEvent } from '../core/log/event.ts'
import { lateAnswers } from '../core/log/late.ts'
import type { Session } from '../core/log/state.ts'
import { protocolNamed } from '../protocols/index.ts'
import { nextOf } from '../protocols/steps.ts'
import { meterFor } from './budget.ts'
import { channel } from './channel.ts'
import { guardedReadPage, pagesOf } from './cited-pages.ts'
import type { RunContext } from './context.ts'
import { execute } from './execute.ts'
import { writer } from './log-writer.ts'
import { asksOutside, lateSeats } from './outside.ts'
import { patienceOf } from './patience.ts'
import { bothMeters } from './payer-meter.ts'
import type { Runner } from './runner.ts'
import { cutShort, missing, stoppedBy, tooLate, unasked } from './unanswered.ts'
import { usedBefore } from './used-before.ts'

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
  const own = runner.meter ?? meterFor(session().budget, usedBefore(session()))
  const meter = bothMeters(own, runner.payer)
  const over = new AbortController()
  const signal = AbortSignal.any([runner.signal, over.signal])
  const context: RunContext = {
    ...runner,
    get providers() {
      return runner.providers
    },
    ...{ meter, queue: runner.openQueue(), signal },
    file: runner.file ?? (async (id, sha256) => runner.store?.file(id, sha256)),
    pages: pagesOf(runner.readPage ?? guardedReadPage, signal),
    publish(event) {
      const shown = 'position' in event ? event : withheldPiece(session(), event)
      if (shown) runner.publish(shown)
    },
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

  /** It has to stop, and the log doesn't say so yet. */
  const isStopping = (): boolean => !session().stopped && (outOfBudget || runner.signal.aborted)
  /** What has to be in the log before anything else is asked. */
  const due = (): Happening[] => {
    const { stopped } = session()
    const isQuiet = underWay.size === 0
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
