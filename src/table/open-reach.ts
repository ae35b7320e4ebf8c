/** Finds out what can be seated from here: once, from a configuration and its surroundings. */

import { join } from 'node:path'
import { type AgentReach, openAgents } from '../agents/table.ts'
import type { EndpointSettings } from '../models/chat.ts'
import { keyVariable, reservedIds } from '../models/endpoints.ts'
import { localServers } from '../models/local.ts'
import { makers } from '../models/makers.ts'
import type { Provider } from '../models/provider.ts'
import { type AskInput, isOpenTable, namesIn } from './ask.ts'
import { type Config, type ConfiguredEndpoint, ownersPage, settingsEditor } from './config.ts'
import {
  askForModels,
  atTable,
  type ListedModel,
  type ListProblem,
  type ListSource,
  type ModelLists,
  modelLists,
  modelsFrom,
  openHouse,
  type Reach,
  reachOf,
  searchLocal,
} from './reach.ts'

// listRefresh: When providers are asked which models they have: as seldom as possible, and never so long that a person waits.

/** How long somebody waits for lists that they want to see. */
const patience = 3_000
/** How long the lists may take while a session is under way. */
const backgroundTime = 20_000

const isHere = (address: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(address).hostname)

export const sourceFrom =
  ({ endpoints }: Pick<Config, 'endpoints'>) =>
  (id: string): ListSource | undefined => {
    const endpoint = endpoints.find(one => one.id === id)
    if (endpoint) return isHere(endpoint.baseURL) ? 'local' : 'endpoint'
    const maker = makers.find(one => one.id === id)
    return maker && (maker.keys.length > 0 ? 'maker' : 'local')
  }

export interface ListRefresh {
  /** Asks those whose list may be out of date, or everybody, and says who did not answer. */
  refresh(everybody?: boolean): Promise<readonly ListProblem[]>
  /** Waits only for lists without which a request can't be seated. */
  refreshFor(input: AskInput): Promise<void>
  /** Once a day, beside a session. Abort the signal when the session is over, so that nobody waits for a list. */
  refreshBeside(signal: AbortSignal): void
}

export const listRefresh = (
  lists: ModelLists,
  reach: Reach,
  sourceOf: (provider: string) => ListSource | undefined,
): ListRefresh => {
  const listing = reach.providers.filter(({ id }) => sourceOf(id) !== undefined)
  const isMakers = ({ id }: Provider): boolean => sourceOf(id) === 'maker'
  const staleMakers = (): readonly Provider[] => lists.stale(listing.filter(isMakers))
  /** A maker's list changes seldom; what is served by one's own servers may have changed a minute ago. */
  const worthAsking = (): readonly Provider[] => [
    ...listing.filter(provider => !isMakers(provider)),
    ...staleMakers(),
  ]
  /** The models of a local line-up, and names that are newer than the catalogue. */
  const neededFor = (input: AskInput): Provider[] => {
    const keyed = reach.connections.some(({ maker }) => maker.keys.length > 0)
    const wantsLocal = input.lineup === 'local' || (isOpenTable(input) && !keyed)
    const names = namesIn(input)
    // Among the other models of a server on the panel there may be a moderator.
    const needsModerator = input.moderator === undefined ? lists.stale(listing) : []
    return listing.filter(provider => {
      const sits = names.some(name => name.startsWith(`${provider.id}/`))
      if (sits && !isMakers(provider) && needsModerator.includes(provider)) return true
      if (sourceOf(provider.id) === 'local') return wantsLocal
      const asked = names.filter(name => name.startsWith(`${provider.id}/`))
      return isMakers(provider) && asked.some(name => !reach.catalogue().find(name))
    })
  }
  return {
    async refresh(everybody = false) {
      const asked = everybody ? listing : worthAsking()
      return asked.length > 0 ? lists.refresh(asked, patience) : []
    },
    async refreshFor(input) {
      const needed = neededFor(input)
      if (needed.length > 0) await lists.refresh(needed, patience)
    },
    refreshBeside(signal) {
      const stale = staleMakers()
      if (stale.length > 0) void lists.refresh(stale, backgroundTime, signal)
    },
  }
}

/** What can be seated from here, and the configuration that it comes from. */
export interface OpenReach extends Reach, ListRefresh {
  /** With the servers that were found on this machine among the endpoints. */
  readonly config: Config
}

export interface ReachSurroundings {
  /** Where names of files start. */
  readonly cwd: string
  readonly clock: () => number
  /** Besides what is configured: the voices of the tour. */
  readonly providers?: readonly Provider[]
  /** What is about to be asked: servers on this machine are looked for only if it may seat one. */
  readonly ask?: AskInput
  /** Why no agent of this machine is seated here. */
  readonly noAgentsBecause?: string | undefined
}

const mayBeLocal = (input: AskInput, config: Config): boolean => {
  const open = isOpenTable(input) && !config.seats
  const { lineup = '' } = input
  const seats = [...(input.seats ?? []), ...(config.seats ?? []), ...(config.lineups[lineup] ?? [])]
  const names = namesIn({ seats, moderator: input.moderator ?? config.moderator ?? null })
  return (
    open ||
    // A saved line-up is known to the archive alone, and may hold any model.
    (lineup !== '' && !Object.hasOwn(config.lineups, lineup)) ||
    localServers.some(({ id }) => names.some(name => name.startsWith(`${id}/`)))
  )
}

const withFound = (config: Config, found: Reach['found']): Config => ({
  ...config,
  endpoints: [
    ...config.endpoints,
    ...found.map(one => ({ ...one, keyEnv: '', from: 'found on this machine' })),
  ],
})

const agentsFor = (
  { env, shell = env, agents, data }: Config,
  { clock, noAgentsBecause: refusal }: ReachSurroundings,
): Promise<AgentReach> =>
  openAgents({
    ...{ ...agents, env: shell, refusal, clock },
    save: agreed => settingsEditor(data).saveAgreement(agreed),
  })

export const openReach = async (config: Config, surroundings: ReachSurroundings): Promise<OpenReach> => {
  const { cwd, clock, providers = [], ask } = surroundings
  const { endpoints, env, providers: makers } = config
  const looking = agentsFor(config, surroundings)
  const servers = ask === undefined || mayBeLocal(ask, config) ? await searchLocal(config) : []
  const sourceOf = sourceFrom(withFound(config, servers))
  const lists = modelLists(join(config.data, 'models.json'), clock, sourceOf)
  const reach = reachOf({
    ...{ endpoints, env, makers, found: servers, catalogue: lists.catalogue, usual: config },
    listedBy: lists.listedBy,
    agents: await looking,
    providers: [openHouse(config.house ?? {}, { env, cwd }), ...providers],
  })
  return { ...reach, ...listRefresh(lists, reach, sourceOf), config: withFound(config, reach.found) }
}

// liveReach: A reach that is opened anew when the settings change, while everybody who has it goes on using it.

export interface LiveReach extends OpenReach {
  /** If the new configuration can't be used, the old one stays, and this rejects. */
  reload(): Promise<void>
}

export const liveReach = async (open: () => Promise<OpenReach>): Promise<LiveReach> => {
  let current = await open()
  let reloading: Promise<unknown> = Promise.resolve()
  return {
    get providers() {
      return current.providers
    },
    get connections() {
      return current.connections
    },
    get found() {
      return current.found
    },
    get agents() {
      return current.agents
    },
    get protocols() {
      return current.protocols
    },
    get usual() {
      return current.usual
    },
    get searcher() {
      return current.searcher
    },
    get config() {
      return current.config
    },
    catalogue: () => current.catalogue(),
    served: provider => current.served(provider),
    refresh: everybody => current.refresh(everybody),
    refreshFor: input => current.refreshFor(input),
    refreshBeside: signal => current.refreshBeside(signal),
    async reload() {
      // One after the other: an older configuration must not replace a newer one.
      const next = reloading.then(async () => {
        current = await open()
      })
      reloading = next.catch(() => {})
      await next
    },
  }
}

// ownServers: Endpoints of one person, beside what the server can seat for everybody.

/** Milliseconds for which a list of models counts, and for which somebody waits for one. */
const [fresh, ownServersPatience] = [60_000, 3_000]

export interface OwnServer {
  readonly settings: EndpointSettings
  readonly provider: Provider
  /** What it listed last. */
  listed(): readonly ListedModel[]
  /** Asks for its models, unless it was asked a moment ago. Never rejects. */
  look(): Promise<void>
}

export const ownServer = (settings: EndpointSettings, clock: () => number): OwnServer => {
  const provider = atTable(settings)
  let models: readonly ListedModel[] = []
  let looked = Number.NEGATIVE_INFINITY
  return {
    settings,
    provider,
    listed: () => models,
    async look() {
      if (Math.abs(clock() - looked) < fresh) return
      looked = clock()
      const answer = await askForModels(provider, 'endpoint', AbortSignal.timeout(ownServersPatience))
      if (!('error' in answer)) models = answer
    },
  }
}

/** Whether the server has this name, or may have it tomorrow. */
export const isServersId = ({ providers }: Pick<Reach, 'providers'>, id: string): boolean =>
  [...[providers, makers, localServers].flatMap(all => all.map(one => one.id)), ...reservedIds].some(
    one => keyVariable(one) === keyVariable(id),
  )

/** The parts of a reach that a person's own endpoints change. */
export type OwnReach = Pick<OpenReach, 'providers' | 'config' | 'catalogue' | 'served' | 'refresh'>

const configuredAs = ({ settings }: OwnServer): ConfiguredEndpoint => ({
  ...{ ...settings, keyEnv: '' },
  from: ownersPage,
})

/** If the server has got the same name since, the server's counts. */
export const withOwnServers = (reach: OpenReach, servers: readonly OwnServer[]): OwnReach => {
  const own = servers.filter(({ settings }) => !isServersId(reach, settings.id))
  const { config } = reach
  const known = reach.catalogue
  return {
    providers: [...reach.providers, ...own.map(({ provider }) => provider)],
    config: { ...config, endpoints: [...config.endpoints, ...own.map(configuredAs)] },
    catalogue: () =>
      known().with(
        own.flatMap(({ settings, listed }) => modelsFrom(settings.id, 'endpoint', listed(), known())),
      ),
    served: id =>
      own
        .find(({ settings }) => settings.id === id)
        ?.listed()
        .map(model => model.id) ?? reach.served(id),
    async refresh(everybody) {
      const [problems] = await Promise.all([reach.refresh(everybody), ...own.map(one => one.look())])
      return problems
    },
  }
}
