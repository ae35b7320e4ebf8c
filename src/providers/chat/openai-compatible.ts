/** A provider for any endpoint that speaks the chat-completions format: vLLM, llama.cpp, Ollama, gateways, most makers. */

import type { HttpRequest } from '../http/exchange.ts'
import { secretsFrom } from '../http/redact.ts'
import type { Limits, ModelFacts, Provider } from '../provider.ts'
import { type ChatFormat, chatCall, type Endpoint } from './call.ts'
import type { ChatDialect } from './dialect.ts'
import { listedModels, modelList } from './model-list.ts'
import { chatReply } from './reply.ts'
import { refusedField, requestBody } from './request.ts'

export interface EndpointSettings {
  /** The part before the slash in `lab/model-name`. */
  readonly id: string
  /** Up to and including the version, such as `http://127.0.0.1:8787/v1`. */
  readonly baseURL: string
  readonly key?: string
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
