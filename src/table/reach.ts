/** What can be seated, from keys and endpoints. Connecting loads nothing: a maker's package is loaded at its first call. */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { type AgentReach, noAgents } from '../agents/table.ts'
import {
  type Cache,
  ensureEngine,
  ensureModel,
  type Fetching,
  hubParts,
  modelCondition,
  npmParts,
  type PartSource,
  weightsFile,
} from '../builtin/fetch.ts'
import { builtIn, builtInNamed, type House, house, type Weights } from '../builtin/provider.ts'
import { keyEnding, type SeatInput } from '../core/ask.ts'
import { type ModelError, megabytes, UsageError } from '../core/basics.ts'
import type { Budget } from '../core/opening.ts'
import type { SearchMode } from '../core/question.ts'
import { type Searcher, type SearchSettings, searcherFrom, searcherIn } from '../evidence/search.ts'
import {
  type Catalogue,
  type CatalogueModel,
  createCatalogue,
  type Filters,
  familyOf,
  lastSegment,
  makerLabel,
  catalogue as stored,
  undated,
} from '../models/catalogue.ts'
import { type EndpointSettings, openAICompatible } from '../models/chat.ts'
import { type Environment, endpointsFrom, variable } from '../models/endpoints.ts'
import { type FoundServer, findLocalServers, type LocalId, localServers } from '../models/local.ts'
import { makers } from '../models/makers.ts'
import type { Limits, Maker, ModelFacts, Provider } from '../models/provider.ts'
import { protocolsWith } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { lockFolder } from '../store/folder-lock.ts'
import type { Config, SavedKey } from './config.ts'

// house: The built-in models on this machine: where their weights are kept, and which other files have a name.

type HouseEnvironment = Readonly<Record<string, string | undefined>>

export interface HouseConfig {
  /** Names for files of weights, `{ phi: 'models/phi.gguf' }`; relative paths start at the working folder. */
  readonly models?: Readonly<Record<string, string>>
  readonly threads?: number
}

/** `ROUNDTABLE_CACHE`, or our folder in the person's cache folder. */
export const weightsFolder = (env: HouseEnvironment, home = homedir()): string => {
  const own = env.ROUNDTABLE_CACHE?.trim()
  if (own) return join(resolve(own), 'models')
  const shared = env.XDG_CACHE_HOME?.trim()
  return join(shared && isAbsolute(shared) ? shared : join(home, '.cache'), 'roundtable', 'models')
}

/** `ROUNDTABLE_HUB`, or the hub that other programs use; undefined if it says no. */
export const hubAddress = (env: HouseEnvironment): string | undefined => {
  const set = env.ROUNDTABLE_HUB?.trim() || env.HF_ENDPOINT?.trim() || 'https://huggingface.co'
  if (/^(no|0|false)$/i.test(set)) return undefined
  // The message doesn't repeat the address: what is in the wrong place may be a key.
  if (!/^https?:\/\//.test(set) || !URL.canParse(set))
    throw new UsageError('ROUNDTABLE_HUB is "no", or an address that begins with http:// or https://.')
  return set.replace(/\/+$/, '')
}

const noHub: PartSource = {
  resumes: true,
  fetch: () => Promise.reject(new UsageError('ROUNDTABLE_HUB=no: nothing is downloaded from a hub.')),
}

export const weightsCache = (env: HouseEnvironment, home?: string): Cache => {
  const hub = hubAddress(env)
  const engine = env.ROUNDTABLE_ENGINE?.trim()
  return {
    folder: weightsFolder(env, home),
    ...(engine && { engine: resolve(engine) }),
    sources: { npm: npmParts(), hub: hub === undefined ? noHub : hubParts(hub) },
    lock: lockFolder,
  }
}

/** The model that `ROUNDTABLE_HOUSE` names: the person chose it, and agreed to its download. */
export const namedInEnvironment = (env: HouseEnvironment): Weights | undefined =>
  builtInNamed(env.ROUNDTABLE_HOUSE?.trim() ?? '')

/** The person agreed beforehand. */
export const hasConsent = (env: HouseEnvironment, weights: Weights): boolean =>
  agreesToSmallest(env) || namedInEnvironment(env) === weights

const agreesToSmallest = ({ ROUNDTABLE_HOUSE = '' }: HouseEnvironment): boolean =>
  /^(yes|1|true)$/i.test(ROUNDTABLE_HOUSE.trim())

/** Whoever agreed to a model agreed to its engine. */
export const hasEngineConsent = (env: HouseEnvironment): boolean =>
  agreesToSmallest(env) || namedInEnvironment(env) !== undefined

/** Weights that are here are used; a download needs consent, and here only the environment can give it. */
const quietly = (env: HouseEnvironment, weights: Weights): Fetching => ({
  consent: async () => hasConsent(env, weights),
})

export interface HouseSurroundings {
  readonly env: HouseEnvironment
  readonly cwd: string
  readonly home?: string
}

const ownFiles = ({ models = {} }: HouseConfig, cwd: string): [string, string][] =>
  Object.entries(models).map(([name, path]) => [name, resolve(cwd, path)])

/** Files of the person's own that have a name, and whether they exist. */
export const namedFiles = (config: HouseConfig, cwd: string) =>
  ownFiles(config, cwd).map(([name, path]) => ({ name, path, there: existsSync(path) }))

export const openHouse = (config: HouseConfig, { env, cwd, home }: HouseSurroundings): House => {
  const ready = new Map<Weights, Promise<string>>()
  const fetched = (weights: Weights): Promise<string> => {
    const path = ensureModel(weightsCache(env, home), weights, quietly(env, weights))
    // A download that failed may be tried again.
    path.catch(() => ready.delete(weights))
    return path
  }
  return house({
    models: Object.fromEntries(ownFiles(config, cwd)),
    engine: () => ensureEngine(weightsCache(env, home), { consent: async () => hasEngineConsent(env) }),
    ...(config.threads !== undefined && { threads: config.threads }),
    // Seats that ask at the same time wait for one download.
    weights(weights) {
      const path = ready.get(weights) ?? fetched(weights)
      ready.set(weights, path)
      return path
    },
  })
}

/** `house:model.gguf` with its whole path; any other name as it is. */
export const withWholePath = (name: string, cwd: string): string =>
  name.startsWith('house:') ? `house/${resolve(cwd, name.slice('house:'.length))}` : name

// houseModels: The built-in models, and files of the person's own, as lists show them: which are ready, and what the others need.

export interface HouseModel {
  readonly model: CatalogueModel
  /** What it needs before it can answer; undefined: nothing. Each face says how to do it there. */
  readonly needs: BuiltInNeed | undefined
  /** What is known about its file. */
  readonly state: string
}

export type BuiltInNeed =
  | { readonly type: 'download' | 'download-again'; readonly id: string; readonly size: string }
  | { readonly type: 'file'; readonly path: string }

/** In neutral words: "a download (322.6 MB)". */
export const needWords = (need: BuiltInNeed): string => {
  switch (need.type) {
    case 'download':
      return `a download (${need.size})`
    case 'download-again':
      return `a new download (${need.size})`
    case 'file':
      return `a file at ${need.path}`
  }
}

const inCatalogue = (
  id: string,
  name: string,
  kind: 'built-in' | 'local',
  facts: Partial<CatalogueModel> = {},
): CatalogueModel => ({
  id: `house/${id}`,
  provider: 'house',
  model: id,
  name: `${name} (${kind})`,
  maker: 'house',
  family: familyOf(name),
  price: { input: 0, output: 0 },
  abilities: { structured: true },
  local: true,
  ...facts,
})

const builtInModel = async (weights: Weights, cache: Cache): Promise<HouseModel> => {
  const { id, name, maker, context, bytes } = weights
  const condition = await modelCondition(cache, weights)
  const model = inCatalogue(id, name, 'built-in', { maker, context })
  const size = megabytes(bytes)
  const path = weightsFile(cache.folder, weights)
  switch (condition) {
    case 'whole':
      return { model, needs: undefined, state: `checked, ${size}, ${path}` }
    case 'damaged':
      return { model, needs: { type: 'download-again', id, size }, state: `damaged: ${path}` }
    case 'absent':
      return { model, needs: { type: 'download', id, size }, state: 'not downloaded yet' }
  }
}

/** The built-in ones, best first, and files of the person's own that have a name. */
export const houseModels = async (
  { env, house = {} }: Pick<Config, 'env' | 'house'>,
  cwd: string,
): Promise<readonly HouseModel[]> => [
  ...(await Promise.all(builtIn.map(weights => builtInModel(weights, weightsCache(env))))),
  ...namedFiles(house, cwd).map(({ name, path, there }) => ({
    model: inCatalogue(name, name, 'local'),
    needs: there ? undefined : { type: 'file' as const, path },
    state: there ? path : `${path} doesn't exist`,
  })),
]

/** Searches like the catalogue; `configured` and `local` find only those that are ready. */
export const searchHouse = (
  models: readonly HouseModel[],
  words: string,
  { configured, ...filters }: Filters,
): readonly HouseModel[] => {
  const onlyReady = configured !== undefined || filters.local === true
  const found = createCatalogue(models.map(({ model }) => model)).search(words, filters)
  return found.flatMap(({ id }) =>
    models.filter(({ model, needs }) => model.id === id && !(onlyReady && needs)),
  )
}

// listedModels: What a provider's own list adds to the catalogue. Pure.

export const listedModelSchema = z.object({
  id: z.string(),
  /** The day on which its provider turns it off. */
  retires: z.string().max(10).optional(),
  name: z.string().optional(),
  context: z.number().positive().optional(),
  price: z
    .object({
      input: z.number().nonnegative(),
      output: z.number().nonnegative(),
      cachedInput: z.number().nonnegative().optional(),
      cacheWrite: z.number().nonnegative().optional(),
      reasoning: z.number().nonnegative().optional(),
    })
    .optional(),
})
export type ListedModel = z.infer<typeof listedModelSchema>

/** `maker`: in the stored catalogue. `endpoint`: the person's own. `local`: the person's own, on this machine. */
export type ListSource = 'maker' | 'endpoint' | 'local'

/** Makers list everything they sell; a model that doesn't write text can't take a seat. */
const noText =
  /embed|whisper|tts|audio|speech|voice|realtime|transcri|image|dall-e|imagen|veo|sora|video|moderation|guard|rerank|ocr|search-api|live|lyria|aqa/i

/** Whether a model with this name writes text, as far as the name says. */
export const canWrite = (name: string): boolean => !noText.test(name.slice(0, 200))

const ownModel = (
  provider: string,
  listed: ListedModel,
  local: boolean,
  known: Catalogue,
): CatalogueModel => {
  const { id, name = lastSegment(id), context, price, retires } = listed
  const family = familyOf(name)
  const kin = local ? known.models.find(model => model.family === family) : undefined
  return {
    id: `${provider}/${id}`,
    provider,
    model: id,
    name,
    maker: kin?.maker ?? provider,
    family,
    abilities: {},
    ...(context && { context }),
    ...(price && { price }),
    ...(retires !== undefined && { retires }),
    ...(local && { local }),
  }
}

/** A model that the maker still lists isn't retired, whatever the stored catalogue says. */
const makersModel = (provider: string, { id, retires }: ListedModel, known: Catalogue): CatalogueModel[] => {
  const leaving = retires === undefined ? {} : { retires }
  const found = (known.find(`${provider}/${id}`) ?? known.find(`${provider}/${undated(id)}`))?.model
  if (found?.provider === provider)
    return found.model === id && (found.retired || retires !== undefined)
      ? [{ ...found, ...(found.retired && { retired: false }), ...leaving }]
      : []
  if (!canWrite(id)) return []
  const path = id.split('/')
  const maker = path.length > 1 ? path[0]! : provider
  const name = lastSegment(id)
  return [
    {
      id: `${provider}/${id}`,
      provider,
      model: id,
      name,
      maker,
      family: familyOf(name),
      abilities: {},
      ...leaving,
    },
  ]
}

export const modelsFrom = (
  provider: string,
  source: ListSource,
  listed: readonly ListedModel[],
  known: Catalogue,
): CatalogueModel[] =>
  listed.flatMap(one =>
    source === 'maker'
      ? makersModel(provider, one, known)
      : [ownModel(provider, one, source === 'local', known)],
  )

// localServers: Looks for servers on this machine: `ROUNDTABLE_LOCAL=no` turns that off, `ollama=11500` says another port.

const portFrom = (entry: string): readonly [LocalId, number] => {
  const [name, digits = ''] = entry.split('=').map(part => part.trim())
  const server = localServers.find(({ id }) => id === name)
  const port = Number(digits)
  if (server && Number.isInteger(port) && port > 0 && port < 65_536) return [server.id, port]
  const names = localServers.map(({ id }) => id).join(', ')
  throw new UsageError(`ROUNDTABLE_LOCAL is "no", or ports such as ollama=11500 (for ${names}).`)
}

export const searchLocal = async ({ env }: Pick<Config, 'env'>): Promise<readonly FoundServer[]> => {
  const wish = env.ROUNDTABLE_LOCAL?.trim() || undefined
  if (wish === 'no') return []
  return findLocalServers(Object.fromEntries(wish?.split(',').map(portFrom) ?? []))
}

// modelLists: The models that providers list themselves. Providers are asked in parallel and with a time-out, their lists are
// kept in a file for a day, and no failure here keeps anybody from asking a model.

const listSchema = z.object({
  /** Milliseconds since 1970, of the last try. */
  at: z.number(),
  models: z.array(listedModelSchema),
})
const fileSchema = z.record(z.string(), listSchema)
type Lists = z.infer<typeof fileSchema>

export interface ListProblem {
  readonly provider: string
  readonly error: ModelError
}

export interface ModelLists {
  /** The stored catalogue, and what the lists add to it. */
  catalogue(): Catalogue
  /** What a provider listed last, by its own ids. Doesn't read the catalogue. */
  listedBy(provider: string): readonly string[]
  /** Providers whose list is older than a day, or that were never asked. */
  stale(providers: readonly Provider[]): readonly Provider[]
  /**
   * Never rejects. A provider that doesn't answer in time keeps its old list for another day. If the signal ends the
   * wait, the provider is asked again next time.
   */
  refresh(
    providers: readonly Provider[],
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<readonly ListProblem[]>
}

const day = 86_400_000

/** A damaged file counts as no list. */
const read = (path: string): Lists => {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}

/** Two processes may write at once: each replaces the whole file, so nobody reads half of one. */
const write = (path: string, lists: Lists): void => {
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(draft, JSON.stringify(lists), { mode: 0o600 })
    renameSync(draft, path)
  } catch {
    // Without a file, the lists are asked for again next time.
  }
}

/** Asks once. The catalogue knows more about a maker's models than the maker's list does. */
export const askForModels = async (
  provider: Provider,
  source: ListSource | undefined,
  signal: AbortSignal,
): Promise<readonly ListedModel[] | { readonly error: ModelError }> => {
  const listed = await provider.list(signal)
  if ('error' in listed) return listed
  const leaving = (id: string) =>
    listed.retires && Object.hasOwn(listed.retires, id) ? { retires: listed.retires[id]! } : {}
  if (source === 'maker') return listed.models.map(id => ({ id, ...leaving(id) }))
  return Promise.all(
    listed.models.map(async id => {
      const { name, context, price } = await provider.facts(id, signal)
      return {
        id,
        ...leaving(id),
        ...(name && { name }),
        ...(context && { context }),
        ...(price && { price }),
      }
    }),
  )
}

/** `sourceOf` is undefined for providers that are no longer configured and whose models nobody else has. */
export const modelLists = (
  path: string,
  clock: () => number,
  sourceOf: (provider: string) => ListSource | undefined,
): ModelLists => {
  let lists: Lists | undefined
  let merged: Catalogue | undefined
  const current = (): Lists => {
    lists ??= read(path)
    return lists
  }
  const listed = (): CatalogueModel[] =>
    Object.entries(current()).flatMap(([provider, { models }]) => {
      const source = sourceOf(provider)
      return source ? modelsFrom(provider, source, models, stored()) : []
    })
  return {
    catalogue() {
      const more = merged ? [] : listed()
      merged ??= more.length > 0 ? stored().with(more) : stored()
      return merged
    },
    listedBy: provider =>
      Object.hasOwn(current(), provider) ? current()[provider]!.models.map(({ id }) => id) : [],
    stale: providers =>
      providers.filter(({ id }) => Math.abs(clock() - (current()[id]?.at ?? Number.NEGATIVE_INFINITY)) > day),
    async refresh(providers, milliseconds, signal) {
      const timeout = AbortSignal.timeout(milliseconds)
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      const problems: ListProblem[] = []
      const fresh: Lists = {}
      const one = async (provider: Provider): Promise<void> => {
        const { id } = provider
        const answer = await askForModels(provider, sourceOf(id), either)
        if (!('error' in answer)) fresh[id] = { at: clock(), models: [...answer] }
        else if (!signal?.aborted) {
          problems.push({ provider: id, error: answer.error })
          fresh[id] = { at: clock(), models: current()[id]?.models ?? [] }
        }
      }
      await Promise.all(providers.map(one))
      if (Object.keys(fresh).length === 0) return problems
      lists = { ...read(path), ...fresh }
      merged = undefined
      write(path, lists)
      return problems
    },
  }
}

/** Settings of a maker, besides its key. */
export interface MakerOptions {
  readonly baseURL?: string
  /** The variable that holds the key, instead of the maker's usual one. */
  readonly keyEnv?: string
  /** Where its key and address are looked up, instead of the environment that counts for everybody. */
  readonly env?: Environment
  /** Used if no variable holds a key, and only at the address that it was entered for. */
  readonly saved?: SavedKey
  readonly limits?: Limits
  /** Models that the catalogue lacks, such as fine-tuned ones, or other prices than it has. */
  readonly models?: Readonly<Record<string, ModelFacts>>
}

/** A maker that can be called. */
export interface MakerConnection {
  readonly maker: Maker
  readonly provider: Provider
  /** The variable that holds the key; undefined if none is needed, or it was entered on the settings page. */
  readonly keyEnv?: string
  /** The end of a key that was entered on the settings page. */
  readonly keyEnding?: string
  readonly models: Readonly<Record<string, ModelFacts>>
  /** Where it is called; null: at the maker's own address. */
  readonly address: string | null
  /** The same maker, at the same address, with another key. */
  withKey(key: string): Provider
}

/** Everything that can be seated from here. */
export interface Reach {
  readonly providers: readonly Provider[]
  /** The makers among the providers; the others are endpoints of the person's own. */
  readonly connections: readonly MakerConnection[]
  /** Servers that were found on this machine; they are among the providers. */
  readonly found: readonly FoundServer[]
  /** Read when it is first needed: a table of one's own endpoints does without. */
  readonly catalogue: () => Catalogue
  /** The models that a server of one's own is known to have, by its own ids. */
  readonly served: (provider: string) => readonly string[]
  readonly protocols: readonly Protocol[]
  /** Command-line agents of this machine; those that are installed are among the providers. */
  readonly agents: AgentReach
  /** What a request leaves open. */
  readonly usual: Usual
  /** The search endpoint of the person's own. Absent: a model searches. */
  readonly searcher?: Searcher | undefined
}

/** What is taken if a request doesn't say: the configuration of a person or a server. */
export interface Usual {
  readonly lineups?: Lineups
  readonly seats?: readonly SeatInput[]
  /** Null: no moderator. */
  readonly moderator?: string | null
  readonly protocol?: string
  readonly rounds?: number
  readonly deadline?: number
  readonly budget?: number | Budget
  readonly search?: SearchMode
  readonly fetch?: boolean
  /** What a folder's file would add to this if the person agreed, and the sentence that says so. */
  readonly awaiting?: AwaitedTable
}

export interface AwaitedTable {
  readonly seats: boolean
  readonly lineups: readonly string[]
  readonly words: string
}

/** Tables by their names. */
export type Lineups = Readonly<Record<string, readonly SeatInput[]>>

export interface ReachOptions {
  /** OpenAI-compatible servers: `{ id: 'lab', baseURL: 'http://127.0.0.1:8787/v1' }` seats `lab/model-name`. */
  readonly endpoints?: readonly EndpointSettings[]
  readonly providers?: readonly Provider[]
  /** Where keys and addresses are looked up; the process's own environment by default. */
  readonly env?: Environment
  /** By the maker's id. */
  readonly makers?: Readonly<Record<string, MakerOptions>>
  readonly catalogue?: () => Catalogue
  /** What providers of one's own listed; besides the models that their settings name. */
  readonly listedBy?: (provider: string) => readonly string[]
  readonly found?: readonly FoundServer[]
  readonly agents?: AgentReach
  /** Protocols of one's own, beside the built-in ones. */
  readonly protocols?: readonly Protocol[]
  readonly usual?: Usual
  /** A search endpoint. If left out, `ROUNDTABLE_SEARCH` names it. */
  readonly search?: SearchSettings
}

/**
 * The message doesn't repeat the address: what is in the wrong place may be a key. A server of one's own may be
 * given by host and port alone.
 */
const checkedAddress = (address: string, place: string, bare: boolean): string => {
  const whole = bare && !address.includes('://') ? `http://${address.replace(/^:/, 'localhost:')}` : address
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return address.replace(/\/+$/, '')
  throw new UsageError(`${place} needs an address that begins with http:// or https://, without a user name.`)
}

/** Where a maker is called; null: at its own address. */
export const makerAddress = (
  id: string,
  env: Environment,
  settings: ReachOptions['makers'],
): string | null => {
  const maker = makers.find(one => one.id === id)
  const options = settings?.[id] ?? {}
  return (maker && addressOf(maker, options.env ?? env, options)) ?? null
}

const addressOf = (maker: Maker, env: Environment, options: MakerOptions): string | undefined => {
  const bare = maker.keys.length === 0
  const set = variable(env, maker.baseURLVariable)
  if (set !== undefined) return checkedAddress(set, maker.baseURLVariable, bare)
  return options.baseURL && checkedAddress(options.baseURL, `The baseURL of ${maker.id}`, bare)
}

const factsFrom =
  (catalogue: () => Catalogue, id: string, own: MakerConnection['models']): ((model: string) => ModelFacts) =>
  model => {
    const found = (catalogue().find(`${id}/${model}`) ?? catalogue().find(`${id}/${undated(model)}`))?.model
    // Another provider may have another price.
    if (found?.provider !== id) return own[model] ?? {}
    const { name, context, price, abilities } = found
    return {
      name,
      maker: makerLabel(found.maker),
      ...(context && { context }),
      ...(price && { price }),
      ...(abilities.reasoning && { reasoning: true }),
      ...(abilities.pictures !== undefined && { sees: abilities.pictures }),
      ...own[model],
    }
  }

const connectionTo = (
  maker: Maker,
  usualEnv: Environment,
  options: MakerOptions,
  catalogue: () => Catalogue,
): MakerConnection[] => {
  const { env = usualEnv } = options
  const variables = options.keyEnv ? [options.keyEnv] : maker.keys
  const keyEnv = variables.find(name => variable(env, name))
  const baseURL = addressOf(maker, env, options)
  const saved = keyEnv || options.saved?.address !== (baseURL ?? null) ? undefined : options.saved.key
  const key = keyEnv ? variable(env, keyEnv) : saved
  if (key === undefined && (maker.keys.length > 0 || !baseURL)) return []
  const models = options.models ?? {}
  const connect = (used: string | undefined): Provider =>
    maker.connect({
      ...(used !== undefined && { key: used }),
      ...(baseURL && { baseURL }),
      ...(options.limits && { limits: options.limits }),
      known: factsFrom(catalogue, maker.id, models),
    })
  const ending = saved === undefined ? {} : { keyEnding: keyEnding(saved) }
  return [
    {
      ...{ maker, models, address: baseURL ?? null, withKey: connect },
      provider: Object.assign(connect(key), keyEnv && { keyVariable: keyEnv }),
      ...(keyEnv && { keyEnv }),
      ...ending,
    },
  ]
}

const refuseTwins = (providers: readonly Provider[]): void => {
  const twin = providers.find(({ id }, index) => providers.findIndex(other => other.id === id) !== index)
  if (twin) throw new UsageError(`Two providers are called "${twin.id}": rename one of the endpoints.`)
}

const refuseStrangers = (options: Readonly<Record<string, MakerOptions>>): void => {
  const stranger = Object.keys(options).find(id => !makers.some(maker => maker.id === id))
  if (stranger === undefined) return
  const known = makers.map(maker => maker.id).join(', ')
  throw new UsageError(
    `There is no provider "${stranger}". Providers: ${known}. Put servers of your own under "endpoints".`,
  )
}

export const isConnected =
  ({ connections }: Pick<Reach, 'connections'>) =>
  (id: string): boolean =>
    connections.some(({ maker }) => maker.id === id)

/** A server that was found stays out if something configured has its name. */
const unnamed = (found: readonly FoundServer[], taken: readonly Provider[]): FoundServer[] =>
  found.filter(({ id }) => taken.every(provider => provider.id !== id))

/** Whoever is called by a table is told so: a table that is called by one must not ask on, perhaps itself. */
export const depthHeader = 'x-roundtable-depth'

export const atTable = (one: EndpointSettings): Provider =>
  openAICompatible({ ...one, headers: { ...one.headers, [depthHeader]: '1' } })

/** By the settings of a server, and by what it listed itself. */
const servedBy =
  (
    servers: readonly EndpointSettings[],
    listedBy: (provider: string) => readonly string[],
  ): Reach['served'] =>
  id => {
    const named = Object.keys(servers.find(server => server.id === id)?.models ?? {})
    return [...new Set([...named, ...listedBy(id)])]
  }

export const reachOf = (options: ReachOptions): Reach => {
  const { env = process.env, catalogue = stored, makers: settings = {}, listedBy = () => [] } = options
  const { agents = noAgents } = options
  const servers = endpointsFrom(options.endpoints ?? [], env)
  const endpoints = servers.map(atTable)
  const own = [...endpoints, ...(options.providers ?? [])]
  refuseTwins(own)
  refuseStrangers(settings)
  // An endpoint called "openai" takes the place of the maker.
  const connections = makers
    .filter(maker => own.every(({ id }) => id !== maker.id))
    .flatMap(maker => connectionTo(maker, env, settings[maker.id] ?? {}, catalogue))
  const configured = [...own, ...connections.map(({ provider }) => provider)]
  const found = unnamed(options.found ?? [], configured)
  return {
    providers: [...configured, ...found.map(atTable), ...agents.providers],
    connections,
    found,
    catalogue,
    agents,
    served: servedBy([...servers, ...found], listedBy),
    protocols: protocolsWith(options.protocols),
    usual: options.usual ?? {},
    searcher: options.search ? searcherFrom(options.search) : searcherIn(env),
  }
}
