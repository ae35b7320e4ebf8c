/** Searches the catalogue by words and filters. */
import type { CatalogueModel, Route } from './model.ts'
import { makerId, makerLabel, nameKey, versionOf } from './naming.ts'
import { longestName } from './nearest.ts'

export interface Filters {
  /** The maker's id, or any name that gateways use for it. */
  readonly maker?: string
  /** Dollars for a million tokens of output. A model with an unknown price doesn't pass. */
  readonly maxPrice?: number
  /** Tokens. A model with an unknown context doesn't pass. */
  readonly minContext?: number
  readonly local?: boolean
  /** Keeps the models that such a provider serves, and shows each by the most direct route through one. */
  readonly configured?: (provider: string) => boolean
  readonly openWeights?: boolean
}

const passes = (model: CatalogueModel, filters: Filters): boolean => {
  const { maker, maxPrice, minContext, local, openWeights } = filters
  if (model.retired) return false
  if (maker !== undefined && model.maker !== makerId(maker)) return false
  if (maxPrice !== undefined && !(model.price && model.price.output <= maxPrice)) return false
  if (minContext !== undefined && !(model.context && model.context >= minContext)) return false
  if (local !== undefined && (model.local ?? false) !== local) return false
  return openWeights === undefined || (model.openWeights ?? false) === openWeights
}

/** How well the words match a model; 0 if one of them doesn't. */
const fit = (model: CatalogueModel, words: readonly string[], whole: string): number => {
  const name = nameKey(model.name)
  if (name === whole || nameKey(model.id) === whole) return 3
  const text = `${name} ${nameKey(makerLabel(model.maker))} ${model.maker} ${model.id.toLowerCase()}`
  if (!words.every(word => text.includes(nameKey(word) || word))) return 0
  return name.startsWith(whole) ? 2 : name.includes(whole) ? 1.5 : 1
}

export const searchIn = (
  models: readonly CatalogueModel[],
  words: string,
  filters: Filters,
  routes: (model: CatalogueModel) => readonly Route[],
): readonly CatalogueModel[] => {
  // No model has such a name, and each of its words would be looked up in each model.
  if (words.length > longestName) return []
  const { configured, local } = filters
  // A model may have several routes, and is shown by the first one that fits.
  const fits = ({ model }: Route): boolean =>
    (!configured || configured(model.provider)) && (!local || model.local === true)
  const shown = configured || local ? models.flatMap(model => routes(model).find(fits)?.model ?? []) : models
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const whole = nameKey(words)
  return shown
    .filter(model => passes(model, filters))
    .map(model => ({ model, fit: wanted.length === 0 ? 1 : fit(model, wanted, whole) }))
    .filter(hit => hit.fit > 0)
    .sort(
      (a, b) =>
        b.fit - a.fit ||
        Number(b.model.provider === b.model.maker) - Number(a.model.provider === a.model.maker) ||
        versionOf(b.model.name) - versionOf(a.model.name) ||
        (a.model.name < b.model.name ? -1 : 1),
    )
    .map(hit => hit.model)
}
