/** The models that providers list themselves, for commands: kept in the data folder, asked when it is worth it. */
import { join } from 'node:path'
import { makers } from '../providers/makers/index.ts'
import type { Provider } from '../providers/provider.ts'
import type { Config } from './config.ts'
import type { ListSource } from './listed-models.ts'
import { type ModelLists, modelLists } from './model-lists.ts'
import type { AskInput } from './opening.ts'
import { type Reach, reachOf } from './reach.ts'

/** How long a command waits for lists that it wants to show. */
export const patience = 3_000
/** How long the lists may take while a session is under way. */
const backgroundTime = 20_000

const isHere = (address: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(address).hostname)

const sourceFrom =
  ({ endpoints }: Config) =>
  (id: string): ListSource | undefined => {
    const endpoint = endpoints.find(one => one.id === id)
    if (endpoint) return isHere(endpoint.baseURL) ? 'local' : 'endpoint'
    const maker = makers.find(one => one.id === id)
    return maker && (maker.keys.length > 0 ? 'maker' : 'local')
  }

export interface Known {
  readonly lists: ModelLists
  readonly reach: Reach
  readonly sourceOf: (provider: string) => ListSource | undefined
}

export const knownTo = (config: Config, clock: () => number, more: readonly Provider[] = []): Known => {
  const sourceOf = sourceFrom(config)
  const lists = modelLists(join(config.data, 'models.json'), clock, sourceOf)
  const { endpoints, env, providers } = config
  const reach = reachOf({ endpoints, env, providers: more, makers: providers, catalogue: lists.catalogue })
  return { lists, reach, sourceOf }
}

/** A maker's list changes seldom; what is served by one's own servers may have changed a minute ago. */
export const worthAsking = ({ lists, reach, sourceOf }: Known): readonly Provider[] => {
  const isOwn = ({ id }: Provider): boolean => sourceOf(id) !== 'maker'
  const makersOwn = reach.providers.filter(provider => !isOwn(provider))
  return [...reach.providers.filter(isOwn), ...lists.stale(makersOwn)]
}

const seatNames = ({ seats = [], moderator }: AskInput): string[] => [
  ...seats.map(seat => (typeof seat === 'string' ? seat : seat.model)),
  ...(moderator ? [moderator] : []),
]

/** What only the providers can tell: the models of a local line-up, and names that are newer than the catalogue. */
const neededFor = (input: AskInput, { reach, sourceOf }: Known): Provider[] => {
  const keyed = reach.connections.filter(({ maker }) => maker.keys.length > 0)
  const wantsLocal = input.lineup === 'local' || (!input.seats && !input.lineup && keyed.length === 0)
  const names = seatNames(input)
  return reach.providers.filter(({ id }) => {
    if (sourceOf(id) === 'local') return wantsLocal
    const asked = names.filter(name => name.startsWith(`${id}/`))
    return sourceOf(id) === 'maker' && asked.some(name => !reach.catalogue().find(name))
  })
}

/** Waits for lists only where the table cannot be seated without them. */
export const askFirst = async (input: AskInput, known: Known): Promise<void> => {
  const needed = neededFor(input, known)
  if (needed.length > 0) await known.lists.refresh(needed, patience)
}

/** Once a day, beside a session. Whoever starts it aborts the signal, so that it holds up nobody's end. */
export const refreshQuietly = ({ lists, reach, sourceOf }: Known, signal: AbortSignal): void => {
  const stale = lists.stale(reach.providers.filter(({ id }) => sourceOf(id) === 'maker'))
  if (stale.length > 0) void lists.refresh(stale, backgroundTime, signal)
}
