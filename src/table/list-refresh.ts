/** When providers are asked which models they have: as seldom as possible, and never so long that a person waits. */
import { makers } from '../providers/makers/index.ts'
import type { Provider } from '../providers/provider.ts'
import { type AskInput, isOpenTable, namesIn } from './ask-input.ts'
import type { Config } from './config.ts'
import type { ListSource } from './listed-models.ts'
import type { ListProblem, ModelLists } from './model-lists.ts'
import type { Reach } from './reach.ts'

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
