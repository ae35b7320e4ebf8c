/** Turns whatever an AI SDK package throws into one typed error, in the maker's own words. */

import { createRequire } from 'node:module'
import type {
  APICallError as CallError,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4ProviderTool,
  LanguageModelV4Source,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { ModelError } from '../core/basics.ts'
import type { Shape } from '../core/form.ts'
import { speaksOfSchema } from './chat.ts'
import { thinkBlock } from './chat-reply.ts'
import {
  agent,
  cleanSource,
  lazily,
  limitedTo,
  mostErrorBytes,
  mostReplyBytes,
  networkError,
  type ProviderProblem,
  presentable,
  problemFrom,
  problemIn,
  ReplyTooLarge,
  redactedWriter,
  reportedError,
  retryAfter,
  schemaInWords,
  secretsFrom,
  statusError,
  undici,
} from './http.ts'
import {
  type CallPicture,
  type MakerSettings,
  type ModelCall,
  type ModelFacts,
  type ModelPart,
  type Provider,
  pictureLabel,
  type SearchTerms,
  type TextType,
  type TokenUsage,
  withSearchFee,
} from './provider.ts'

const require = createRequire(import.meta.url)

/** Loaded by the first request. It stays out of the types of http.ts, which the library shows. */
const sdk = lazily((): typeof import('@ai-sdk/provider') => require('@ai-sdk/provider'))

export interface SdkFailure {
  readonly error: ModelError
  readonly retryAfterMs?: number
}

/** Errors in a stream, and those of the gateway's package, have a status but aren't an APICallError. */
const statusOf = (error: unknown): number | undefined => {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400 ? statusCode : undefined
}

/** A reply that isn't in the maker's format may still be an error in another known format. */
const unreadable = (problem: ProviderProblem, secrets: readonly string[]): ModelError => {
  if (problem.code !== '' || problem.status !== undefined) return reportedError(problem, secrets)
  const words = `the reply isn't in the maker's format: ${problem.words || 'it is empty'}`
  return { kind: 'server-error', message: presentable(words, secrets) }
}

const callFailure = (error: CallError, secrets: readonly string[]): SdkFailure => {
  const { statusCode, responseBody, responseHeaders = {}, url, cause } = error
  if (statusCode === undefined) return { error: networkError(error, new URL(url), false, secrets) }
  if (statusCode < 300) {
    if (responseBody !== undefined) return { error: unreadable(problemFrom(responseBody), secrets) }
    return { error: networkError(cause instanceof Error ? cause : error, new URL(url), true, secrets) }
  }
  // If the package can't read the body, its own message is only the status text.
  const problem = problemFrom(responseBody ?? error.message)
  const retryAfterMs = retryAfter(responseHeaders, Date.now()) ?? problem.retryAfterMs
  return {
    error: statusError(statusCode, responseHeaders, problem, secrets),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

export const sdkError = (error: unknown, secrets: readonly string[]): SdkFailure => {
  const { APICallError, JSONParseError, TypeValidationError } = sdk()
  if (APICallError.isInstance(error)) return callFailure(error, secrets)
  // The gateway's package wraps the call's error and replaces the gateway's message with its own.
  if (error instanceof Error && APICallError.isInstance(error.cause)) return callFailure(error.cause, secrets)
  if (TypeValidationError.isInstance(error)) return { error: unreadable(problemIn(error.value), secrets) }
  if (JSONParseError.isInstance(error)) return { error: unreadable(problemFrom(error.text), secrets) }
  const problem = problemIn(error instanceof Error ? { message: error.message } : error)
  const status = statusOf(error)
  return {
    error: status === undefined ? reportedError(problem, secrets) : statusError(status, {}, problem, secrets),
  }
}

// maker: What a maker adds to its AI SDK package: how to load it, and what the package gets wrong.

export type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>

export interface SdkSettings extends MakerSettings {
  /** Passed to the package: it waits as long as the call does, and handles replies that aren't streamed. */
  readonly fetch: typeof globalThis.fetch
}

/** Where a maker may say how often it searched: in its usage, or in what its package reports besides. */
export interface SaidOfSearch {
  readonly usage: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The maker's own search tool, which runs on its side. */
export interface SearchTool {
  readonly tool: LanguageModelV4ProviderTool
  readonly terms: (model: string) => SearchTerms
  /** How many searches a reply says it made. Absent, or undefined: as many as its stream shows calls of the tool. */
  readonly made?: (said: SaidOfSearch, model: string) => number | undefined
  /** The models that take it. Absent: all. */
  readonly models?: RegExp
  /** The models that take a JSON schema beside it. Others get the schema in the prompt. */
  readonly structured?: RegExp
}

export interface SdkMaker {
  readonly id: string
  readonly label: string
  /** Imports the maker's package and returns a model of it. `search`: it is to use the search tool. */
  model(connection: SdkSettings, id: string, search: boolean): Promise<LanguageModelV4>
  /** The media types of pictures that it takes, if those aren't all that can be attached. */
  readonly pictureMedia?: readonly string[]
  /** The maker's own options for this call. `shown`: whether to ask for the text of its reasoning. */
  readonly options?: (call: ModelCall, shown: boolean) => ProviderOptions
  /** Marks on a part of the message, such as a cache point. */
  readonly partOptions?: (call: ModelCall, index: number) => ProviderOptions | undefined
  /** Whether the maker enforces a JSON schema for this model; otherwise the schema goes into the prompt. */
  readonly structured?: (model: string) => boolean
  /** Absent: the maker has none that is known here. */
  readonly search?: SearchTool
  /** Rewrites a schema for a maker that wants more than a JSON schema says. */
  readonly schema?: (json: Shape['json']) => Shape['json']
  /** Corrects the usage that the package reads. */
  readonly usage?: (usage: TokenUsage, raw: Readonly<Record<string, unknown>>) => TokenUsage
  /**
   * The words of a refusal in one of the maker's events, if the package drops them or returns them as
   * text; '' for an event that belongs to a refusal but has no words.
   */
  readonly refusal?: (event: Readonly<Record<string, unknown>>) => string | undefined
  /** The list of the maker's models. It is also the cheapest request to check a key with. */
  readonly listing: (settings: MakerSettings) => {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }
}

// reply: Turns the stream of a maker's package into our parts.

const usageOf = (
  maker: SdkMaker,
  { inputTokens, outputTokens, raw }: LanguageModelV4Usage,
): TokenUsage | undefined => {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return undefined
  const usage: TokenUsage = {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    ...(inputTokens.cacheRead && { cachedTokens: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite && { cacheWriteTokens: inputTokens.cacheWrite }),
    ...(outputTokens.reasoning && { reasoningTokens: outputTokens.reasoning }),
  }
  return maker.usage && raw ? maker.usage(usage, raw) : usage
}

export const cutOff: ModelError = {
  kind: 'network',
  message: 'connection closed mid-answer: the stream ended without a finish reason',
}

const broken: ModelError = {
  kind: 'server-error',
  message: 'the provider reported an error without a message',
}

/** Packages give every stream a finish reason, even one that was cut: that one lacks the maker's `raw` reason. */
const endOf = ({ unified, raw }: LanguageModelV4FinishReason): ModelPart => {
  if (unified === 'length') return { type: 'finish', reason: 'length' }
  if (unified === 'content-filter') return { type: 'finish', reason: 'filter' }
  if (unified === 'error') return { type: 'error', error: broken }
  return unified === 'interrupted' || (unified === 'other' && raw === undefined)
    ? { type: 'error', error: cutOff }
    : { type: 'finish', reason: 'stop' }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Pages only: a maker's own files are nobody's to read. */
const sourceIn = (part: LanguageModelV4Source, secrets: readonly string[]): ModelPart[] => {
  if (part.sourceType !== 'url') return []
  const { url: address, title } = part
  return cleanSource({ type: 'source', address, ...(title !== undefined && { title }) }, secrets)
}

type Ending = Pick<LanguageModelV4GenerateResult, 'finishReason' | 'usage' | 'providerMetadata'>

export interface SdkReply {
  /** The parts that come from this one. Throws what the package reports as an error. */
  read(part: LanguageModelV4StreamPart): ModelPart[]
  whole(result: LanguageModelV4GenerateResult): ModelPart[]
  /** The text that was held back, for a reply that breaks off. */
  rest(): ModelPart[]
}

export const sdkReply = (
  maker: SdkMaker,
  { model, search }: Pick<ModelCall, 'model' | 'search'>,
  secrets: readonly string[],
): SdkReply => {
  let ready: ModelPart[] = []
  const searched = new Set<string>()
  /** The last event was a refusal, so what the package makes of it isn't text. */
  let refused = false
  const clean = redactedWriter(secrets, (type, text) => ready.push({ type, text }))
  const answer = thinkBlock(clean.write)
  const taken = (): ModelPart[] => {
    const parts = ready
    ready = []
    return parts
  }
  const write = (type: TextType, text: string): ModelPart[] => {
    if (type === 'text') answer.write(type, text)
    else clean.write(type, text)
    return taken()
  }
  const rest = (): ModelPart[] => {
    answer.flush()
    clean.flush()
    return taken()
  }
  const refusalIn = (event: unknown): ModelPart[] => {
    const words = isRecord(event) ? maker.refusal?.(event) : undefined
    refused = words !== undefined
    return words ? write('refusal', words) : []
  }
  const searchesIn = (raw: LanguageModelV4Usage['raw'], metadata: unknown): { searches?: number } => {
    if (!search || !maker.search) return {}
    const said = { usage: raw ?? {}, metadata: isRecord(metadata) ? metadata : {} }
    return { searches: maker.search.made?.(said, model) ?? searched.size }
  }
  const finish = ({ finishReason, usage: figures, providerMetadata }: Ending): ModelPart[] => {
    const usage = usageOf(maker, figures)
    const whole = usage && { ...usage, ...searchesIn(figures.raw, providerMetadata) }
    return [...rest(), ...(whole ? [{ type: 'usage', usage: whole } as const] : []), endOf(finishReason)]
  }
  /** A call of the search tool: the maker makes it, and charges for it. */
  const noteSearch = (part: LanguageModelV4ToolCall): ModelPart[] => {
    if (part.toolName === maker.search?.tool.name) searched.add(part.toolCallId)
    return []
  }
  return {
    rest,
    read(part) {
      if (part.type === 'raw') return refusalIn(part.rawValue)
      if (part.type === 'text-delta') return refused ? [] : write('text', part.delta)
      if (part.type === 'reasoning-delta') return write('thinking', part.delta)
      if (part.type === 'source') return sourceIn(part, secrets)
      // Packages that don't know refusals report one as a broken event.
      if (part.type === 'error' && !refused) throw part.error
      if (part.type === 'tool-call') return noteSearch(part)
      return part.type === 'finish' ? finish(part) : []
    },
    whole(result) {
      const said = result.content.flatMap(part => {
        if (part.type === 'tool-call') return noteSearch(part)
        if (part.type === 'text') return write('text', part.text)
        if (part.type === 'source') return sourceIn(part, secrets)
        return part.type === 'reasoning' ? write('thinking', part.text) : []
      })
      return [...said, ...finish(result)]
    },
  }
}

// request: Builds the AI SDK's options for a call, without those that a model has rejected.

/** Options that some models reject, and how makers say so. The first match is left out. */
const optional = {
  schema: speaksOfSchema,
  /** JSON without a schema, which some models reject too. */
  json: speaksOfSchema,
  temperature: /\btemperature\b/i,
  seed: /\b(?:random_)?seed\b/i,
  /** Some models don't show reasoning, and some makers show it only to verified customers. */
  shown: /reasoning[ ._]summar|\bthinking|thought/i,
  effort: /\beffort\b|\bthinking|\breasoning/i,
} as const
export type Optional = keyof typeof optional

const isSet = (call: ModelCall, field: Optional): boolean => {
  if (field === 'schema' || field === 'json' || field === 'shown') return true
  return call[field] !== undefined
}

/** The option that a maker rejected, if it can be left out. */
export const refusedOption = (
  call: ModelCall,
  without: ReadonlySet<Optional>,
  { kind, message }: ModelError,
): Optional | undefined => {
  if (kind !== 'bad-request') return undefined
  const fields = Object.keys(optional) as Optional[]
  return fields.find(field => isSet(call, field) && !without.has(field) && optional[field].test(message))
}

const pictureParts = (picture: CallPicture) => [
  { type: 'text' as const, text: pictureLabel(picture) },
  {
    type: 'file' as const,
    mediaType: picture.media,
    data: { type: 'data' as const, data: picture.data },
  },
]

const promptOf = (
  maker: SdkMaker,
  call: ModelCall,
  native: boolean,
): LanguageModelV4CallOptions['prompt'] => {
  const parts = native ? call.user : [...call.user, schemaInWords(call.shape)]
  return [
    ...(call.system === '' ? [] : [{ role: 'system' as const, content: call.system }]),
    {
      role: 'user',
      content: [
        ...(call.pictures ?? []).flatMap(pictureParts),
        ...parts.map((text, index) => {
          const providerOptions = maker.partOptions?.(call, index)
          return {
            type: 'text' as const,
            text: index === 0 ? text : `\n\n${text}`,
            ...(providerOptions && { providerOptions }),
          }
        }),
      ],
    },
  ]
}

const formatOf = (
  maker: SdkMaker,
  { shape: { name, json } }: ModelCall,
  without: ReadonlySet<Optional>,
): LanguageModelV4CallOptions['responseFormat'] => {
  if (!without.has('schema')) return { type: 'json', name, schema: maker.schema?.(json) ?? json }
  return { type: without.has('json') ? 'text' : 'json' }
}

export const callOptions = (
  maker: SdkMaker,
  call: ModelCall,
  without: ReadonlySet<Optional>,
): LanguageModelV4CallOptions => {
  const native = !without.has('schema')
  const { temperature, seed, effort, ...rest } = call
  const taken: ModelCall = {
    ...rest,
    ...(temperature !== undefined && !without.has('temperature') && { temperature }),
    ...(seed !== undefined && !without.has('seed') && { seed }),
    ...(effort !== undefined && !without.has('effort') && { effort }),
  }
  return {
    prompt: promptOf(maker, call, native),
    maxOutputTokens: call.maxOutputTokens,
    responseFormat: formatOf(maker, call, without),
    abortSignal: call.signal,
    includeRawChunks: maker.refusal !== undefined,
    ...(call.search && maker.search && { tools: [maker.search.tool] }),
    ...(taken.temperature !== undefined && { temperature }),
    ...(taken.seed !== undefined && { seed }),
    ...(taken.effort !== undefined && { reasoning: taken.effort }),
    ...(maker.options && { providerOptions: maker.options(taken, !without.has('shown')) }),
  }
}

// wire: The `fetch` that a maker's package uses.

type Fetch = typeof globalThis.fetch

/** Like Node's own `fetch`, which gives up after five minutes, but with our timeouts. */
const patient = (input: Parameters<Fetch>[0], init: RequestInit): ReturnType<Fetch> => {
  const fetch = undici().fetch as unknown as (
    input: Parameters<Fetch>[0],
    init: RequestInit & { readonly dispatcher: ReturnType<typeof agent> },
  ) => ReturnType<Fetch>
  return fetch(input, { ...init, dispatcher: agent() })
}

/** A server that doesn't stream replies with one object, and a wrong address with a page. */
const notStreamed = /^(?:application\/json|text\/html)\b/

export interface SdkWire {
  readonly fetch: Fetch
  /** Whether the reply came in one body. If so, the next request isn't sent and gets this body as its reply. */
  readonly whole: () => boolean
  /** Whether the reply was cut off because it was too large. */
  readonly tooLarge: () => boolean
}

/** For one call, whose reply may have this many bytes. The packages themselves read without a limit. */
export const sdkWire = (most: number): SdkWire => {
  let body: string | undefined
  let tooLarge = false
  const cut = (): Error => {
    tooLarge = true
    return new ReplyTooLarge(most)
  }
  return {
    whole: () => body !== undefined,
    tooLarge: () => tooLarge,
    async fetch(input, init) {
      if (body !== undefined) return new Response(body, { headers: { 'content-type': 'application/json' } })
      // A redirect would send the key to another address.
      const reply = await patient(input, { ...init, redirect: 'manual' })
      if (!reply.ok) return limitedTo(mostErrorBytes, reply)
      const response = limitedTo(most, reply, cut)
      if (!notStreamed.test(response.headers.get('content-type') ?? '')) return response
      const text = await response.text()
      if (/^\s*(?:data|event|id|retry)?:/.test(text)) return new Response(text)
      body = text
      throw new Error("the reply isn't a stream")
    },
  }
}

// call: One call through a maker's package. It is repeated only if an option of the request was rejected.

const cancelled: ModelPart = {
  type: 'error',
  error: { kind: 'cancelled', message: 'the call was cancelled' },
}

/** A server that ignores the token limit must not fill the memory. No token has more characters than this. */
const mostCharacters = (call: ModelCall): number => 1_048_576 + call.maxOutputTokens * 64

/** The parts of one request. Throws if it fails. */
async function* attempt(
  maker: SdkMaker,
  settings: MakerSettings,
  call: ModelCall,
  without: ReadonlySet<Optional>,
  reply: SdkReply,
): AsyncGenerator<ModelPart> {
  const wire = sdkWire(mostReplyBytes(call))
  const model = await maker.model({ ...settings, fetch: wire.fetch }, call.model, call.search === true)
  const options = callOptions(maker, call, without)
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream) yield* reply.read(part)
  } catch (error) {
    if (wire.tooLarge()) {
      yield* reply.rest()
      return yield { type: 'finish', reason: 'length' }
    }
    if (!wire.whole()) throw error
    yield* reply.whole(await model.doGenerate(options))
  }
}

/** Repeats a call without what the model rejects, and adds that to `without`. */
async function* asked(
  maker: SdkMaker,
  settings: MakerSettings,
  secrets: readonly string[],
  call: ModelCall,
  without: Set<Optional>,
): AsyncGenerator<ModelPart> {
  const reply = sdkReply(maker, call, secrets)
  // Parallel calls may add to `without` meanwhile: a rejection is about what this call has sent.
  const tried = new Set(without)
  let last: ModelPart | undefined
  let size = 0
  try {
    for await (const part of attempt(maker, settings, call, tried, reply)) {
      last = part
      yield part
      if ('text' in part) size += part.text.length
      if (size > mostCharacters(call)) return yield { type: 'finish', reason: 'length' }
    }
    // Some packages end an empty reply without a finish part.
    if (last?.type !== 'finish' && last?.type !== 'error') yield { type: 'error', error: cutOff }
    return
  } catch (error) {
    yield* reply.rest()
    if (call.signal.aborted) return yield cancelled
    const failure = sdkError(error, secrets)
    const refused = last ? undefined : refusedOption(call, tried, failure.error)
    if (refused === undefined) return yield { type: 'error', ...failure }
    without.add(refused)
  }
  yield* asked(maker, settings, secrets, call, without)
}

/** Starts a call. If the reader leaves early, the connection is closed, even if the package would read on. */
export async function* sdkCall(
  maker: SdkMaker,
  settings: MakerSettings,
  secrets: readonly string[],
  call: ModelCall,
  without: Set<Optional>,
): AsyncGenerator<ModelPart> {
  if (call.signal.aborted) return yield cancelled
  const left = new AbortController()
  const signal = AbortSignal.any([call.signal, left.signal])
  try {
    yield* asked(maker, settings, secrets, { ...call, signal }, without)
  } finally {
    left.abort()
  }
}

/** Google keeps to an order of keys for sure only if each object of the schema names it; older models sort them. */
type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const inside = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inside)
  return isSchema(value) ? withPropertyOrder(value) : value
}

/** The schema with its order of keys spelled out, nested objects included. */
export const withPropertyOrder = ({ properties, ...schema }: Schema): Schema => ({
  ...Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inside(value)])),
  ...(isSchema(properties) && {
    properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inside(value)])),
    propertyOrdering: Object.keys(properties),
  }),
})

// provider: A provider over one of the AI SDK's packages: the package speaks the maker's wire format, and its
// stream is turned into our parts. It calls the model's own `doStream`; the runtime does retries, deadlines
// and JSON. The first call loads the package, because every command connects all makers.

const listTimeoutMs = 10_000

export const sdkProvider = (maker: SdkMaker, settings: MakerSettings): Provider => {
  const secrets = secretsFrom([settings.key])
  /** The options that each model has rejected: sending them again would cost a call each time. */
  const refused = new Map<string, Set<Optional>>()
  const refusedAtFirst = (model: string, search: boolean): Optional[] => {
    if (search) return maker.search?.structured?.test(model) ? [] : ['schema', 'json']
    return maker.structured?.(model) === false ? ['schema'] : []
  }
  /** A model that searches may reject what it takes otherwise. */
  const refusedBy = (model: string, search = false): Set<Optional> => {
    const key = search ? `${model} searching` : model
    const known = refused.get(key) ?? new Set(refusedAtFirst(model, search))
    refused.set(key, known)
    return known
  }
  const termsFor = (model: string): SearchTerms | undefined =>
    maker.search && (maker.search.models?.test(model) ?? true) ? maker.search.terms(model) : undefined
  const known = (model: string): ModelFacts => withSearchFee(settings.known(model), termsFor(model))
  return {
    id: maker.id,
    label: maker.label,
    ...(settings.limits && { limits: settings.limits }),
    ...(maker.pictureMedia && { pictureMedia: maker.pictureMedia }),
    async *stream(call: ModelCall): AsyncGenerator<ModelPart> {
      yield* sdkCall(maker, settings, secrets, call, refusedBy(call.model, call.search))
    },
    searches: model => termsFor(model)?.most ?? 0,
    known,
    facts: async model => known(model),
    async list(signal) {
      const { listedModels, modelList } = await import('./model-list.ts')
      const { url, headers } = maker.listing(settings)
      const request = { url: new URL(url), method: 'GET' as const, headers }
      const timeout = AbortSignal.timeout(listTimeoutMs)
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      const list = await modelList(request, either, secrets)
      return 'error' in list ? list : listedModels(list)
    },
  }
}

// responsesRefusal: Refusals in the responses format, which OpenAI and xAI speak.

export const responsesRefusal: SdkMaker['refusal'] = ({ type, delta, part }) => {
  if (type === 'response.refusal.delta') return String(delta)
  const around = (part as { type?: unknown } | undefined)?.type === 'refusal'
  return around || type === 'response.refusal.done' ? '' : undefined
}
