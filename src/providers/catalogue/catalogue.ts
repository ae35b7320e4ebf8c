/** Finds models by any of their names, and the routes to each. Pure: the models are passed in. */
import { type CatalogueModel, type Route, routeKindOf, routeKinds } from './model.ts'
import { lastSegment, makerId, nameKey, wordsOf } from './naming.ts'
import { nearestTo } from './nearest.ts'
import { type Filters, searchIn } from './search.ts'

export interface Match {
  readonly model: CatalogueModel
  /** The name includes the provider (`openrouter/z-ai/glm-5.1`), so no other route is allowed. */
  readonly pinned: boolean
}

export interface Catalogue {
  readonly models: readonly CatalogueModel[]
  /** Finds a model by display name, `maker/id`, id alone, or the path at a gateway, in any spelling. */
  find(name: string): Match | undefined
  /** All routes to the same model, the most direct first: its maker, other hosts, OpenRouter, the gateway. */
  routes(model: CatalogueModel): readonly Route[]
  /** The models that an unknown name may have meant, likeliest first, each model once. */
  nearest(name: string, count: number): readonly CatalogueModel[]
  /** Each model once, best match first. All of `words` must match; without words, all models pass. */
  search(words: string, filters?: Filters): readonly CatalogueModel[]
  /** The same catalogue with models that were found at run time; their facts replace the stored ones. */
  with(models: readonly CatalogueModel[]): Catalogue
}

/** Whether an id pins its provider: it does if the provider isn't the maker. */
const pins = (model: CatalogueModel): boolean => routeKindOf(model) !== 'direct'

const mostDirectFirst = (a: CatalogueModel, b: CatalogueModel): number =>
  Number(a.retired ?? false) - Number(b.retired ?? false) ||
  routeKinds.indexOf(routeKindOf(a)) - routeKinds.indexOf(routeKindOf(b)) ||
  a.model.length - b.model.length

const keys = new WeakMap<CatalogueModel, readonly string[]>()

/** Computed once for each model: otherwise it would take half the time of a search. */
const keysOf = (model: CatalogueModel): readonly string[] => {
  const known = keys.get(model)
  if (known) return known
  const computed = [...new Set([nameKey(model.name), nameKey(lastSegment(model.model))])]
  keys.set(model, computed)
  return computed
}

/** "Grok 4.20 Reasoning" of one host and a "Grok 4.20" that reasons if asked are the same model. */
const unreasoned = (model: CatalogueModel): string | undefined => {
  const words = wordsOf(model.name)
  if (!words.includes('reasoning')) return undefined
  return nameKey(words.filter(word => word !== 'reasoning').join(' '))
}

const grouped = (entries: Iterable<readonly [string, CatalogueModel]>): Map<string, CatalogueModel[]> => {
  const groups = new Map<string, CatalogueModel[]>()
  for (const [key, model] of entries) {
    const group = groups.get(key)
    if (group) group.push(model)
    else groups.set(key, [model])
  }
  for (const group of groups.values()) group.sort(mostDirectFirst)
  return groups
}

export const createCatalogue = (models: readonly CatalogueModel[]): Catalogue => {
  const byId = new Map(models.map(model => [model.id.toLowerCase(), model]))
  const byModel = grouped(models.map(model => [model.model.toLowerCase(), model]))
  const byKey = grouped(models.flatMap(model => keysOf(model).map(key => [key, model] as const)))
  const byPlainKey = grouped(
    models.flatMap(model => {
      const key = unreasoned(model)
      return key ? [[key, model] as const] : []
    }),
  )

  /** Finds `owner/name`: the owner is a maker or a provider, and the name may be in any spelling. */
  const owned = (path: string): Match | undefined => {
    const slash = path.indexOf('/')
    if (slash < 0) return undefined
    const owner = path.slice(0, slash)
    const named = byKey.get(nameKey(lastSegment(path))) ?? []
    const made = named.find(model => model.maker === makerId(owner))
    if (made) return { model: made, pinned: false }
    const served = named.find(model => model.provider === owner)
    return served && { model: served, pinned: pins(served) }
  }

  const find = (name: string): Match | undefined => {
    const wanted = name
      .trim()
      .toLowerCase()
      .replace(/^gateway\//, 'vercel/')
    const exact = byId.get(wanted)
    if (exact) return { model: exact, pinned: pins(exact) }
    const model = byModel.get(wanted)?.[0]
    if (model) return { model, pinned: false }
    if (wanted.includes('/')) return owned(wanted)
    const named = byKey.get(nameKey(wanted))?.[0]
    return named && { model: named, pinned: false }
  }

  const routes = (model: CatalogueModel): readonly Route[] => {
    const same = new Set([model, ...keysOf(model).flatMap(key => byKey.get(key) ?? [])])
    const taken = new Set([...same].map(one => one.provider))
    const plain = unreasoned(model)
    const kin = plain
      ? (byKey.get(plain) ?? []).filter(one => one.abilities.reasoning)
      : model.abilities.reasoning
        ? keysOf(model).flatMap(key => byPlainKey.get(key) ?? [])
        : []
    for (const one of kin) if (!taken.has(one.provider)) same.add(one)
    return [...same]
      .filter(one => one.maker === model.maker)
      .sort(mostDirectFirst)
      .map(one => ({ kind: routeKindOf(one), model: one }))
  }

  /** Each model once, by the first of its routes. */
  let distinct: readonly CatalogueModel[] | undefined
  const each = (): readonly CatalogueModel[] => {
    distinct ??= [...new Set(models.map(model => routes(model)[0]!.model))]
    return distinct
  }

  return {
    models,
    find,
    routes,
    nearest: (name, count) => nearestTo(name, each(), count),
    search: (words, filters = {}) => searchIn(each(), words, filters, routes),
    with: more => {
      const merged = new Map(models.map(model => [model.id, model]))
      for (const model of more) merged.set(model.id, { ...merged.get(model.id), ...model })
      return createCatalogue([...merged.values()])
    },
  }
}
