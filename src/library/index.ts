/** Roundtable as a library. */
import { UsageError } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { SessionOpened } from '../core/opening.ts'
import { dayId } from '../run/run.ts'
import {
  createRuntime,
  type Running,
  type Runtime,
  type RuntimeOptions,
  type Sharpened,
  type Watch,
} from '../run/runtime.ts'
import { trackRecordIn } from '../store/archive.ts'
import type { Store } from '../store/store.ts'
import type { AskInput } from '../table/ask.ts'
import { type Estimate, sourcesOf } from '../table/estimate.ts'
import { forkAt, forkOf } from '../table/fork.ts'
import { type Reach, type ReachOptions, reachOf } from '../table/reach.ts'
import { type Links, linked, type Opening, openingOf, withExhibits } from '../table/resolve.ts'
import { checkerFor } from '../table/seats.ts'

export { type AgentOptions, type AgentReach, openAgents } from '../agents/table.ts'
export { type ModelError, type ModelErrorKind, UsageError, type UsageKind } from '../core/basics.ts'
export type {
  Command,
  Delta,
  LiveEvent,
  Report,
  Retrying,
  SessionEvent,
  Timing,
  Usage,
} from '../core/event.ts'
export { fold } from '../core/fold.ts'
export type { Kind } from '../core/form.ts'
export { type Budget, type Carry, type Letter, letterTask, type Seat } from '../core/opening.ts'
export type { Answer, Credit, Format, Reason } from '../core/question.ts'
export { isClosed, latestRound, type Session } from '../core/session.ts'
export type { Camp } from '../count/camps.ts'
export { type BookLetter, lettersIn, lettersToHandOn } from '../count/letters.ts'
export type { Flip, Move } from '../count/moves.ts'
export type { Level, Tally } from '../count/tally.ts'
export { type ModelRecord, type TrackRecord, trackRecordOf } from '../count/track-record.ts'
export {
  type Concession,
  concessionsOf,
  type Flag,
  flags,
  type Influence,
  influenceOf,
  type Verdict,
  verdictOf,
} from '../count/verdict.ts'
export { type AttachedFile, type Exhibit, exhibitFrom as readExhibit } from '../evidence/files.ts'
export { exporters, importText } from '../exports/index.ts'
export type { SessionDocument } from '../exports/json.ts'
export type { EndpointSettings } from '../models/chat.ts'
export type { ModelCall, ModelFacts, ModelPart, Price, Provider } from '../models/provider.ts'
export { scripted } from '../models/scripted.ts'
export { sealedPrompt } from '../protocols/prompt.ts'
export type { Expectation, Load, Prompt, Protocol } from '../protocols/protocol.ts'
export { asks, conclude, groupClosed, openNext } from '../protocols/steps.ts'
export { type Running, type Sharpened, SharpeningFailed } from '../run/runtime.ts'
export type { Archive } from '../store/archive.ts'
export { memoryStore } from '../store/memory.ts'
export { fileStore, PositionTaken, type Store } from '../store/store.ts'
export type { AskInput } from '../table/ask.ts'
export type { Estimate, Range } from '../table/estimate.ts'
export type { MakerOptions } from '../table/reach.ts'

// roundtable: The entry of the library: ask a table, watch it live, get the session.

export interface RoundtableOptions
  extends ReachOptions,
    Pick<RuntimeOptions, 'store' | 'slots' | 'clock' | 'readPage'> {
  /** With a fixed clock and id, the same replies give the same log. */
  readonly newId?: () => string
}

/** What a fork changes, and the last round that it shares with the other session. */
export type ForkChanges = Partial<AskInput> & { readonly at?: number }

export interface Roundtable extends Pick<Runtime, 'carryOn'> {
  /** Everything that can be seated. */
  readonly reach: Reach
  /**
   * Returns at once; throws UsageError if the request can't be asked. A question that follows another session, by `after`,
   * needs a store to read it from; what is wrong with it then rejects the result.
   */
  ask(input: AskInput): Running
  /**
   * Forks a session, given by its log. With `at`, everything up to the close of that round is copied, and only what comes
   * after it is asked; otherwise the question is asked anew. Returns at once; what is wrong rejects the result.
   */
  fork(log: readonly SessionEvent[], changes?: ForkChanges): Running
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
  const { providers, protocols, searcher } = reach
  const runtime = createRuntime({
    ...{ providers, protocols, clock, searcher, readPage: options.readPage },
    ...(store && { store }),
    ...(slots && { slots }),
  })
  const storeOfBefore = (): Store => {
    if (!store) throw new UsageError('Sessions of before are read from a store: create the table with one.')
    return store
  }
  const logOf = async (id: string): Promise<readonly SessionEvent[]> => storeOfBefore().read(id)
  const fileOf = async (id: string, sha256: string): Promise<string | undefined> =>
    (await store?.file(id, sha256))?.data
  /** The files of a session before are read from its store. */
  const settled = async (input: AskInput, id: string, links?: Links): Promise<Opening> =>
    openingOf(await withExhibits(input, fileOf), id, reach, [], links)
  const linkedOpening = async (given: AskInput, id: string): Promise<Opening> => {
    const { input, links } = await linked(given, reach, logOf)
    const record = input.record && (await trackRecordIn(storeOfBefore()))
    return settled(input, id, { ...links, ...(record && { record }) })
  }
  const isLinked = ({ after, carry, forkedFrom, record }: AskInput): boolean =>
    (after ?? carry ?? forkedFrom) !== undefined || record === true
  const begin = (id: string, settle: () => Promise<Opening>, signal?: AbortSignal): Running => {
    let opening: Opening | undefined
    const first = async (now: () => number) => {
      opening = await settle()
      return opening.first(now)
    }
    return runtime.begin(
      {
        opened: { id },
        first,
        rest: now => opening?.rest?.(now) ?? [],
        get files() {
          return opening?.files ?? []
        },
      },
      signal,
    )
  }
  return {
    reach,
    carryOn: runtime.carryOn,
    check: async (log, moderator, watch) => runtime.check(log, checkerFor(moderator, reach), watch),
    estimate: ({ after: _after, ...input }) => openingOf(input, 'estimate', reach).estimate,
    sharpen: async input => runtime.sharpen(await linkedOpening(input, newId()), input.signal),
    open: async (input, id = newId()) => (await linkedOpening(input, id)).first(clock),
    ask(input) {
      const id = newId()
      if (isLinked(input)) return begin(id, () => linkedOpening(input, id), input.signal)
      return runtime.begin(openingOf(input, id, reach), input.signal)
    },
    fork(log, { at, ...changes } = {}) {
      const id = newId()
      const settle = async (): Promise<Opening> => {
        if (at !== undefined) return forkAt(log, at, changes, reach, input => settled(input, id))
        const session = fold(log)
        const { after, letters } = session
        const input = forkOf(session, {
          ...(letters && !changes.letters && { given: letters.given }),
          ...changes,
        })
        return settled(input, id, {
          ...{ ...(after && { after }), forkedFrom: { session: session.id } },
          ...sourcesOf(session, input),
        })
      }
      return begin(id, settle, changes.signal)
    },
  }
}
