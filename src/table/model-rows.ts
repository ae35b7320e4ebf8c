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

export const modelRows = (reach: Reach, search: string, filters: Filters): ModelRow[] => {
  const isConfigured = (id: string): boolean => reach.providers.some(provider => provider.id === id)
  const catalogue = reach.catalogue()
  return catalogue.search(search, filters).map(model => {
    const usable = catalogue.routes(model).find(route => isConfigured(route.model.provider))?.model
    const missing = usable ? [] : missingFor(model, reach)
    return { model: usable ?? model, configured: usable !== undefined, missing }
  })
}
