/** One call to a chat endpoint. It is repeated only if the server rejected a field of the request. */

import { StringDecoder } from 'node:string_decoder'
import type { Shape } from '../core/form.ts'
import { type ChatReply, chatReply, thinkBlock } from './chat-reply.ts'
import {
  type Exchange,
  type HttpHeaders,
  type HttpRequest,
  mostErrorBytes,
  mostReplyBytes,
  networkError,
  type ProviderProblem,
  presentable,
  problemFrom,
  problemIn,
  redactedWriter,
  reportedError,
  retryAfter,
  schemaInWords,
  secretsFrom,
  send,
  statusError,
} from './http.ts'
import { listedModels, modelList } from './model-list.ts'
import {
  type CallPicture,
  isMarked,
  type Limits,
  type Maker,
  type ModelCall,
  type ModelFacts,
  type ModelPart,
  PartQueue,
  type Provider,
  pictureAddress,
  pictureLabel,
  type SearchTerms,
  withSearchFee,
} from './provider.ts'

type Body = Readonly<Record<string, unknown>>

/** How requests are written and replies are read. */
export interface ChatFormat {
  body(call: ModelCall, without: ReadonlySet<string>): Body
  /** Reads a reply into `parts`, which it always ends. */
  reply(parts: PartQueue, secrets: readonly string[]): ChatReply
  /** The field that a server rejected, if the request can do without it. */
  refused(sent: Body, status: number, problem: ProviderProblem): string | undefined
}

/** What is needed to call an endpoint, and what earlier calls showed about it. */
export interface Endpoint {
  readonly chat: URL
  readonly headers: Readonly<Record<string, string>>
  /** Removed from everything that is passed on. */
  readonly secrets: readonly string[]
  /** The fields that each model has rejected: sending them again would cost a call each time. */
  readonly refused: Map<string, ReadonlySet<string>>
  readonly format: ChatFormat
  readonly through?: HttpRequest['through']
}

interface RefusedField {
  readonly status: number
  readonly headers: HttpHeaders
  readonly text: string
}

const refusalPart = (
  endpoint: Endpoint,
  { status, headers, text }: RefusedField,
): ModelPart & { type: 'error' } => {
  const problem = problemFrom(text)
  const retryAfterMs = retryAfter(headers, Date.now()) ?? problem.retryAfterMs
  return {
    type: 'error',
    error: statusError(status, headers, problem, endpoint.secrets),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** One request. Its reply goes into `parts`; if the server rejects it, `refused` decides what to do. */
const attempt = (
  endpoint: Endpoint,
  call: ModelCall,
  body: string,
  parts: PartQueue,
  refused: (refusal: RefusedField) => void,
): Exchange => {
  const most = mostReplyBytes(call)
  let reply: ChatReply | undefined
  let refusal: RefusedField = { status: 0, headers: {}, text: '' }
  let bytes = 0
  const { chat: url, headers, secrets, through } = endpoint
  return send(
    { method: 'POST', url, headers, body, through },
    {
      start(status, received) {
        if (status < 300) reply = endpoint.format.reply(parts, secrets)
        else refusal = { status, headers: received, text: '' }
      },
      data(chunk) {
        bytes += chunk.length
        if (reply && bytes > most) parts.add({ type: 'finish', reason: 'length' })
        else if (reply) reply.data(chunk)
        else if (bytes < mostErrorBytes) refusal = { ...refusal, text: refusal.text + chunk.toString('utf8') }
      },
      end: () => (reply ? reply.end() : refused(refusal)),
      fail(failure) {
        const error = networkError(failure, url, reply !== undefined, secrets)
        if (reply) reply.end(error.message)
        else parts.add({ type: 'error', error })
      },
    },
  )
}

/** Starts a call. Its parts always end in `finish` or `error`. */
export const chatCall = (endpoint: Endpoint, call: ModelCall): AsyncIterator<ModelPart> => {
  const { model, signal } = call
  let exchange: Exchange | undefined
  const parts = new PartQueue(left => {
    signal.removeEventListener('abort', abort)
    if (left) exchange?.cancel()
    else exchange?.release()
  })
  const abort = (): void => {
    exchange?.cancel()
    parts.add({ type: 'error', error: { kind: 'cancelled', message: 'the call was cancelled' } })
  }
  const ask = (): void => {
    const without = endpoint.refused.get(model) ?? new Set()
    const body = endpoint.format.body(call, without)
    exchange = attempt(endpoint, call, JSON.stringify(body), parts, refusal => {
      const field = endpoint.format.refused(body, refusal.status, problemFrom(refusal.text))
      if (!field) return parts.add(refusalPart(endpoint, refusal))
      endpoint.refused.set(model, new Set([...(endpoint.refused.get(model) ?? []), field]))
      ask()
    })
  }
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  else ask()
  return parts
}

// dialect: How a maker's chat-completions requests differ from the common format. Replies are read in any format.

/**
 * How the form of the reply is asked for: `schema` is a JSON schema that the server enforces, `object` any
 * JSON object with the schema in the prompt, `words` the prompt alone.
 */
export type ReplyForm = 'schema' | 'object' | 'words'

export interface ChatDialect {
  readonly form?: (call: ModelCall) => ReplyForm
  /** The maker's own fields. An undefined one removes a common field. */
  readonly fields?: (call: ModelCall) => Readonly<Record<string, unknown>>
  /** The fields that have a model search the web. Absent: none can. */
  readonly search?: Readonly<Record<string, unknown>>
  /** What a search costs. Absent: nobody knows, and a call makes one. */
  readonly searchTerms?: SearchTerms
  /** Whether the shared parts of the message are marked as cache points. */
  readonly marks?: (model: string) => boolean
  /** The path of the list of models, if not `models`. It must require the key, because it is used to check the key. */
  readonly listing?: string
}

// request: Builds a chat-completions request, without the fields that a model has rejected.

/** Fields that some servers or models reject. A request can do without each of them. */
const optionalFields: readonly string[] = [
  'max_tokens',
  'temperature',
  'seed',
  'reasoning_effort',
  'stream_options',
  'response_format',
]

/** Fields that every request needs. */
const neededFields: readonly string[] = ['model', 'messages', 'stream']

const marked =
  (call: ModelCall) =>
  (text: string, index: number): unknown => ({
    type: 'text',
    text: index === 0 ? text : `\n\n${text}`,
    ...(isMarked(call, index) && { cache_control: { type: 'ephemeral' } }),
  })

const pictureParts = (picture: CallPicture): unknown[] => [
  { type: 'text', text: pictureLabel(picture) },
  { type: 'image_url', image_url: { url: pictureAddress(picture) } },
]

/** One text if that is all: some servers take nothing else. */
const contentOf = (call: ModelCall, parts: readonly string[], marks: boolean): unknown => {
  const pictures = (call.pictures ?? []).flatMap(pictureParts)
  if (marks) return [...pictures, ...parts.map(marked(call))]
  const text = parts.join('\n\n')
  return pictures.length > 0 ? [...pictures, { type: 'text', text }] : text
}

const messages = (call: ModelCall, form: ReplyForm, marks: boolean): { role: string; content: unknown }[] => {
  const parts = [...call.user, ...(form === 'schema' ? [] : [schemaInWords(call.shape)])]
  return [
    ...(call.system === '' ? [] : [{ role: 'system', content: call.system }]),
    { role: 'user', content: contentOf(call, parts, marks) },
  ]
}

const responseFormat = ({ name, json: schema }: Shape, form: ReplyForm): Body => {
  if (form === 'words') return {}
  if (form === 'object') return { response_format: { type: 'json_object' } }
  return { response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } } }
}

const ownFields = (call: ModelCall, without: ReadonlySet<string>, { fields }: ChatDialect): Body =>
  Object.fromEntries(Object.entries(fields?.(call) ?? {}).filter(([field]) => !without.has(field)))

export const requestBody = (
  call: ModelCall,
  without: ReadonlySet<string>,
  dialect: ChatDialect = {},
): Body => {
  const takes = (field: string): boolean => !without.has(field)
  const form = takes('response_format') ? (dialect.form?.(call) ?? 'schema') : 'words'
  return {
    model: call.model,
    messages: messages(call, form, dialect.marks?.(call.model) ?? false),
    stream: true,
    ...(takes('stream_options') && { stream_options: { include_usage: true } }),
    [takes('max_tokens') ? 'max_tokens' : 'max_completion_tokens']: call.maxOutputTokens,
    ...responseFormat(call.shape, form),
    ...(call.temperature !== undefined && takes('temperature') && { temperature: call.temperature }),
    ...(call.seed !== undefined && takes('seed') && { seed: call.seed }),
    ...(call.effort !== undefined && takes('reasoning_effort') && { reasoning_effort: call.effort }),
    ...(call.search && dialect.search),
    ...ownFields(call, without, dialect),
  }
}

const refusals = [400, 404, 422, 501]

export const speaksOfSchema =
  /response_?format|json_?schema|json schema|structured[ _]outputs?|\bschema\b|guided|grammar|json mode|requested parameters|response[ _]?mime[ _]?type/i

const unknownField =
  /unsupported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|deprecated/i

const wrongValue = /invalid|only the default|\bonly\b.*\ballowed/i

/** If the limit is too large, sending it under another name doesn't help. */
const tooMuch = /too large|at most|maximum context|context length/i

const rejects = (field: string, { words, code, field: named }: ProviderProblem): boolean => {
  if (field === 'response_format') return named === field || speaksOfSchema.test(words)
  if (named !== field && !new RegExp(`\\b${field}\\b`).test(words)) return false
  const unknown = unknownField.test(words) || /unsupported|unknown/.test(code)
  if (field === 'max_tokens') return !tooMuch.test(words) && (unknown || /max_completion_tokens/.test(words))
  return unknown || wrongValue.test(words)
}

/** The field that a server rejected, if the request can do without it. */
export const refusedField = (sent: Body, status: number, problem: ProviderProblem): string | undefined => {
  if (!refusals.includes(status)) return undefined
  const own = Object.keys(sent).filter(field => !neededFields.includes(field))
  const refused = [...optionalFields, ...own].filter(
    field => sent[field] !== undefined && rejects(field, problem),
  )
  return refused.find(field => problem.field === field) ?? refused[0]
}

// openaiCompatible: A provider for any endpoint that speaks the chat-completions format: vLLM, llama.cpp, Ollama, gateways, most makers.

export interface EndpointSettings {
  /** The part before the slash in `lab/model-name`. */
  readonly id: string
  /** Up to and including the version, such as `http://127.0.0.1:8787/v1`. */
  readonly baseURL: string
  readonly key?: string
  /** The variable that the key comes from. */
  readonly keyEnv?: string
  /** No key is looked up in the environment: one that was entered for another address must not be sent to this one. */
  readonly ownKeyOnly?: boolean
  readonly label?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: Limits
  readonly models?: Readonly<Record<string, ModelFacts>>
  /** Whether its models take pictures, if nothing is said of a model itself. */
  readonly sees?: boolean
  /** How a maker's format differs. */
  readonly dialect?: ChatDialect
  /** How connections are made, if not in the usual way: an endpoint of somebody else's must not lead inside. */
  readonly through?: HttpRequest['through']
}

const factsTimeoutMs = 2_000
const listTimeoutMs = 10_000

const urlAt = (baseURL: string, path: string): URL => {
  const url = new URL(baseURL)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url
}

const formatFor = (dialect: ChatDialect): ChatFormat => ({
  body: (call, without) => requestBody(call, without, dialect),
  reply: chatReply,
  refused: refusedField,
})

const endpointFrom = (settings: EndpointSettings): Endpoint => {
  const { baseURL, key, headers = {}, dialect = {}, through } = settings
  const token = key?.trim()
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const secret = [...lowered, ...new URL(baseURL).searchParams]
    .filter(([name]) => /key|token|auth|secret|cookie|sig|pass/i.test(name))
    .map(([, value]) => value)
  return {
    chat: urlAt(baseURL, 'chat/completions'),
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': 'roundtable',
      ...(token && { authorization: `Bearer ${token}` }),
      ...Object.fromEntries(lowered),
    },
    secrets: secretsFrom([token, ...secret.flatMap(value => [value, value.replace(/^\w+ /, '')])]),
    refused: new Map(),
    format: formatFor(dialect),
    through,
  }
}

/** Each model's facts as the endpoint lists them; empty if it doesn't reply in time. */
const listedFacts = async (
  request: HttpRequest,
  secrets: readonly string[],
): Promise<ReadonlyMap<string, ModelFacts>> => {
  const list = await modelList(request, AbortSignal.timeout(factsTimeoutMs), secrets)
  return 'error' in list ? new Map() : list
}

const orUndefined = async <T>(value: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> => {
  if (!signal) return value
  if (signal.aborted) return undefined
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const give = (): void => resolve(undefined)
  signal.addEventListener('abort', give, { once: true })
  return Promise.race([value, promise]).finally(() => signal.removeEventListener('abort', give))
}

export const openAICompatible = (settings: EndpointSettings): Provider => {
  const endpoint = endpointFrom(settings)
  const models: HttpRequest = {
    method: 'GET',
    url: urlAt(settings.baseURL, settings.dialect?.listing ?? 'models'),
    headers: endpoint.headers,
    through: settings.through,
  }
  let listed: Promise<ReadonlyMap<string, ModelFacts>> | undefined
  let learnt: ReadonlyMap<string, ModelFacts> | undefined
  /** Of a list that was read meanwhile, what decides whether a question can be asked. */
  const listedHere = (model: string): ModelFacts => {
    const { context, sees } = learnt?.get(model) ?? {}
    return { ...(context !== undefined && { context }), ...(sees !== undefined && { sees }) }
  }
  const known = (model: string): ModelFacts => ({
    ...listedHere(model),
    ...(settings.sees !== undefined && { sees: settings.sees }),
    ...settings.models?.[model],
  })
  return {
    id: settings.id,
    label: settings.label ?? settings.id,
    ...(settings.limits && { limits: settings.limits }),
    ...(settings.keyEnv && { keyVariable: settings.keyEnv }),
    stream: call => ({ [Symbol.asyncIterator]: () => chatCall(endpoint, call) }),
    ...(settings.dialect?.search && { searches: () => settings.dialect?.searchTerms?.most ?? 1 }),
    known,
    async facts(model, signal) {
      if (settings.models?.[model]) return known(model)
      listed ??= listedFacts(models, endpoint.secrets)
      learnt = (await orUndefined(listed, signal)) ?? learnt
      return { ...learnt?.get(model), ...known(model) }
    },
    async list(signal) {
      const timeout = AbortSignal.timeout(listTimeoutMs)
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      const list = await modelList(models, either, endpoint.secrets)
      return 'error' in list ? { error: list.error } : listedModels(list)
    },
  }
}

// maker: Makes a maker that speaks chat completions, with its own dialect.

export interface ChatMaker extends Omit<Maker, 'connect'> {
  /** The maker's own address, up to and including the version. */
  readonly home: string
  readonly dialect?: ChatDialect
}

const isKnown = (facts: ModelFacts): boolean => Object.keys(facts).length > 0

export const chatMaker = ({ home, dialect = {}, ...maker }: ChatMaker): Maker => ({
  ...maker,
  connect({ key, baseURL = home, limits, known }) {
    const { id, label } = maker
    const provider = openAICompatible({
      id,
      label,
      baseURL,
      dialect,
      ...(key && { key }),
      ...(limits && { limits }),
    })
    const withFee = (facts: ModelFacts): ModelFacts => withSearchFee(facts, dialect.searchTerms)
    return {
      ...provider,
      known: model => withFee(known(model)),
      // The maker's own list may have the price of a model that is newer than the catalogue.
      facts: async (model, signal) =>
        withFee(isKnown(known(model)) ? known(model) : await provider.facts(model, signal)),
    }
  },
})

// ollamaFormat: Ollama's own chat format: lines of JSON. Its OpenAI-compatible format silently cuts off long prompts.

/** Ollama reloads the model for every new context size, so sizes are powers of two from here. */
const smallestContext = 8_192

/** Ollama silently drops what doesn't fit, so this asks for enough: it counts three characters per token. */
const contextFor = (call: ModelCall, prompt: string): number => {
  const pictures = (call.pictures ?? []).reduce((sum, { tokens }) => sum + tokens, 0)
  const needed = (call.system.length + prompt.length) / 3 + pictures + call.maxOutputTokens
  let size = smallestContext
  while (size < needed) size *= 2
  return size
}

/** Only GPT-OSS has levels of effort. */
const thinkFor = ({ model, effort }: ModelCall): string | true =>
  effort !== undefined && /\bgpt-oss\b/.test(model) ? effort : true

/** Pictures stand beside the text, so it has to say which is which. */
const pictureNames = ({ pictures }: ModelCall): string[] =>
  pictures
    ? [`Pictures, in their order: exhibit ${pictures.map(({ exhibit }) => exhibit).join(', exhibit ')}.`]
    : []

const body: ChatFormat['body'] = (call, without) => {
  const native = !without.has('format')
  const parts = [...pictureNames(call), ...call.user, ...(native ? [] : [schemaInWords(call.shape)])]
  const prompt = parts.join('\n\n')
  return {
    model: call.model,
    messages: [
      ...(call.system === '' ? [] : [{ role: 'system', content: call.system }]),
      {
        role: 'user',
        content: prompt,
        ...(call.pictures && { images: call.pictures.map(({ data }) => data) }),
      },
    ],
    stream: true,
    ...(native && { format: call.shape.json }),
    ...(call.effort !== undefined && !without.has('think') && { think: thinkFor(call) }),
    options: {
      num_ctx: contextFor(call, prompt),
      num_predict: call.maxOutputTokens,
      ...(call.temperature !== undefined && { temperature: call.temperature }),
      ...(call.seed !== undefined && { seed: call.seed }),
    },
  }
}

const refused = (
  sent: Readonly<Record<string, unknown>>,
  status: number,
  { words }: ProviderProblem,
): string | undefined => {
  if (status !== 400 && status !== 500) return undefined
  if (sent.think !== undefined && /\bthink/i.test(words)) return 'think'
  return sent.format !== undefined && (speaksOfSchema.test(words) || /\bformat\b/i.test(words))
    ? 'format'
    : undefined
}

interface Line {
  readonly message?: { readonly content?: unknown; readonly thinking?: unknown } | null
  readonly done?: unknown
  readonly done_reason?: unknown
  readonly prompt_eval_count?: unknown
  readonly eval_count?: unknown
  readonly error?: unknown
}

const lineFrom = (text: string): Line | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

type Last = ModelPart & { type: 'usage' | 'finish' | 'error' }

/** Ollama leaves out the count of a prompt that was still in memory. */
const usageIn = ({ prompt_eval_count: read = 0, eval_count: written }: Line): Last[] =>
  typeof read === 'number' && typeof written === 'number'
    ? [{ type: 'usage', usage: { inputTokens: read, outputTokens: written } }]
    : []

const reply = (parts: PartQueue, secrets: readonly string[]): ChatReply => {
  const clean = redactedWriter(secrets, (type, text) => parts.addText(type, text))
  const answer = thinkBlock(clean.write)
  const decoder = new StringDecoder('utf8')
  let held = ''
  const end = (...last: readonly Last[]): void => {
    answer.flush()
    clean.flush()
    for (const part of last) parts.add(part)
  }
  const unreadable = (text: string): void => {
    const words = `the endpoint's reply isn't a chat reply: ${problemFrom(text).words}`
    end({ type: 'error', error: { kind: 'server-error', message: presentable(words, secrets) } })
  }
  const take = (line: Line): void => {
    const { thinking, content } = line.message ?? {}
    if (typeof thinking === 'string') clean.write('thinking', thinking)
    if (typeof content === 'string') answer.write('text', content)
    if (line.done !== true) return
    end(...usageIn(line), { type: 'finish', reason: line.done_reason === 'length' ? 'length' : 'stop' })
  }
  const read = (text: string): void => {
    if (parts.over || text.trim() === '') return
    const line = lineFrom(text)
    if (line?.error) end({ type: 'error', error: reportedError(problemIn(line), secrets) })
    else if (line?.message || line?.done) take(line)
    else unreadable(text)
  }
  return {
    data(chunk) {
      const lines = (held + decoder.write(chunk)).split('\n')
      held = lines.pop() ?? ''
      for (const line of lines) read(line)
    },
    end(broken) {
      if (broken === undefined) read(held)
      const words = broken ?? 'connection closed mid-answer: the stream ended before it was done'
      if (!parts.over) end({ type: 'error', error: { kind: 'network', message: words } })
    },
  }
}

export const ollamaFormat: ChatFormat = { body, reply, refused }
