/** One call to a model, with deadlines, retries and one repair. A failure is a value: this never throws. */

import { setTimeout as sleep } from 'node:timers/promises'
import {
  hash,
  largestAmount,
  longestText,
  type ModelError,
  randomFor,
  reportWriter,
  UsageError,
  wordingOf,
} from '../core/basics.ts'
import type { DraftField, Happening, LiveEvent, Timing, Usage } from '../core/event.ts'
import type { Seat, Voice } from '../core/opening.ts'
import { type FoundPage, foundPages, mostPictureTokens } from '../core/question.ts'
import { type Session, seatOf } from '../core/session.ts'
import type { Searcher } from '../evidence/search.ts'
import type { CallPicture, ModelCall, ModelFacts, Price, Provider, TokenUsage } from '../models/provider.ts'
import type { Prompt } from '../protocols/protocol.ts'
import { deadlineOf, shareForFirstToken, waitWords } from '../words/progress.ts'
import { type CallQueue, costOf, type Meter, mostOvercount, plus, priceOf } from './budget.ts'
import { type FileOf, type Pages, picturesFor } from './material.ts'
import {
  type Allow,
  type DraftListener,
  draftReader,
  mostTokensIn,
  type ReadObject,
  replyCount,
  replyOutcome,
  reportPieces,
  tokensIn,
} from './reply.ts'

// attempt: One try of a model call: streams it, keeps its deadlines, and never throws.

export interface Deadlines {
  /** Milliseconds until the first token, between two tokens, and in total. */
  readonly first: number
  readonly between: number
  readonly total: number
}

export interface Heard {
  readonly text: string
  readonly thinking: string
  readonly refusal: string
  /** Pages that the model's search found. */
  readonly found?: readonly FoundPage[]
  readonly finish: 'stop' | 'length' | 'filter' | undefined
  readonly usage?: TokenUsage
  readonly error?: ModelError
  readonly retryAfterMs?: number
  /** The reply was longer than it was allowed to be. This is its beginning, and the connection was closed. */
  readonly cut?: boolean
}

export interface AttemptListener {
  /** How long the reply may be. */
  readonly allow: Allow
  text(text: string): void
  thinking(text: string): void
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

/** Milliseconds. A timer that is set for longer fires at once. */
const longestTimer = 2 ** 31 - 1

/**
 * Ends a call that is late. One timer checks the time of the last token: setting a new timer for every token would cost
 * more than the token.
 */
const watchdog = (deadlines: Deadlines, signal: AbortSignal, end: (error: ModelError) => void) => {
  const start = performance.now()
  let last: number | undefined
  let timer: NodeJS.Timeout
  const late = (message: string): void => end({ kind: 'timeout', message })
  const look = (): void => {
    const now = performance.now()
    const due = Math.min(
      start + deadlines.total,
      last === undefined ? start + deadlines.first : last + deadlines.between,
    )
    if (now < due - 1) timer = setTimeout(look, Math.min(due - now, longestTimer))
    else if (now >= start + deadlines.total - 1) late(`not done within ${seconds(deadlines.total)}`)
    else if (last === undefined) late(`no first token within ${seconds(deadlines.first)}`)
    else late(`no token for ${seconds(deadlines.between)}`)
  }
  const cancel = (): void => end({ kind: 'cancelled', message: 'stopped before it answered' })
  timer = setTimeout(look, Math.min(deadlines.first, deadlines.between, deadlines.total, longestTimer))
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  return {
    token(): void {
      last = performance.now()
    },
    stop(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    },
  }
}

/** No limit of tokens allows as much, and a log doesn't take longer texts. */
const endless: ModelError = {
  kind: 'cut-off',
  message: `the reply is longer than ${longestText} characters`,
}

const tooLong = (allowed: number, words: string): ModelError => ({
  kind: 'cut-off',
  message:
    `by our count, the reply was longer than the ${allowed} tokens that it was allowed, so it was cut off. ` +
    `The provider may bill more than was read. It began: ${JSON.stringify(words.slice(0, 200))}`,
})

/** A stream that reports pages without end must not fill the memory. */
const mostReported = 500

export const attempt = async (
  provider: Provider,
  call: Omit<ModelCall, 'signal'>,
  deadlines: Deadlines,
  signal: AbortSignal,
  listener: AttemptListener,
): Promise<Heard> => {
  const controller = new AbortController()
  let text = ''
  let thinking = ''
  let refusal = ''
  let finish: Heard['finish']
  const found: { address: string; title?: string }[] = []
  let usage: TokenUsage | undefined
  let error: ModelError | undefined
  let retryAfterMs: number | undefined
  let over = false
  let cut = false
  const count = replyCount(listener.allow)
  const take = (words: string): string => {
    watch.token()
    const kept = count.take(words)
    cut = kept.length < words.length
    return kept
  }
  const { promise: ended, resolve: endNow } = Promise.withResolvers<void>()
  const giveUp = (problem: ModelError): void => {
    error ??= problem
    over = true
    controller.abort()
    endNow()
  }
  const watch = watchdog(deadlines, signal, giveUp)

  const listen = async (): Promise<void> => {
    for await (const part of provider.stream({ ...call, signal: controller.signal })) {
      if (over) return
      if (text.length + thinking.length + refusal.length > longestText) return giveUp(endless)
      switch (part.type) {
        case 'text': {
          const kept = take(part.text)
          text += kept
          listener.text(kept)
          break
        }
        case 'thinking': {
          const kept = take(part.text)
          thinking += kept
          listener.thinking(kept)
          break
        }
        case 'refusal':
          refusal += take(part.text)
          break
        case 'source':
          watch.token()
          if (found.length < mostReported) found.push(part)
          break
        case 'usage':
          usage = part.usage
          break
        case 'finish':
          finish = part.reason
          break
        case 'error':
          error = part.error
          retryAfterMs = part.retryAfterMs
          return
        default:
          part satisfies never
      }
      if (cut) return giveUp(tooLong(call.maxOutputTokens, text || thinking || refusal))
    }
  }
  // Without the race, a provider that ignores the signal could hold up the table.
  await Promise.race([listen(), ended]).finally(watch.stop)
  if (!error && finish === undefined) error = { kind: 'network', message: 'the reply ended too early' }
  const pages = found.length > 0 && { found: foundPages(found) }
  return { text, thinking, refusal, finish, ...pages, usage, error, retryAfterMs, cut }
}

// callUsage: What a call used: the provider's figures as far as they can be figures, or an estimate from the text.

/** What was known about a call before its reply came. In tokens, besides the searches. */
export interface Allowed {
  readonly promptTokens: number
  readonly maxOutputTokens: number
  /** How many searches it might make. Absent: it couldn't search. */
  readonly searches?: number | undefined
  /** The most that the call may use, input and output together. */
  readonly reserved: number
  readonly price: Price | undefined
  readonly subscription?: boolean | undefined
}

/** No call uses more, and a log takes the sum of a thousand such calls. */
const largestFigure = largestAmount / 1_000

/** Negative figures would give a budget more room than it had, and a log can't hold infinite ones. */
const believable = (usage: TokenUsage | undefined): TokenUsage | undefined => {
  const figures = Object.entries(usage ?? {}).filter(([, figure]) => figure !== undefined)
  if (!usage || figures.some(([, figure]) => !(figure >= 0))) return undefined
  return {
    ...usage,
    ...Object.fromEntries(figures.map(([name, figure]) => [name, Math.min(figure, largestFigure)])),
  }
}

/** What a reply without figures used. Without a word, it used nothing or, if it hit its limit, all that it was allowed. */
const outputIn = ({ text, thinking, refusal, finish, cut }: Heard, allowed: number): number => {
  const counted = tokensIn(text + thinking + refusal)
  if (cut || counted > allowed * mostOvercount) return counted
  return counted === 0 && finish === 'length' ? allowed : Math.min(counted, allowed)
}

export const usageOf = (heard: Heard, allowed: Allowed): Usage | undefined => {
  const { promptTokens, maxOutputTokens, searches, reserved, price, subscription } = allowed
  const reported = believable(heard.usage)
  const outputTokens = outputIn(heard, maxOutputTokens)
  if (!reported && outputTokens === 0 && !heard.found) return undefined
  const usage: TokenUsage = {
    // Somebody who doesn't say how often they searched may have done so as often as they could.
    ...(searches && { searches }),
    ...(reported ?? { inputTokens: promptTokens, outputTokens }),
  }
  const excessTokens = usage.inputTokens + usage.outputTokens - reserved
  return {
    ...usage,
    ...(excessTokens > 0 && { excessTokens }),
    costUsd: price ? costOf(usage, price) : null,
    ...(!reported && { estimated: true }),
    ...(subscription && { subscription: true as const }),
  }
}

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
  /** Milliseconds since some moment, never back. It is handed in so that a log can be reproduced byte for byte. */
  readonly clock: () => number
  /** Names the call. The pauses before retries follow from it. */
  readonly name: string
  readonly read: ReadObject<T>
  /** Absent: a repair isn't noted anywhere, and a process that dies pays for the first reply again. */
  readonly repairs?: Repairs
  readonly draft?: DraftListener
  onRetry?(attempt: number, why: string, waits?: true): void
}

/** Remembers what a model was told of a reply that could not be used. */
export interface Repairs {
  /** What a process told it that died then: the call goes on there. */
  begun(): string | undefined
  note(words: string): void
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

const repairPart = (problem: string, text: string): string =>
  `Your last reply could not be used: ${problem}. It began: ${JSON.stringify(text.slice(0, 1_000))}\n` +
  'Reply again with one JSON object of the given form and nothing else.'

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

/** Milliseconds, if the provider only asks to wait and has done nothing that is paid. Undefined: the try failed. */
const waitWanted = ({ heard, used }: Tried, { kind }: ModelError, waits: number): number | undefined => {
  const { retryAfterMs: wanted } = heard
  if (wanted === undefined || used || (kind !== 'rate-limit' && kind !== 'overload')) return undefined
  // "0" and a date that is over say nothing: asking again at once would only be refused again.
  return wanted >= firstPause ? wanted : Math.min(longestPause, firstPause * 2 ** waits)
}

export const ask = async <T>(asking: Asking<T>): Promise<Asked<T>> => {
  const startedAt = asking.clock()
  const prepared = await prepare(asking)
  const random = randomFor(asking.name)
  const problems: string[] = []
  let usage: Usage | undefined
  let tries = 0
  let waits = 0
  const begun = asking.repairs?.begun()
  let repair = begun === undefined ? [] : [begun]
  const spent = (): { usage?: Usage; timing: Timing } => {
    const since = (at: number): number => Math.round(at - startedAt)
    const firstToken = prepared.firstToken === null ? null : since(prepared.firstToken)
    return { usage, timing: { firstToken, total: since(asking.clock()), attempts: Math.max(1, tries) } }
  }
  const { keyVariable: variable } = asking.provider
  const silent = (error: ModelError): Asked<T> => ({
    ...{ status: 'silent', problems, ...spent() },
    error: error.kind === 'wrong-key' && variable ? { ...error, variable } : error,
  })

  if (prepared.room < outputTokensFor(asking, usualOutputTokens)) return silent(promptTooLong(prepared))
  while (true) {
    tries++
    const tried = await tryOnce(asking, prepared, repair, { tries, later: waits > 0 ? random() : 0 })
    const { heard, used } = tried
    if (used) usage = plus(usage, used)
    const outcome = heard.error ? { error: heard.error } : replyOutcome(heard, asking.read)
    if ('value' in outcome)
      return { status: 'given', value: outcome.value, ...(heard.found && { found: heard.found }), ...spent() }
    if ('words' in outcome) return { status: 'abstained', words: outcome.words, ...spent() }
    const { error } = outcome
    if (error.kind === 'bad-shape') {
      problems.push(error.message)
      if (repair.length > 0) return silent(error)
      const words = repairPart(error.message, heard.text)
      asking.repairs?.note(words)
      repair = [words]
    } else if (tried.heldBack) return silent(error)
    else {
      const wait = waitWanted(tried, error, waits)
      if (wait !== undefined) {
        asking.queue.holdBack(asking.provider, wait, error)
        waits++
        tries--
        continue
      }
      const pause = pauseBefore(heard, error, tries, random)
      if (pause === undefined || performance.now() + pause > (prepared.endsAt ?? 0)) return silent(error)
      await sleep(pause, undefined, { signal: asking.signal }).catch(() => undefined)
    }
    asking.onRetry?.(tries + 1, error.message)
  }
}

const promptTooLong = ({ promptTokens, facts }: Prepared): ModelError => ({
  kind: 'context-overflow',
  message: `the prompt is about ${promptTokens} tokens long, and the model takes ${facts.context} including its answer`,
})

interface Tried {
  readonly heard: Heard
  readonly used?: Usage
  /** It wasn't made: the provider wants to be called after the deadline. */
  readonly heldBack?: true
}

/** One try, as soon as the provider has room, if the budget has room too. */
const tryOnce = <T>(
  asking: Asking<T>,
  prepared: Prepared,
  repair: readonly string[],
  { tries, later }: { readonly tries: number; readonly later: number },
): Promise<Tried> => {
  const { prompt, pictures, provider, model, signal, meter, deadlines } = asking
  const { system, shape, shared } = prompt
  const searches = prompt.search ? (provider.searches?.(model) ?? 0) : 0
  const search = searches > 0
  const user = [...prompt.user, ...repair]
  const turn = async (): Promise<Tried> => {
    const refused = await asking.queue.whenCalled(provider, signal, {
      endsAt: () => (prepared.endsAt ??= performance.now() + deadlines.total),
      later,
      onWait: wait => asking.onRetry?.(tries, waitWords(provider.label, wait), true),
    })
    if (refused) return { heard: unheard(refused), heldBack: true }
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

// context: What is needed to carry out a command, besides the session's state.

export interface RunContext {
  readonly providers: readonly Provider[]
  readonly meter: Meter
  readonly queue: CallQueue
  /** For how long things take: it never goes back. */
  readonly clock: () => number
  /** The person's search endpoint. Absent: a model searches. */
  readonly searcher?: Searcher | undefined
  readonly repairs?: Repairs
  /** Pages that answers cite. */
  readonly pages: Pages
  readonly signal: AbortSignal
  /** Where the pictures of a question are read. */
  readonly file?: FileOf
  /** Tells the watchers. What it gets isn't stored. */
  readonly publish: (event: LiveEvent) => void
}

/** The provider and the model's id there, from a name in a log such as `lab/some/model`. */
export const resolveModel = (
  providers: readonly Provider[],
  name: string,
): { provider: Provider; model: string } => {
  const slash = name.indexOf('/')
  const id = slash < 0 ? '' : name.slice(0, slash)
  const model = name.slice(slash + 1)
  const provider = providers.find(candidate => candidate.id === id)
  if (provider && model !== '') return { provider, model }
  const known = providers.map(candidate => candidate.id).join(', ') || 'none'
  throw new UsageError(
    `"${name}" cannot be asked: its provider is not configured. Configured providers: ${known}.`,
    'not-configured',
  )
}

/** A stream that has started and then stops is most likely dead. */
const longestPauseBetweenTokens = 45_000

export const deadlinesWithin = (total: number): Deadlines => ({
  first: total * shareForFirstToken,
  between: Math.min(total, longestPauseBetweenTokens),
  total,
})

export const deadlinesFor = (session: Session, seat?: string): Deadlines =>
  deadlinesWithin(deadlineOf(session, seat) * 1_000)

// askModel: The one way in which a session asks a model, and turns whatever comes back into one event.

export interface ModelRequest<T> {
  readonly prompt: Prompt
  /** Names the call within the session: its pauses before a retry follow from this. */
  readonly name: string
  /** The moderator writes the report of this round, and watchers see it. */
  readonly reportOn?: number
  /** The seat that is asked, and what for. Watchers see its words as it writes. Absent: the moderator is asked. */
  readonly to?: { readonly round: number; readonly turn?: number; readonly seat: string }
  readonly read: ReadObject<T>
}

/** Nobody gave the seed: it is the session's id, alone or followed by random digits. A fork has that of the other session. */
const isOwnSeed = ({ seed, id, forkedFrom }: Session): boolean =>
  seed === id ||
  seed.startsWith(`${id} `) ||
  (forkedFrom?.round !== undefined && /^[\w-]{1,100} [0-9a-f]{16}$/.test(seed))

/** The session's seed reaches the models only if a person gave one: its own id would mean nothing to them. */
const voiceOf = (session: Session, seat: Seat): Voice & { seed?: number } => ({
  ...(seat.temperature !== undefined && { temperature: seat.temperature }),
  ...(seat.effort && { effort: seat.effort }),
  // Thirty-one bits: some makers accept no more.
  ...(!isOwnSeed(session) && { seed: hash(`${session.seed} ${seat.id}`) >>> 1 }),
})

/** A small moderator only compares. At a higher temperature it would guess. */
const moderatorVoice = ({ smallModerator }: Session): { voice?: Voice } =>
  smallModerator ? { voice: { temperature: 0 } } : {}

const lost = (name: string): Asked<never> => ({
  status: 'silent',
  error: { kind: 'bad-request', message: `the picture ${name} is no longer there: attach it again` },
  problems: [],
  timing: { firstToken: null, total: 0, attempts: 1 },
})

export const askModel = async <T>(
  context: RunContext,
  session: Session,
  { to, reportOn, name, ...request }: ModelRequest<T>,
): Promise<Asked<T>> => {
  const seat = to && seatOf(session, to.seat)
  const pictures = seat?.sees ? await picturesFor(session, context.file) : undefined
  if (pictures && 'missing' in pictures) return lost(pictures.missing)
  const writer = to ?? (reportOn === undefined ? undefined : { round: reportOn, seat: reportWriter })
  const piece = (field: DraftField, text: string): void => {
    if (writer) context.publish({ type: 'delta', ...writer, field, text })
  }
  return ask<T>({
    ...context,
    ...request,
    ...resolveModel(context.providers, seat?.model ?? session.moderator ?? ''),
    ...(pictures && { pictures }),
    ...(seat ? { voice: voiceOf(session, seat) } : moderatorVoice(session)),
    deadlines: deadlinesFor(session, seat?.id),
    name: `${session.seed} ${name}`,
    ...(writer && {
      draft: to ? { onDelta: piece } : reportPieces(session, piece),
      onRetry: (attempt, why, waits) =>
        context.publish({ type: 'retrying', ...writer, attempt, why, ...(waits && { waits }) }),
    }),
  })
}

/** The event that each outcome of a call becomes. */
export interface EventFor<T> {
  given(value: T): Happening
  failed(error: ModelError): Happening
  /** Absent: a model that declines has failed. */
  declined?(words: string): Happening
}

const eventOf = <T>(asked: Asked<T>, eventFor: EventFor<T>): Happening => {
  switch (asked.status) {
    case 'given':
      return eventFor.given(asked.value)
    case 'silent':
      return eventFor.failed(asked.error)
    case 'abstained':
      return (
        eventFor.declined?.(asked.words) ??
        eventFor.failed({ kind: 'content-filter', message: `it declined: ${asked.words}` })
      )
    default:
      return asked satisfies never
  }
}

/** One event for one call, with what the call used. */
export const eventFrom = <T>(asked: Asked<T>, eventFor: EventFor<T>): Happening => {
  const { usage, timing } = asked
  return { ...eventOf(asked, eventFor), ...(usage && { usage }), timing } as Happening
}
