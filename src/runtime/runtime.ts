/** Runs sessions: new ones from their first event, and those that were left in the middle from where their log stands. */
import { withheldLog } from '../core/letters/withheld.ts'
import type { SessionEvent, SessionOpened } from '../core/log/event.ts'
import type { LiveEvent } from '../core/log/live-event.ts'
import type { StoredFile } from '../core/question/stored-file.ts'
import { documentOf, type SessionDocument } from '../exports/document.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { Provider } from '../providers/provider.ts'
import type { Store } from '../store/store.ts'
import { checkTranscript } from './check-transcript.ts'
import { loadDetector } from './language.ts'
import { callQueues } from './limits.ts'
import { run } from './run.ts'
import type { Runner } from './runner.ts'
import { type Sharpened, sharpen } from './sharpen.ts'
import { type Called, type SingleCall, singleCall } from './single-call.ts'
import type { Slots } from './slots.ts'
import { createWatchers } from './watchers.ts'

export interface RuntimeOptions {
  /** Read at each call: keys may be entered while sessions run. */
  readonly providers: readonly Provider[]
  readonly protocols?: readonly Protocol[]
  /** Where sessions are kept; without one they are only returned. */
  readonly store?: Store
  /** Where the limits of providers are counted: in this process by default. */
  readonly slots?: Slots
  /** Throws if a log may not be run here. Absent: every log is. */
  readonly refuse?: Runner['refuse']
  /** The person's search endpoint, for sessions with one search for all seats. Absent: the moderator's model searches. */
  readonly searcher?: Runner['searcher']
  /** Reads a page that an answer cites. Absent: fetches it, guarded. */
  readonly readPage?: Runner['readPage']
  /** The budgets of whoever pays for a call, asked at each one. Absent: nobody's. */
  readonly payer?: (() => Runner['payer']) | undefined
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

export interface Running {
  readonly id: string
  /** Everything from the beginning, deltas included while it runs. Each iteration starts anew. */
  readonly events: AsyncIterable<LiveEvent>
  readonly result: Promise<SessionDocument>
}

export interface Watch {
  readonly signal?: AbortSignal
  /** Where the session's files are, if there is no store. */
  readonly file?: Runner['file']
  /** Gets every event that is added, and the deltas on the way. */
  readonly publish?: (event: LiveEvent) => void
  /** Tells the run when somebody else has written to the log in the store. */
  readonly interjected?: Runner['interjected']
  /** Lets go of the session for somebody else to carry on: calls are cancelled, and nothing more is written. */
  readonly abandoned?: AbortSignal
  /** The budgets of whoever pays. */
  readonly payer?: Runner['payer']
  /** The providers with the keys and endpoints of whoever pays, as far as they have their own. */
  readonly withOwnProviders?: ((providers: readonly Provider[]) => readonly Provider[]) | undefined
}

/** A session that is about to begin: its id, and the event that opens it. */
export interface Beginning {
  readonly opened: Pick<SessionOpened, 'id'>
  /** The bytes of its exhibits, known once its first event is. */
  readonly files?: readonly StoredFile[]
  first(clock: () => number): Promise<SessionEvent & SessionOpened>
  /** What follows it at once, in a fork. */
  rest?(clock: () => number): readonly SessionEvent[]
}

export interface Runtime {
  /** Stores the first events and runs the session. Returns at once. */
  begin(beginning: Beginning, signal?: AbortSignal): Running
  /** Carries a session on from where its log stands, and gives back the whole log. */
  carryOn(log: readonly SessionEvent[], watch?: Watch): Promise<SessionEvent[]>
  /**
   * Has the moderator propose sharper wordings of a question that isn't asked yet. Throws UsageError if there is nobody
   * to ask, and SharpeningFailed if the moderator fails.
   */
  sharpen(beginning: Pick<Beginning, 'first'>, signal?: AbortSignal): Promise<Sharpened>
  /** Asks one model once, outside of any session. Throws CallFailed if the model fails. */
  call<T>(call: SingleCall<T>, signal?: AbortSignal): Promise<Called<T>>
  /** Has a moderator read an imported transcript, and gives back the whole log with what it found. */
  check(log: readonly SessionEvent[], moderator: string, watch?: Watch): Promise<SessionEvent[]>
}

export const createRuntime = (options: RuntimeOptions): Runtime => {
  const { protocols, store, slots, refuse, clock = Date.now } = options
  const openQueue = callQueues(slots)
  void loadDetector()
  const runnerFor = (watch: Watch = {}): Runner => {
    const { signal = new AbortController().signal, publish = () => {}, withOwnProviders, ...others } = watch
    const watching = { signal, publish, payer: options.payer?.(), ...others }
    const atStart = options.providers
    return {
      // A provider that is removed meanwhile stays for the runs that need it: they must not fail because of it.
      get providers() {
        const now = options.providers
        const kept = now === atStart ? [] : atStart.filter(({ id }) => now.every(one => one.id !== id))
        const all = kept.length > 0 ? [...now, ...kept] : now
        return withOwnProviders ? withOwnProviders(all) : all
      },
      get searcher() {
        return options.searcher
      },
      ...{ protocols, openQueue, clock, store, refuse, readPage: options.readPage, ...watching },
    }
  }
  const carryOn: Runtime['carryOn'] = (log, watch) => run(runnerFor(watch), log)
  return {
    carryOn,
    check: (log, moderator, watch) => checkTranscript(runnerFor(watch), moderator, log),
    sharpen: async ({ first }, signal) => sharpen(runnerFor(signal && { signal }), await first(clock)),
    call: (call, signal) => singleCall(runnerFor(signal && { signal }), call),
    begin(beginning, signal) {
      const { opened, first, rest } = beginning
      const { id } = opened
      const watchers = createWatchers()
      const start = async (): Promise<SessionDocument> => {
        const log = [await first(clock), ...(rest?.(clock) ?? [])]
        const { files = [] } = beginning
        if (files.length > 0) await store?.keepFiles(id, files)
        await store?.append(id, log)
        for (const event of withheldLog(log)) watchers.publish(event)
        const whole = await carryOn(log, {
          ...(signal && { signal }),
          ...(!store && { file: async (_id, sha256) => files.find(one => one.sha256 === sha256) }),
          publish: watchers.publish,
        })
        return documentOf(withheldLog(whole))
      }
      const result = start().finally(watchers.close)
      // A caller that only reads the events must not crash on a result that nobody awaits.
      result.catch(watchers.fail)
      return { id, events: watchers, result }
    },
  }
}
