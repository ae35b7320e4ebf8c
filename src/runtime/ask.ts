/** One call to a model, with deadlines, retries and one repair. A failure is a value: this never throws. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ModelError, wordingOf } from '../core/errors.ts'
import type { Voice } from '../core/log/event.ts'
import type { Timing, Usage } from '../core/log/spent.ts'
import { mostPictureTokens } from '../core/question/picture.ts'
import { randomFor } from '../core/random.ts'
import type { Prompt } from '../protocols/protocol.ts'
import type { CallPicture, ModelFacts, Provider } from '../providers/provider.ts'
import { type AttemptListener, attempt, type Deadlines, type Heard } from './attempt.ts'
import { type Meter, priceOf } from './budget.ts'
import { plus, usageOf } from './call-usage.ts'
import { type DraftListener, draftReader } from './draft-reader.ts'
import { jsonIn, longestReply } from './json-reply.ts'
import type { CallQueue } from './limits.ts'
import { isRefusal } from './refusal.ts'
import { type Allow, mostTokensIn, tokensIn } from './tokens.ts'

export interface Asking<T> {
  readonly provider: Provider
  readonly model: string
  readonly prompt: Prompt
  readonly pictures?: readonly CallPicture[]
  readonly voice?: Voice & { readonly seed?: number }
  readonly deadlines: Deadlines
  readonly signal: AbortSignal
  readonly meter: Meter
  readonly queue: CallQueue
  /** In milliseconds. It is handed in so that a log can be reproduced byte for byte. */
  readonly clock: () => number
  /** Names the call. The pauses before retries follow from it. */
  readonly name: string
  read(raw: Record<string, unknown>): T | { readonly problem: string }
  readonly draft?: DraftListener
  onRetry?(attempt: number, why: string): void
}

export type Asked<T> = {
  readonly usage?: Usage
  readonly timing: Timing
  readonly found?: Heard['found']
} & (
  | { readonly status: 'given'; readonly value: T }
  | { readonly status: 'silent'; readonly error: ModelError; readonly problems: readonly string[] }
  | { readonly status: 'abstained'; readonly words: string }
)

const mostTries = 3
const firstPause = 500
const longestPause = 20_000
export const mostOutputTokens = 4_096
/** A call isn't worth starting if there is no room for this many output tokens. */
export const usualOutputTokens = 600
/** What a maker's search adds to the input of one call: it bills what it found as tokens. */
export const searchTokens = { low: 2_000, high: 20_000 } as const
/** A model that thinks first needs several times as many: with fewer, it thinks and has no room left to answer. */
const thinkingShare = 4

const shareFor = ({ reasoning }: ModelFacts): number => (reasoning ? thinkingShare : 1)

const outputTokensFor = ({ prompt }: Asking<unknown>, usual: number): number =>
  Math.min(usual + (prompt.longerBy ?? 0), prompt.maxOutputTokens ?? Infinity)

const isProblem = (value: unknown): value is { problem: string } =>
  typeof value === 'object' && value !== null && 'problem' in value

const repairPart = (problem: string, text: string): string =>
  `Your last reply could not be used: ${problem}. It began: ${JSON.stringify(text.slice(0, 1_000))}\n` +
  'Reply again with one JSON object of the given form and nothing else.'

/** The outcome of a finished reply. */
const outcomeOf = <T>(
  heard: Heard,
  read: Asking<T>['read'],
): { value: T } | { words: string } | { error: ModelError } => {
  if (heard.error) return { error: heard.error }
  if (heard.refusal) return { words: heard.refusal }
  const text = heard.text.trim()
  if (text === '') {
    if (heard.finish === 'filter')
      return { error: { kind: 'content-filter', message: 'the provider filtered the reply' } }
    if (heard.finish === 'length')
      return {
        error: { kind: 'cut-off', message: 'it hit its length limit without a word, perhaps by thinking' },
      }
    return { error: { kind: 'empty', message: 'the reply was empty' } }
  }
  if (text.length > longestReply)
    return { error: { kind: 'bad-shape', message: `the reply is longer than ${longestReply} characters` } }
  const raw = jsonIn(text)
  const headline = typeof raw?.headline === 'string' ? raw.headline : text
  if (isRefusal(headline)) return { words: headline }
  const value = raw === undefined ? { problem: 'it has no JSON object' } : read(raw)
  if (!isProblem(value)) return { value: value as T }
  if (heard.finish === 'length')
    return { error: { kind: 'cut-off', message: `${value.problem}; the reply hit its length limit` } }
  if (heard.finish === 'filter')
    return { error: { kind: 'content-filter', message: 'the provider filtered the reply' } }
  return { error: { kind: 'bad-shape', message: `${value.problem}: ${JSON.stringify(text.slice(0, 200))}` } }
}

/** Only for a prompt longer than this is the provider asked how large the model's context is. */
const longPrompt = 3_000

const factsFor = async (
  { provider, model, signal }: Asking<unknown>,
  promptTokens: number,
): Promise<ModelFacts> => {
  const known = provider.known(model)
  return known.context === undefined && promptTokens > longPrompt
    ? { ...(await provider.facts(model, signal)), ...known }
    : known
}

/** What is the same for all tries of one call. */
interface Prepared {
  readonly facts: ModelFacts
  readonly promptTokens: number
  /** How many tokens the model's context leaves for the reply. */
  readonly room: number
  /** The deadline for all tries. It is set when the first one starts, not while the call waits in the queue. */
  endsAt?: number
  firstToken: number | null
}

const prepare = async (asking: Asking<unknown>): Promise<Prepared> => {
  const { system, user } = asking.prompt
  const seen = (asking.pictures ?? []).reduce((sum, { tokens }) => sum + tokens, 0)
  const promptTokens = user.reduce((sum, part) => sum + tokensIn(part), tokensIn(system) + seen)
  const facts = await factsFor(asking, promptTokens)
  return { facts, promptTokens, room: (facts.context ?? Infinity) - promptTokens, firstToken: null }
}

/** How long to wait before the next try. Undefined if another try can't help. */
const pauseBefore = (
  heard: Heard,
  error: ModelError,
  tries: number,
  random: () => number,
): number | undefined => {
  if (!wordingOf(error.kind).retry || tries >= mostTries) return undefined
  const pause = heard.retryAfterMs ?? firstPause * 2 ** (tries - 1) * (1 + random() / 4)
  return pause <= longestPause ? pause : undefined
}

export const ask = async <T>(asking: Asking<T>): Promise<Asked<T>> => {
  const startedAt = asking.clock()
  const prepared = await prepare(asking)
  const random = randomFor(asking.name)
  const problems: string[] = []
  let usage: Usage | undefined
  let tries = 0
  let repair: string[] = []
  const spent = (): { usage?: Usage; timing: Timing } => {
    const firstToken = prepared.firstToken === null ? null : prepared.firstToken - startedAt
    return { usage, timing: { firstToken, total: asking.clock() - startedAt, attempts: Math.max(1, tries) } }
  }
  const silent = (error: ModelError): Asked<T> => ({ status: 'silent', error, problems, ...spent() })

  if (prepared.room < outputTokensFor(asking, usualOutputTokens)) return silent(tooLong(prepared))
  while (true) {
    tries++
    const { heard, used } = await tryOnce(asking, prepared, repair)
    if (used) usage = plus(usage, used)
    const outcome = outcomeOf(heard, asking.read)
    if ('value' in outcome)
      return { status: 'given', value: outcome.value, ...(heard.found && { found: heard.found }), ...spent() }
    if ('words' in outcome) return { status: 'abstained', words: outcome.words, ...spent() }
    const { error } = outcome
    if (error.kind === 'bad-shape') {
      problems.push(error.message)
      if (repair.length > 0) return silent(error)
      repair = [repairPart(error.message, heard.text)]
    } else {
      const pause = pauseBefore(heard, error, tries, random)
      if (pause === undefined || performance.now() + pause > (prepared.endsAt ?? 0)) return silent(error)
      await sleep(pause, undefined, { signal: asking.signal }).catch(() => undefined)
    }
    asking.onRetry?.(tries + 1, error.message)
  }
}

const tooLong = ({ promptTokens, facts }: Prepared): ModelError => ({
  kind: 'context-overflow',
  message: `the prompt is about ${promptTokens} tokens long, and the model takes ${facts.context} including its answer`,
})

interface Tried {
  readonly heard: Heard
  readonly used?: Usage
}

/** One try, as soon as the provider has room, if the budget has room too. */
const tryOnce = <T>(asking: Asking<T>, prepared: Prepared, repair: readonly string[]): Promise<Tried> => {
  const { prompt, pictures, provider, model, signal, meter, deadlines } = asking
  const { system, shape, shared } = prompt
  const searches = prompt.search ? (provider.searches?.(model) ?? 0) : 0
  const search = searches > 0
  const user = [...prompt.user, ...repair]
  const turn = async (): Promise<Tried> => {
    const { facts, room } = prepared
    const share = shareFor(facts)
    const mostOutput = Math.min(outputTokensFor(asking, mostOutputTokens * share), room)
    const leastOutput = Math.min(outputTokensFor(asking, usualOutputTokens * share), room)
    const inputTokens =
      mostTokensIn([system, ...user, JSON.stringify(shape)]) +
      (pictures?.length ?? 0) * mostPictureTokens +
      (search ? searchTokens.high : 0)
    const price = priceOf(provider, facts.price)
    const reserved = await meter.reserve({ inputTokens, searches, leastOutput, mostOutput }, price, signal)
    if (!reserved)
      return { heard: signal.aborted ? stopped : unheard({ kind: 'budget', message: meter.words }) }
    const { outputTokens: maxOutputTokens } = reserved
    let used: Usage | undefined
    try {
      prepared.endsAt ??= performance.now() + deadlines.total
      const heard = await attempt(
        provider,
        {
          ...{ model, system, user, shape, maxOutputTokens },
          ...(shared && { shared }),
          ...(pictures && { pictures }),
          ...asking.voice,
          ...(search && { search }),
        },
        { ...deadlines, total: Math.max(1, prepared.endsAt - performance.now()) },
        signal,
        listenerFor(asking, prepared, reserved.extend),
      )
      used = usageOf(heard, {
        promptTokens: prepared.promptTokens,
        ...{ maxOutputTokens, searches },
        reserved: inputTokens + reserved.extend(0),
        ...{ price, subscription: provider.subscription },
      })
      return { heard, used }
    } finally {
      // Others may wait for this room, so it is given back even if the call throws.
      reserved.settle(used)
    }
  }
  return asking.queue.run(provider, signal, turn).catch(error => {
    if (!signal.aborted) throw error
    return { heard: stopped }
  })
}

const listenerFor = (
  { clock, draft }: Asking<unknown>,
  prepared: Prepared,
  allow: Allow,
): AttemptListener => {
  const reader = draft && draftReader(draft)
  return {
    allow,
    text(text) {
      prepared.firstToken ??= clock()
      reader?.push(text)
    },
    thinking(text) {
      prepared.firstToken ??= clock()
      draft?.onDelta('thinking', text)
    },
  }
}

const unheard = (error: ModelError): Heard => ({
  text: '',
  thinking: '',
  refusal: '',
  finish: undefined,
  error,
})

const stopped = unheard({ kind: 'cancelled', message: 'stopped while it waited in the queue' })
