/** The entry of the library: ask a table, watch it live, get the session. */
import type { SessionEvent, SessionOpened } from '../core/log/event.ts'
import { dayId } from '../runtime/ids.ts'
import {
  createRuntime,
  type Running,
  type Runtime,
  type RuntimeOptions,
  type Watch,
} from '../runtime/runtime.ts'
import type { Sharpened } from '../runtime/sharpen.ts'
import type { AskInput } from '../table/ask-input.ts'
import type { Estimate } from '../table/estimate.ts'
import { checkerFor } from '../table/moderator.ts'
import { openingOf } from '../table/opening.ts'
import { type Reach, type ReachOptions, reachOf } from '../table/reach.ts'

export interface RoundtableOptions extends ReachOptions, Pick<RuntimeOptions, 'store' | 'slots' | 'clock'> {
  /** With a fixed clock and id, the same replies give the same log. */
  readonly newId?: () => string
}

export interface Roundtable extends Pick<Runtime, 'carryOn'> {
  /** Everything that can be seated. */
  readonly reach: Reach
  /** Returns at once; throws UsageError if the request can't be asked. */
  ask(input: AskInput): Running
  /** The first event of a session, for a caller that stores and runs it. */
  open(input: AskInput, id?: string): Promise<SessionEvent & SessionOpened>
  /** The expected calls, tokens, cost and time of a session, without running it. */
  estimate(input: AskInput): Estimate
  /** Up to three sharper wordings of the question, from the moderator that the session would have. Asks nobody else. */
  sharpen(input: AskInput): Promise<Sharpened>
  /** A moderator reads an imported transcript. Returns the whole log with its findings. */
  check(log: readonly SessionEvent[], moderator?: string, watch?: Watch): Promise<SessionEvent[]>
}

export const createRoundtable = (options: RoundtableOptions = {}): Roundtable => {
  const { clock = Date.now, store, slots } = options
  const newId = options.newId ?? dayId(clock)
  const reach = reachOf(options)
  const { providers, protocols } = reach
  const runtime = createRuntime({
    providers,
    protocols,
    clock,
    ...(store && { store }),
    ...(slots && { slots }),
  })
  return {
    reach,
    carryOn: runtime.carryOn,
    check: async (log, moderator, watch) => runtime.check(log, checkerFor(moderator, reach), watch),
    estimate: input => openingOf(input, 'estimate', reach).estimate,
    sharpen: async input => runtime.sharpen(openingOf(input, newId(), reach), input.signal),
    open: async (input, id = newId()) => openingOf(input, id, reach).first(clock),
    ask: input => runtime.begin(openingOf(input, newId(), reach), input.signal),
  }
}
