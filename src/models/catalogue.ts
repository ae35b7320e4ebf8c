/** Finds models by any of their names, and the routes to each. Pure: the models are passed in. */

import { readFileSync } from 'node:fs'
import { normalForm, trimmed } from '../core/basics.ts'
import type { Price } from './provider.ts'

// model: What the catalogue knows about one model at one provider.

export interface Abilities {
  /** Replies in a given JSON schema. */
  readonly structured?: boolean
  /** Thinks before it answers, and may accept an effort. */
  readonly reasoning?: boolean
  readonly temperature?: boolean
  /** Takes pictures in a message. */
  readonly pictures?: boolean
}

/** An absent field is unknown: not zero, not false. */
export interface CatalogueModel {
  /** `provider/model`: names the model and this route to it. Unique. */
  readonly id: string
  readonly provider: string
  /** The model's id at the provider. */
  readonly model: string
  /** The display name: "Claude Sonnet 4.6". */
  readonly name: string
  /** Who trained it, not who serves it. */
  readonly maker: string
  /** The maker's product line, without version and size: `claude-sonnet`. */
  readonly family: string
  readonly context?: number
  readonly maxOutput?: number
  readonly price?: Price
  readonly abilities: Abilities
  /** Year, month and day, as far as known. */
  readonly released?: string
  readonly openWeights?: boolean
  readonly retired?: boolean
  /** The day on which its provider turns it off, as the provider's own list says. */
  readonly retires?: string
  /** Served on this machine. Set at run time; the stored catalogue has no such model. */
  readonly local?: boolean
}

/** How a provider is related to the maker of a model, the most direct route first. */
export const routeKinds = ['direct', 'local', 'host', 'openrouter', 'gateway'] as const
export type RouteKind = (typeof routeKinds)[number]

export const routeKindOf = (model: CatalogueModel): RouteKind => {
  if (model.local) return 'local'
  if (model.provider === 'openrouter') return 'openrouter'
  if (model.provider === 'vercel') return 'gateway'
  return model.provider === model.maker ? 'direct' : 'host'
}

/** One way to reach a model. */
export interface Route {
  readonly kind: RouteKind
  readonly model: CatalogueModel
}

// naming: Finds out whether two names mean the same model: "Qwen 3.5 397B", `qwen3.5-397b-a17b` and
// `qwen/qwen3.5-397b-a17b` do.

/** The names that gateways use for makers, and ours. */
const aliases: Readonly<Record<string, string>> = {
  'bytedance-seed': 'bytedance',
  'ibm-granite': 'ibm',
  'meta-llama': 'meta',
  mistralai: 'mistral',
  moonshot: 'moonshotai',
  qwen: 'alibaba',
  rekaai: 'reka',
  spacexai: 'xai',
  'x-ai': 'xai',
  'z-ai': 'zai',
  zhipuai: 'zai',
}

const labels: Readonly<Record<string, string>> = {
  alibaba: 'Alibaba',
  anthropic: 'Anthropic',
  cohere: 'Cohere',
  deepseek: 'DeepSeek',
  google: 'Google',
  house: 'Built-in',
  huggingface: 'Hugging Face',
  meta: 'Meta',
  minimax: 'MiniMax',
  mistral: 'Mistral',
  moonshotai: 'Moonshot AI',
  nvidia: 'NVIDIA',
  openai: 'OpenAI',
  xai: 'xAI',
  zai: 'Z.ai',
}

export const makerId = (word: string): string => {
  const lower = word.toLowerCase()
  return aliases[lower] ?? lower
}

export const makerLabel = (maker: string): string => labels[maker] ?? maker

/** Words that distinguish two packagings of one model, not two models. `a17b`: parameters active at once. */
const packaging = /^(latest|preview|instruct|it|20\d{6}|a\d+(\.\d+)?b)$/
const size = /^\d+(\.\d+)?(x\d+(\.\d+)?)?[bmt]$/
const version = /^[a-z]?(\d+(?:\.\d+)*)([ov]?)$/
const variant = /^(non|reasoning|thinking|beta|exp|free)$/

/** Lower-case words, with versions in one piece: `claude-sonnet-4-6` and "Claude Sonnet 4.6" give the same words. */
export const wordsOf = (text: string): string[] =>
  normalForm(text, 'NFKD')
    .toLowerCase()
    .replace(/^[^:/]+:\s+/, '')
    .replaceAll('+', ' plus ')
    .replace(/(?<=[a-z]{2})(?=\d)/g, ' ')
    .replace(/(?<=(?:^|[^\d.])[a-z]?\d{1,2})[-_ ](?=\d{1,2}(?![\d.a-z]))/g, '.')
    .split(/[^a-z0-9.]+/)
    .map(word => trimmed(word, '.'))
    .filter(word => word !== '')

/** The same for all spellings of a name: no case, no spaces, no punctuation, no packaging. */
export const nameKey = (text: string): string =>
  wordsOf(text)
    .filter(word => !packaging.test(word))
    .join('')
    .replaceAll('.', '')

/** `x-ai/grok-4.20` → `grok-4.20`. */
export const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The id of a model without the date of a snapshot: `gpt-5.5-2026-04-23` → `gpt-5.5`. */
export const undated = (id: string): string => id.replace(/[-@]20\d\d-?[01]\d-?[0-3]\d$/, '')

/** What is left of a word without version, size and variant; for `o3` that is the letter. */
const lineWord = (word: string, index: number): string => {
  if (packaging.test(word) || size.test(word) || variant.test(word)) return ''
  const match = version.exec(word)
  if (!match) return word
  return index === 0 ? word.replace(/[\d.]+.*/, '') : (match[2] ?? '')
}

/** The maker's product line: "Claude Sonnet 4.6" → `claude-sonnet`. */
export const familyOf = (name: string): string =>
  wordsOf(name)
    .map(lineWord)
    .filter(word => word !== '')
    .join('-')

/** The version as a decimal, because Grok 4.20 came before 4.3; 0 if the name has none. 2407 is a date. */
export const versionOf = (name: string): number => {
  for (const word of wordsOf(name)) {
    const match = version.exec(word)
    const number = Number.parseFloat(match?.[1] ?? '')
    if (number < 100) return number
  }
  return 0
}

/** Billions of parameters; 0 if the name doesn't say. */
export const sizeOf = (name: string): number => {
  const word = wordsOf(name).find(one => size.test(one))
  if (!word) return 0
  const [count, each] = word.split('x').map(Number.parseFloat)
  const unit = word.endsWith('t') ? 1000 : word.endsWith('m') ? 0.001 : 1
  return (count ?? 0) * (each ?? 1) * unit
}

// nearest: Guesses which model an unknown name meant.

/** How many letters must be added, dropped or changed to turn one word into the other. */
export const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}

/**
 * No model has a longer name, and comparing letters takes time that grows with both lengths. Names of listed models are
 * foreign text as well.
 */
export const longestName = 200

const comparable = (name: string): string => lastSegment(name).slice(0, longestName)

/** A whole word counts 1, the start of a word ("397" of "397b") 0.5. */
const wordIn = (word: string, words: readonly string[]): number =>
  words.includes(word) ? 1 : word.length > 1 && words.some(other => other.startsWith(word)) ? 0.5 : 0

const sharedWords = (a: readonly string[], b: readonly string[]): number =>
  (2 * a.reduce((sum, word) => sum + wordIn(word, b), 0)) / (a.length + b.length || 1)

const sameLetters = (a: string, b: string): number => 1 - editDistance(a, b) / Math.max(a.length, b.length, 1)

/** From 0 to 1: half for shared words, half for shared letters. */
const likeness = (name: string): ((model: CatalogueModel) => number) => {
  const wanted = comparable(name)
  const [words, key] = [wordsOf(wanted), nameKey(wanted)]
  return model => {
    const other = model.name.slice(0, longestName)
    return (sharedWords(words, wordsOf(other)) + sameLetters(key, nameKey(other))) / 2
  }
}

/** Below this, what two names share is chance. */
const lowestScore = 0.25

export const nearestTo = (
  name: string,
  models: readonly CatalogueModel[],
  count: number,
): readonly CatalogueModel[] => {
  const like = likeness(name)
  return models
    .filter(model => !model.retired)
    .map(model => ({ model, score: like(model) }))
    .filter(({ score }) => score >= lowestScore)
    .sort((a, b) => b.score - a.score || versionOf(b.model.name) - versionOf(a.model.name))
    .slice(0, count)
    .map(({ model }) => model)
}

// search: Searches the catalogue by words and filters.

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

// catalogue: The stored catalogue of models, read when it is first needed.

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

// line: A model's line: who came before it in its family, and who comes after it.

export interface PlaceInLine {
  readonly maker: string
  readonly family: string
  /** 0: its name has none. */
  readonly version: number
  readonly released?: string
}

/** A server of one's own may serve a known model under its usual name; any other model is placed by its name. */
const knownAs = (model: string, catalogue: Catalogue): CatalogueModel | undefined =>
  (catalogue.find(model) ?? catalogue.find(lastSegment(model)))?.model

/** `model` is `provider/model`. */
export const placeInLine = (model: string, catalogue: Catalogue): PlaceInLine => {
  const known = knownAs(model, catalogue)
  if (!known) {
    const name = lastSegment(model)
    return { maker: makerId(model.split('/')[0]!), family: familyOf(name), version: versionOf(name) }
  }
  const { maker, family, name, released } = known
  return { maker, family, version: versionOf(name), ...(released !== undefined && { released }) }
}

/** Negative if the first is older. Dates count if both are known; the stored catalogue has none, so versions do. */
export const byAge = (one: PlaceInLine, other: PlaceInLine): number => {
  if (one.released !== undefined && other.released !== undefined && one.released !== other.released)
    return one.released < other.released ? -1 : 1
  return one.version - other.version
}

const isKin = (one: PlaceInLine, other: PlaceInLine): boolean =>
  one.family !== '' && one.maker === other.maker && one.family === other.family

export const isPredecessor = (one: PlaceInLine, of: PlaceInLine): boolean =>
  isKin(one, of) && byAge(one, of) < 0

/** The next model of the same family that isn't about to be retired itself. */
export const successorOf = (model: string, catalogue: Catalogue): CatalogueModel | undefined => {
  const own = placeInLine(model, catalogue)
  return catalogue
    .search('')
    .filter(({ retired, retires }) => !retired && retires === undefined)
    .map(one => ({ one, place: placeInLine(one.id, catalogue) }))
    .filter(({ place }) => isPredecessor(own, place))
    .toSorted((a, b) => byAge(a.place, b.place))[0]?.one
}

// sees: Whether a model takes pictures, by its name: for models that no catalogue and no list says it of.

/**
 * Families that take pictures, as far as their names say so. A name that isn't here means that nobody knows, and such a
 * seat is told that it can't see. Configuration says otherwise with `sees`.
 */
const families: readonly RegExp[] = [
  // Names that say it: qwen3-vl-8b, command-a-vision, llama3.2-vision, glm-4.6v, minicpm-v, deepseek-vl2.
  /(?:^|[-_.:\d])(?:vl\d?|vision|v)(?:[-_.:]|$)/,
  /llava|moondream|pixtral|internvl|molmo|paligemma|smolvlm/,
  // Gemma 3 sees from 4B on.
  /^gemma-?3(?!n)(?![-:]?(?:1b|270m))/,
  /^gemma-?4|^llama-?4|^mistral-small-?3\.[12]/,
  /^claude-(?:3|sonnet|opus|haiku)|^gpt-(?:4o|4\.1|5)|^o[34](?!-mini)|^o4-mini|^gemini|^grok-4/,
]

export const seesByName = (model: string, catalogue: () => Catalogue): boolean => {
  const name = lastSegment(model).toLowerCase()
  const known = catalogue().find(name)?.model.abilities.pictures
  return known ?? families.some(family => family.test(name))
}
