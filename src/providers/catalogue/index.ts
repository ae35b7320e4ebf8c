/** The stored catalogue of models, read when it is first needed. */
import { readFileSync } from 'node:fs'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import type { CatalogueModel } from './model.ts'

export { type Catalogue, createCatalogue, type Match } from './catalogue.ts'
export type { Abilities, CatalogueModel, Route, RouteKind } from './model.ts'
export { makerLabel } from './naming.ts'
export type { Filters } from './search.ts'

interface Stored {
  /** The source of the data, and its licence. */
  readonly notes: readonly string[]
  readonly models: readonly Omit<CatalogueModel, 'id'>[]
}

const read = (): Stored => JSON.parse(readFileSync(new URL('./models.json', import.meta.url), 'utf8'))

let loaded: Catalogue | undefined

export const catalogue = (): Catalogue => {
  loaded ??= createCatalogue(read().models.map(one => ({ ...one, id: `${one.provider}/${one.model}` })))
  return loaded
}
