/** What can be seated, from keys and endpoints. Connecting loads nothing: a maker's package is loaded at its first call. */
import { UsageError } from '../core/errors.ts'
import type { Budget } from '../core/log/event.ts'
import { keyEnding } from '../core/question/saved-defaults.ts'
import type { SeatInput } from '../core/question/seat-input.ts'
import type { SearchMode } from '../core/question/source.ts'
import { protocolsWith } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { type Catalogue, makerLabel, catalogue as stored } from '../providers/catalogue/index.ts'
import { undated } from '../providers/catalogue/naming.ts'
import { type EndpointSettings, openAICompatible } from '../providers/chat/openai-compatible.ts'
import { type Environment, endpointsFrom, variable } from '../providers/endpoints.ts'
import type { FoundServer } from '../providers/local.ts'
import type { Maker } from '../providers/maker.ts'
import { makers } from '../providers/makers/index.ts'
import type { Limits, ModelFacts, Provider } from '../providers/provider.ts'
import { type Searcher, type SearchSettings, searcherFrom, searcherIn } from '../providers/search/index.ts'
import { type AgentReach, noAgents } from './agents.ts'
import type { SavedKey } from './saved-settings.ts'

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
      ...{ maker, models, provider: connect(key), address: baseURL ?? null, withKey: connect },
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
