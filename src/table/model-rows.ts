/** Models to choose from: each by a route that works, or with what is missing. */
import type { CatalogueModel, Filters } from '../providers/catalogue/index.ts'
import { missingFor } from './find-model.ts'
import type { Reach } from './reach.ts'

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
