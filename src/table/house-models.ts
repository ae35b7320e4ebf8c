/** The built-in models, and files of the person's own, as lists show them: which are ready, and what the others need. */
import { type CatalogueModel, createCatalogue, type Filters } from '../providers/catalogue/index.ts'
import { familyOf } from '../providers/catalogue/naming.ts'
import { builtIn, type Weights } from '../providers/house/built-in.ts'
import { modelCondition } from '../providers/house/fetch-engine.ts'
import { type Cache, megabytes, weightsFile } from '../providers/house/weights.ts'
import type { Config } from './config.ts'
import { namedFiles, weightsCache } from './house.ts'

export interface HouseModel {
  readonly model: CatalogueModel
  /** What it needs before it can answer; undefined: nothing. Each face says how to do it there. */
  readonly needs: BuiltInNeed | undefined
  /** What is known about its file. */
  readonly state: string
}

export type BuiltInNeed =
  | { readonly type: 'download' | 'download-again'; readonly id: string; readonly size: string }
  | { readonly type: 'file'; readonly path: string }

/** In neutral words: "a download (322.6 MB)". */
export const needWords = (need: BuiltInNeed): string => {
  switch (need.type) {
    case 'download':
      return `a download (${need.size})`
    case 'download-again':
      return `a new download (${need.size})`
    case 'file':
      return `a file at ${need.path}`
  }
}

const inCatalogue = (
  id: string,
  name: string,
  kind: 'built-in' | 'local',
  facts: Partial<CatalogueModel> = {},
): CatalogueModel => ({
  id: `house/${id}`,
  provider: 'house',
  model: id,
  name: `${name} (${kind})`,
  maker: 'house',
  family: familyOf(name),
  price: { input: 0, output: 0 },
  abilities: { structured: true },
  local: true,
  ...facts,
})

const builtInModel = async (weights: Weights, cache: Cache): Promise<HouseModel> => {
  const { id, name, maker, context, bytes } = weights
  const condition = await modelCondition(cache, weights)
  const model = inCatalogue(id, name, 'built-in', { maker, context })
  const size = megabytes(bytes)
  const path = weightsFile(cache.folder, weights)
  switch (condition) {
    case 'whole':
      return { model, needs: undefined, state: `checked, ${size}, ${path}` }
    case 'damaged':
      return { model, needs: { type: 'download-again', id, size }, state: `damaged: ${path}` }
    case 'absent':
      return { model, needs: { type: 'download', id, size }, state: 'not downloaded yet' }
  }
}

/** The built-in ones, best first, and files of the person's own that have a name. */
export const houseModels = async (
  { env, house = {} }: Pick<Config, 'env' | 'house'>,
  cwd: string,
): Promise<readonly HouseModel[]> => [
  ...(await Promise.all(builtIn.map(weights => builtInModel(weights, weightsCache(env))))),
  ...namedFiles(house, cwd).map(({ name, path, there }) => ({
    model: inCatalogue(name, name, 'local'),
    needs: there ? undefined : { type: 'file' as const, path },
    state: there ? path : `${path} doesn't exist`,
  })),
]

/** Searches like the catalogue; `configured` and `local` find only those that are ready. */
export const searchHouse = (
  models: readonly HouseModel[],
  words: string,
  { configured, ...filters }: Filters,
): readonly HouseModel[] => {
  const onlyReady = configured !== undefined || filters.local === true
  const found = createCatalogue(models.map(({ model }) => model)).search(words, filters)
  return found.flatMap(({ id }) =>
    models.filter(({ model, needs }) => model.id === id && !(onlyReady && needs)),
  )
}
