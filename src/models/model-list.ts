/** Reads the list of models that an endpoint has at `/models`. */
import type { ModelError } from '../core/basics.ts'
import {
  type Collected,
  collect,
  type HttpRequest,
  mostListBytes,
  networkError,
  problemFrom,
  statusError,
} from './http.ts'
import type { ListedModels, ModelFacts, Price } from './provider.ts'

/** Servers agree only on the id; the other fields have many names. */
interface Entry {
  readonly id?: unknown
  readonly name?: unknown
  readonly display_name?: unknown
  readonly displayName?: unknown
  readonly context_length?: unknown
  readonly max_model_len?: unknown
  readonly context_window?: unknown
  readonly max_context_length?: unknown
  readonly inputTokenLimit?: unknown
  /** What the model is for, if the maker says so. */
  readonly supportedGenerationMethods?: unknown
  readonly capabilities?: { readonly completion_chat?: unknown; readonly vision?: unknown } | null
  /** What the model takes, at OpenRouter and servers that follow it. */
  readonly architecture?: { readonly input_modalities?: unknown } | null
  readonly endpoints?: unknown
  readonly modelType?: unknown
  readonly meta?: { readonly n_ctx?: unknown; readonly n_ctx_train?: unknown } | null
  /** The day on which the model is turned off: OpenAI's, OpenRouter's and Mistral's names for it. */
  readonly shutdown_date?: unknown
  readonly expiration_date?: unknown
  readonly deprecation?: unknown
  readonly pricing?: { readonly prompt?: unknown; readonly completion?: unknown } | null
}

export type ModelList = ReadonlyMap<string, ModelFacts>

const contextOf = (entry: Entry): number | undefined =>
  [
    entry.context_length,
    entry.max_model_len,
    entry.context_window,
    entry.max_context_length,
    entry.inputTokenLimit,
    entry.meta?.n_ctx,
    entry.meta?.n_ctx_train,
  ].find((value): value is number => typeof value === 'number' && value > 0)

/** Gateways give dollars per token, as text; a negative price means "it depends". */
const priceOf = ({ pricing }: Entry): Price | undefined => {
  if (typeof pricing?.prompt !== 'string' || typeof pricing.completion !== 'string') return undefined
  const [input, output] = [Number(pricing.prompt) * 1e6, Number(pricing.completion) * 1e6]
  return input >= 0 && output >= 0 ? { input, output } : undefined
}

/** If a model has no id, its name is one; Google's starts with `models/`. */
const idOf = ({ id, name }: Entry): string | undefined => {
  if (typeof id === 'string') return id
  return typeof name === 'string' ? name.replace(/^models\//, '') : undefined
}

const nameOf = ({ id, name, display_name, displayName }: Entry): string | undefined =>
  [display_name, displayName, typeof id === 'string' ? name : undefined].find(one => typeof one === 'string')

/** Leaves out models for pictures, speech and search, which makers list together with chat models. */
const answers = (entry: Entry): boolean => {
  const { supportedGenerationMethods: methods, capabilities, endpoints, modelType } = entry
  if (Array.isArray(methods)) return methods.includes('generateContent')
  if (Array.isArray(endpoints)) return endpoints.includes('chat')
  if (typeof modelType === 'string') return modelType === 'language'
  return capabilities?.completion_chat !== false
}

/** A date, or a time that begins with one. */
const retiresOf = ({ shutdown_date, expiration_date, deprecation }: Entry): string | undefined => {
  const said = [shutdown_date, expiration_date, deprecation].find(one => typeof one === 'string')
  const day = /^20\d\d-[01]\d-[0-3]\d/.exec(said?.slice(0, 10) ?? '')?.[0]
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : undefined
}

/** Undefined: the list doesn't say. */
const seesIn = ({ architecture, capabilities }: Entry): boolean | undefined => {
  const taken = architecture?.input_modalities
  if (Array.isArray(taken)) return taken.includes('image')
  return typeof capabilities?.vision === 'boolean' ? capabilities.vision : undefined
}

const factsOf = (entry: Entry): ModelFacts => {
  const retires = retiresOf(entry)
  const context = contextOf(entry)
  const price = priceOf(entry)
  const name = nameOf(entry)
  const sees = seesIn(entry)
  return {
    ...(name !== undefined && { name }),
    ...(context !== undefined && { context }),
    ...(price && { price }),
    ...(retires !== undefined && { retires }),
    ...(sees !== undefined && { sees }),
  }
}

const entriesIn = (body: unknown): readonly unknown[] => {
  if (Array.isArray(body)) return body
  const { data, models } = (body ?? {}) as { data?: unknown; models?: unknown }
  return [data, models].find(Array.isArray) ?? []
}

/** Ten times the longest known list. Everything that is listed is kept, searched and shown. */
const mostModels = 5_000

/** Far longer than any known one. Ids are stored, searched and shown. */
const longestId = 300

/** A key that a server repeats in a name would be stored and shown with it. */
const isUsable = (id: string, { name = '' }: ModelFacts, secrets: readonly string[]): boolean =>
  id.length <= longestId && secrets.every(secret => !id.includes(secret) && !name.includes(secret))

const listFrom = (text: string, secrets: readonly string[]): ModelList => {
  const list = new Map<string, ModelFacts>()
  for (const item of entriesIn(JSON.parse(text)).slice(0, mostModels)) {
    const entry = (typeof item === 'object' && item !== null ? item : {}) as Entry
    const id = idOf(entry)
    if (id === undefined || !answers(entry)) continue
    const facts = factsOf(entry)
    if (isUsable(id, facts, secrets)) list.set(id, facts)
  }
  return list
}

const read = (reply: Collected, url: URL, secrets: readonly string[]): ModelList | { error: ModelError } => {
  if ('failure' in reply) return { error: networkError(reply.failure, url, false, secrets) }
  const { status, headers, text } = reply
  const problem = problemFrom(text)
  if (status !== 200) return { error: statusError(status, headers, problem, secrets) }
  try {
    return listFrom(text, secrets)
  } catch {
    return {
      error: statusError(
        404,
        headers,
        { ...problem, words: 'the endpoint has no list of models at /models' },
        secrets,
      ),
    }
  }
}

/** The ids of a list, and the days on which some of them end. */
export const listedModels = (list: ModelList): ListedModels => {
  const retires = [...list].flatMap(([id, facts]) => (facts.retires ? [[id, facts.retires] as const] : []))
  return { models: [...list.keys()], ...(retires.length > 0 && { retires: Object.fromEntries(retires) }) }
}

/** Asks once. Never rejects. */
export const modelList = async (
  request: HttpRequest,
  signal: AbortSignal,
  secrets: readonly string[],
): Promise<ModelList | { readonly error: ModelError }> =>
  read(await collect(request, signal, mostListBytes), request.url, secrets)
