/** Finds out what can be seated from here: once, from a configuration and its surroundings. */
import { join } from 'node:path'
import { localServers } from '../providers/local.ts'
import type { Provider } from '../providers/provider.ts'
import { type AgentReach, openAgents } from './agents.ts'
import { type AskInput, isOpenTable, namesIn } from './ask-input.ts'
import type { Config } from './config.ts'
import { openHouse } from './house.ts'
import { type ListRefresh, listRefresh, sourceFrom } from './list-refresh.ts'
import { searchLocal } from './local-servers.ts'
import { modelLists } from './model-lists.ts'
import { type Reach, reachOf } from './reach.ts'
import { settingsEditor } from './saved-settings.ts'

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
