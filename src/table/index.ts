/**
 * The one way from a request to `session-opened`. Every face opens a reach once and resolves each request against it;
 * nothing outside this folder decides who sits at the table.
 */
import type { CatalogueModel, Filters } from '../models/catalogue.ts'
import type { Reach } from './reach.ts'
import { missingFor } from './seats.ts'

export type { AskInput } from './ask.ts'
export { type Config, loadConfig } from './config.ts'
export { forkAt } from './fork.ts'
export { type OpenReach, openReach } from './open-reach.ts'
export { type Asker, type Opening, resolveAsk } from './resolve.ts'

// modelRows: Models to choose from: each by a route that works, or with what is missing.

export interface ModelRow {
  readonly model: CatalogueModel
  readonly configured: boolean
  /** Variables of which one must be set. */
  readonly missing: readonly string[]
}

/** The search is the name of a server of the person's own: its models are wanted, and not those that contain the word. */
const serverNamed = ({ providers, connections }: Reach, search: string): string | undefined =>
  providers.find(
    ({ id }) =>
      id.toLowerCase() === search.trim().toLowerCase() && connections.every(({ maker }) => maker.id !== id),
  )?.id

export const modelRows = (reach: Reach, search: string, filters: Filters): ModelRow[] => {
  const server = serverNamed(reach, search)
  const isConfigured = (id: string): boolean => reach.providers.some(provider => provider.id === id)
  const catalogue = reach.catalogue()
  const found = catalogue.search(search, filters)
  const wanted = server === undefined ? found : found.filter(({ provider }) => provider === server)
  return wanted.map(model => {
    const usable = catalogue.routes(model).find(route => isConfigured(route.model.provider))?.model
    const missing = usable ? [] : missingFor(model, reach)
    return { model: usable ?? model, configured: usable !== undefined, missing }
  })
}
