/** Endpoints of one person, beside what the server can seat for everybody. */
import type { EndpointSettings } from '../providers/chat/openai-compatible.ts'
import { keyVariable, reservedIds } from '../providers/endpoints.ts'
import { localServers } from '../providers/local.ts'
import { makers } from '../providers/makers/index.ts'
import type { Provider } from '../providers/provider.ts'
import { type ConfiguredEndpoint, ownersPage } from './config.ts'
import { type ListedModel, modelsFrom } from './listed-models.ts'
import { askForModels } from './model-lists.ts'
import type { OpenReach } from './open-reach.ts'
import { atTable, type Reach } from './reach.ts'

/** Milliseconds for which a list of models counts, and for which somebody waits for one. */
const [fresh, patience] = [60_000, 3_000]

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
      const answer = await askForModels(provider, 'endpoint', AbortSignal.timeout(patience))
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
