/** Finds model servers on this machine, on the ports that they usually listen on. */
import type { EndpointSettings } from './chat.ts'
import { limitedTo, mostListBytes } from './http.ts'
import type { ModelFacts } from './provider.ts'

export interface LocalServer {
  /** The part before the slash in `ollama/model-name`. */
  readonly id: string
  readonly label: string
  readonly port: number
}

export const localServers = [
  { id: 'ollama', label: 'Ollama', port: 11434 },
  { id: 'lmstudio', label: 'LM Studio', port: 1234 },
  { id: 'llamacpp', label: 'llama.cpp', port: 8080 },
] as const satisfies readonly LocalServer[]

export type LocalId = (typeof localServers)[number]['id']

export interface FoundServer extends EndpointSettings {
  readonly id: LocalId
  /** The models that it lists; never empty. */
  readonly models: Readonly<Record<string, ModelFacts>>
}

/** Short: most people don't run a local server, and shouldn't have to wait for one. */
const timeoutMs = 500
/** A model on this machine is free, and can answer only a few calls at once. */
const free = { input: 0, output: 0 }
const limits = { concurrency: 2 }
/** The size of about two billion weights with four bits each. */
const smallFile = 1_500_000_000

type Json = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Other programs may listen on these ports: a reply that isn't a JSON object is ignored. */
const objectAt = async (url: string, signal: AbortSignal): Promise<Json | undefined> => {
  const response = await fetch(url, { signal, redirect: 'error' })
  if (!response.ok) return undefined
  const body: unknown = await limitedTo(mostListBytes, response).json()
  return isRecord(body) ? body : undefined
}

type Models = Record<string, ModelFacts>

const isChat = (id: string): boolean => !/embed|rerank/i.test(id)

/** `{ models: [{ name, size, details: { parameter_size: "1.1B" } }] }` */
const ollamaModels = async (base: string, signal: AbortSignal): Promise<Models> => {
  const listed = recordsIn((await objectAt(`${base}/api/tags`, signal))?.models)
  return Object.fromEntries(
    listed.flatMap(({ name, size }) => {
      if (typeof name !== 'string' || !isChat(name)) return []
      const small = typeof size === 'number' && size < smallFile
      return [[name, { name, price: free, ...(small && { small: true as const }) }]]
    }),
  )
}

/** `{ object: "list", data: [{ id, owned_by }] }` */
const listedModels = async (base: string, signal: AbortSignal): Promise<readonly Json[]> =>
  recordsIn((await objectAt(`${base}/v1/models`, signal))?.data).filter(
    ({ id }) => typeof id === 'string' && isChat(id),
  )

const lmStudioModels = async (base: string, signal: AbortSignal): Promise<Models> =>
  Object.fromEntries(
    (await listedModels(base, signal)).map(({ id }) => [String(id), { name: String(id), price: free }]),
  )

/** The id of its one model is the path of the file; `/props` has the context size that it was started with. */
const llamaCppModels = async (base: string, signal: AbortSignal): Promise<Models> => {
  const [listed, props] = await Promise.all([listedModels(base, signal), objectAt(`${base}/props`, signal)])
  const settings = isRecord(props?.default_generation_settings)
    ? props.default_generation_settings
    : undefined
  // Many programs use port 8080: only llama.cpp has these settings.
  if (!settings) return {}
  const context = typeof settings.n_ctx === 'number' ? settings.n_ctx : undefined
  const sees = isRecord(props?.modalities) && props.modalities.vision === true
  return Object.fromEntries(
    listed.map(({ id, meta }) => {
      const size = isRecord(meta) && typeof meta.size === 'number' ? meta.size : undefined
      const small = size !== undefined && size < smallFile
      const name = String(id)
        .split(/[\\/]/)
        .at(-1)!
        .replace(/\.gguf$/, '')
      return [
        String(id),
        {
          name,
          price: free,
          ...(context && { context }),
          ...(sees && { sees }),
          ...(small && { small: true as const }),
        },
      ]
    }),
  )
}

const modelsOf: Record<LocalId, typeof ollamaModels> = {
  ollama: ollamaModels,
  lmstudio: lmStudioModels,
  llamacpp: llamaCppModels,
}

const found = async (server: LocalServer & { id: LocalId }): Promise<FoundServer[]> => {
  const base = `http://127.0.0.1:${server.port}`
  const models = await modelsOf[server.id](base, AbortSignal.timeout(timeoutMs)).catch(() => ({}))
  if (Object.keys(models).length === 0) return []
  return [{ id: server.id, label: server.label, baseURL: `${base}/v1`, models, limits }]
}

/** The servers that answer and have a model, ready to be seated. Never fails, and takes half a second at most. */
export const findLocalServers = async (
  ports: Partial<Readonly<Record<LocalId, number>>> = {},
): Promise<FoundServer[]> => {
  const each = localServers.map(server => found({ ...server, port: ports[server.id] ?? server.port }))
  return (await Promise.all(each)).flat()
}
