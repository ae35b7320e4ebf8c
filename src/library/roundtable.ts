/** The library's front door: ask a table, watch it live, get the session. */
import type { LiveEvent, Seat, SessionEvent, SessionOpened } from '../core/log/event.ts'
import { stamped } from '../core/log/stamp.ts'
import type { SeatInput } from '../core/question/seat-input.ts'
import { documentOf, type SessionDocument } from '../exports/document.ts'
import type { Provider } from '../providers/provider.ts'
import { channel } from '../runtime/channel.ts'
import { dayId } from '../runtime/ids.ts'
import { loadDetector } from '../runtime/language.ts'
import { gatesFor } from '../runtime/limits.ts'
import { type Runner, run } from '../runtime/run.ts'
import type { Slots } from '../runtime/slots.ts'
import type { Store } from '../store/store.ts'
import { type Estimate, estimateOf } from '../table/estimate.ts'
import { type AskInput, newcomerOf, type Opening, openingOf } from '../table/opening.ts'
import { type Reach, type ReachOptions, reachOf } from '../table/reach.ts'
import { checkerOf, checkTranscript } from './check.ts'

export interface RoundtableOptions extends ReachOptions {
  /** Where sessions are kept; without one they are only returned. */
  readonly store?: Store
  /** Where the limits of providers are counted: in this process unless told. */
  readonly slots?: Slots
  /** Milliseconds since 1970. With a fixed clock and id, the same replies give the same log. */
  readonly clock?: () => number
  readonly newId?: () => string
}

export interface Running {
  readonly id: string
  /** Everything from the beginning, deltas included while it runs. Each iteration starts anew. */
  readonly events: AsyncIterable<LiveEvent>
  readonly result: Promise<SessionDocument>
}

export interface Watch {
  readonly signal?: AbortSignal
  /** Gets every event that is added, and the deltas on the way. */
  readonly publish?: (event: LiveEvent) => void
  /** Tells the run when somebody else has written to the log in the store. */
  readonly interjected?: Runner['interjected']
  /** Lets go of the session for somebody else to go on with: calls are cancelled, and nothing more is written. */
  readonly abandoned?: AbortSignal
}

export interface Roundtable {
  /** Everything that a seat may be given to. */
  readonly reach: Reach
  readonly providers: readonly Provider[]
  /** Returns at once; throws UsageError where the input cannot be asked. */
  ask(input: AskInput): Running
  /** What a session would take, before it is run. */
  estimate(input: AskInput): Estimate
  /** The event that a session of this input begins with, for whoever stores and runs it. */
  open(input: AskInput, id?: string): Promise<SessionEvent & SessionOpened>
  /** Carries a session on from where its log stands, and gives back the whole log. */
  carryOn(log: readonly SessionEvent[], watch?: Watch): Promise<SessionEvent[]>
  /** Has a moderator read an imported transcript, and gives back the whole log with what it found. */
  check(log: readonly SessionEvent[], moderator?: string, watch?: Watch): Promise<SessionEvent[]>
  /** Who would sit there. */
  seat(input: SeatInput): Omit<Seat, 'id' | 'alias'>
}

export const createRoundtable = (options: RoundtableOptions = {}): Roundtable => {
  const { clock = Date.now, store } = options
  const newId = options.newId ?? dayId(clock)
  const reach = reachOf(options)
  const { providers } = reach
  const lane = gatesFor(providers, options.slots)
  void loadDetector()
  const runnerFor = (watch: Watch = {}): Runner => {
    const { signal = new AbortController().signal, publish = () => {}, interjected, abandoned } = watch
    return { providers, lane, clock, store, signal, publish, interjected, abandoned }
  }
  const carryOn = (log: readonly SessionEvent[], watch?: Watch): Promise<SessionEvent[]> =>
    run(runnerFor(watch), log)
  const opened = async ({ opened: opening, language }: Opening): Promise<SessionEvent & SessionOpened> =>
    stamped({ ...opening, language: await language() }, 0, clock)
  return {
    reach,
    providers,
    carryOn,
    check: async (log, moderator, watch) =>
      checkTranscript(runnerFor(watch), checkerOf(moderator, reach), log),
    open: async (input, id = newId()) => opened(openingOf(input, id, reach)),
    seat: input => newcomerOf(input, reach),
    estimate: input => estimateOf(openingOf(input, 'estimate', reach), providers),
    ask(input) {
      const id = newId()
      const opening = openingOf(input, id, reach)
      const watchers = watching()
      const start = async (): Promise<SessionDocument> => {
        const first = await opened(opening)
        await store?.append(id, [first])
        watchers.publish(first)
        return documentOf(await carryOn([first], { signal: input.signal, publish: watchers.publish }))
      }
      const result = start().finally(watchers.close)
      // A caller that only reads the events must not crash on a result that nobody awaits.
      result.catch(watchers.fail)
      return { id, events: watchers, result }
    },
  }
}

/** Hands every event to every watcher; one that comes later gets what was committed before. */
const watching = () => {
  const committed: SessionEvent[] = []
  const open = new Set<ReturnType<typeof channel<LiveEvent>>>()
  let ended = false
  let failure: { error: unknown } | undefined
  return {
    publish(event: LiveEvent): void {
      if ('position' in event) committed.push(event)
      for (const watcher of open) watcher.put(event)
    },
    close(): void {
      ended = true
      for (const watcher of open) watcher.close()
    },
    fail(error: unknown): void {
      failure = { error }
      for (const watcher of open) watcher.fail(error)
    },
    [Symbol.asyncIterator](): AsyncIterator<LiveEvent> {
      const watcher = channel<LiveEvent>(committed, () => open.delete(watcher))
      if (failure) watcher.fail(failure.error)
      if (ended) watcher.close()
      open.add(watcher)
      return watcher
    },
  }
}
