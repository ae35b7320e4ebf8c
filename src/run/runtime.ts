/** Runs sessions: new ones from their first event, and those that were left in the middle from where their log stands. */
import { UsageError } from '../core/basics.ts'
import type { LiveEvent, SessionEvent, Usage } from '../core/event.ts'
import type { StoredFile } from '../core/excerpts.ts'
import { fold } from '../core/fold.ts'
import type { Budget, SessionOpened } from '../core/opening.ts'
import type { Session } from '../core/session.ts'
import { documentOf, type SessionDocument } from '../exports/json.ts'
import type { Provider } from '../models/provider.ts'
import type { ModeratorCommand } from '../protocols/index.ts'
import type { Prompt, Protocol } from '../protocols/protocol.ts'
import { readSharpening, type Sharpening, sharpenPrompt } from '../protocols/sharpen.ts'
import { checkSteps } from '../protocols/steps.ts'
import type { Store } from '../store/store.ts'
import { failureWords } from '../words/words.ts'
import { type Asked, ask, askModel, deadlinesWithin, type RunContext, resolveModel } from './ask.ts'
import { bothMeters, callQueues, meterFor, type Slots } from './budget.ts'
import { writer } from './log-writer.ts'
import { noPages } from './material.ts'
import { type Channel, channel, type Runner, run, stopwatchOf, usedBefore } from './run.ts'
import { loadDetector, moderate } from './seat.ts'

// checkTranscript: Has a moderator read an imported transcript; what it finds goes into the log, and code compares.

const isModerators = (command: { readonly type: string }): command is ModeratorCommand =>
  command.type !== 'open-round' && command.type !== 'ask-seat' && command.type !== 'finish'

/** Gives back the whole log. A check that was made before is made anew. */
export const checkTranscript = async (
  runner: Runner,
  moderator: string,
  begun: readonly SessionEvent[],
): Promise<SessionEvent[]> => {
  if (!fold(begun).imported)
    throw new UsageError(
      'Only an imported transcript makes claims that can be checked: this one was counted.',
    )
  const { log, session, append, appendMade } = writer(runner, begun)
  const context: RunContext = {
    ...runner,
    clock: stopwatchOf(runner),
    queue: runner.openQueue(),
    meter: bothMeters(meterFor(undefined, []), runner.payer),
    pages: noPages,
  }
  await append([{ type: 'check-opened', moderator }])
  for (;;) {
    const commands = checkSteps(session()).filter(isModerators)
    if (commands.length === 0) return log
    const found = await Promise.all(commands.map(command => moderate(context, session(), command)))
    for (const [place, command] of commands.entries()) await appendMade(command, found[place]!)
    if (runner.signal.aborted) return log
  }
}

// sharpen: One call to the moderator that a session would have, before there is a session. Nothing of it goes into a log.

export interface Sharpened extends Sharpening {
  /** The model that was asked. */
  readonly moderator: string
  /** What the call used. Null: nobody knows. */
  readonly usage: Usage | null
}

/** The moderator was asked and gave nothing that can be used. */
export class SharpeningFailed extends Error {
  override readonly name = 'SharpeningFailed'
}

const failed = (moderator: string, why: string): SharpeningFailed =>
  new SharpeningFailed(
    `${moderator} could not sharpen the question: ${why}. Ask it as it is, or name another moderator.`,
  )

/** Throws UsageError if there is nobody to ask, and SharpeningFailed if the moderator fails. */
export const sharpen = async (runner: Runner, first: SessionEvent): Promise<Sharpened> => {
  const session = fold([first])
  const { moderator } = session
  if (moderator === null)
    throw new UsageError(
      'Nobody can sharpen the question: this table has no moderator. Name a moderator, or ask the question as it is.',
      'no-moderator',
    )
  if (session.smallModerator)
    throw new UsageError(
      `${moderator} is too small to sharpen a question. Name another moderator, or ask the question as it is.`,
      'no-moderator',
    )
  runner.refuse?.(session)
  const context = {
    ...runner,
    clock: stopwatchOf(runner),
    queue: runner.openQueue(),
    meter: bothMeters(meterFor(session.budget, []), runner.payer),
    pages: noPages,
  }
  const asked = await askModel<Sharpening>(context, session, {
    prompt: sharpenPrompt(session),
    name: 'sharpen',
    read: raw => readSharpening(raw, session),
  })
  if (asked.status === 'silent') throw failed(moderator, failureWords(asked.error))
  if (asked.status === 'abstained') throw failed(moderator, `it declined: ${asked.words}`)
  return { ...asked.value, moderator, usage: asked.usage ?? null }
}

// singleCall: One call to one model outside of any session, under the same limits and deadlines. Nothing of it goes into a log.

export interface SingleCall<T> {
  /** `provider/model`. */
  readonly model: string
  readonly prompt: Prompt
  /** Seconds. */
  readonly deadline: number
  readonly budget?: Budget | undefined
  /** The session that the call belongs to: what it used counts against the budget. */
  readonly after?: Session
  read(raw: Record<string, unknown>): T | { readonly problem: string }
}

export interface Called<T> {
  readonly value: T
  readonly usage?: Usage
}

/** The model was asked and gave nothing that can be used. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly budget: boolean

  constructor(model: string, asked: Exclude<Asked<unknown>, { status: 'given' }>) {
    super(
      `${model} gave no reply that can be used: ${asked.status === 'silent' ? failureWords(asked.error) : asked.words}`,
    )
    this.budget = asked.status === 'silent' && asked.error.kind === 'budget'
  }
}

/** Throws CallFailed if the model fails. */
export const singleCall = async <T>(runner: Runner, call: SingleCall<T>): Promise<Called<T>> => {
  const { model, prompt, deadline, budget, after, read } = call
  const asked = await ask<T>({
    ...runner,
    ...resolveModel(runner.providers, model),
    clock: stopwatchOf(runner),
    prompt,
    read,
    deadlines: deadlinesWithin(deadline * 1_000),
    meter: bothMeters(meterFor(budget, after ? usedBefore(after) : []), runner.payer),
    queue: runner.openQueue(),
    name: `single ${model}`,
  })
  if (asked.status !== 'given') throw new CallFailed(model, asked)
  return { value: asked.value, ...(asked.usage && { usage: asked.usage }) }
}

// watchers: Hands every event of a running session to everybody who watches it; a late watcher gets what was committed.

export interface Watchers extends AsyncIterable<LiveEvent> {
  publish(event: LiveEvent): void
  close(): void
  fail(error: unknown): void
}

export const createWatchers = (): Watchers => {
  const committed: SessionEvent[] = []
  const open = new Set<Channel<LiveEvent>>()
  let ended = false
  let failure: { error: unknown } | undefined
  return {
    publish(event) {
      if ('position' in event) committed.push(event)
      for (const watcher of open) watcher.put(event)
    },
    close() {
      ended = true
      for (const watcher of open) watcher.close()
    },
    fail(error) {
      failure = { error }
      for (const watcher of open) watcher.fail(error)
    },
    [Symbol.asyncIterator]() {
      const watcher = channel<LiveEvent>(committed, () => open.delete(watcher))
      if (failure) watcher.fail(failure.error)
      if (ended) watcher.close()
      open.add(watcher)
      return watcher
    },
  }
}

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
  /** Whose session it is. */
  readonly owner?: Runner['owner']
  /** Whether nobody but its owner may know of the session now. Absent: it is nobody's own. */
  readonly isPrivate?: () => Promise<boolean>
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
  // The machine's clock may be set while a call is under way. One that is handed in is all the time that there is.
  const stopwatch = clock === Date.now ? { stopwatch: () => performance.now() } : {}
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
      ...{
        protocols,
        openQueue,
        clock,
        ...stopwatch,
        store,
        refuse,
        readPage: options.readPage,
        ...watching,
      },
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
        for (const event of log) watchers.publish(event)
        const whole = await carryOn(log, {
          ...(signal && { signal }),
          ...(!store && { file: async (_id, sha256) => files.find(one => one.sha256 === sha256) }),
          publish: watchers.publish,
        })
        return documentOf(whole)
      }
      const result = start().finally(watchers.close)
      // A caller that only reads the events must not crash on a result that nobody awaits.
      result.catch(watchers.fail)
      return { id, events: watchers, result }
    },
  }
}
