/** The house's models as lists and checkups show them: which are ready, and what the others need. */
import { type CatalogueModel, createCatalogue, type Filters } from '../providers/catalogue/index.ts'
import { familyOf } from '../providers/catalogue/naming.ts'
import { builtIn, type Weights } from '../providers/house/built-in.ts'
import { conditionOf, megabytes, weightsFile } from '../providers/house/weights.ts'
import type { Config } from './config.ts'
import { namedFiles, weightsFolder } from './house.ts'

export interface HouseModel {
  readonly model: CatalogueModel
  /** What is to be done before it can answer; undefined: nothing. */
  readonly missing: string | undefined
  /** Of one that only needs to be fetched: its name and size. */
  readonly fetchable?: string
  /** What is known of its file. */
  readonly state: string
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

const builtInModel = async (weights: Weights, folder: string): Promise<HouseModel> => {
  const { id, name, maker, context, bytes } = weights
  const condition = await conditionOf(folder, weights)
  const model = inCatalogue(id, name, 'built-in', { maker, context })
  const size = megabytes(bytes)
  const path = weightsFile(folder, weights)
  switch (condition) {
    case 'whole':
      return { model, missing: undefined, state: `checked, ${size}, ${path}` }
    case 'damaged':
      return { model, missing: `house remove ${id}, then house fetch ${id}`, state: `damaged: ${path}` }
    case 'absent': {
      const fetchable = `${id} (${size})`
      return { model, missing: `house fetch ${fetchable}`, fetchable, state: 'not fetched yet' }
    }
  }
}

/** Those that are built in, best first, and files of the person's own that have a name. */
export const houseModels = async (
  { env, house = {} }: Pick<Config, 'env' | 'house'>,
  cwd: string,
): Promise<readonly HouseModel[]> => [
  ...(await Promise.all(builtIn.map(weights => builtInModel(weights, weightsFolder(env))))),
  ...namedFiles(house, cwd).map(({ name, path, there }) => ({
    model: inCatalogue(name, name, 'local'),
    missing: there ? undefined : `a file at ${path}`,
    state: there ? path : `there is no ${path}`,
  })),
]

/** By words and filters, as the catalogue does; `configured` and `local` ask for those that are ready. */
export const searchHouse = (
  models: readonly HouseModel[],
  words: string,
  { configured, ...filters }: Filters,
): readonly HouseModel[] => {
  const onlyReady = configured !== undefined || filters.local === true
  const found = createCatalogue(models.map(({ model }) => model)).search(words, filters)
  return found.flatMap(({ id }) =>
    models.filter(({ model, missing }) => model.id === id && !(onlyReady && missing !== undefined)),
  )
}
