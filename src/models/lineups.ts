/** Built-in line-ups. They are rules over the catalogue, so newer models get their seats without a change here. */
import { type Catalogue, type CatalogueModel, makerLabel, sizeOf, versionOf } from './catalogue.ts'

/** One maker's seat: the newest model of these families. */
interface LineupSlot {
  readonly maker: string
  readonly families: readonly string[]
}

interface LineupRule {
  readonly id: string
  readonly label: string
  readonly slots: readonly LineupSlot[]
  readonly only?: (model: CatalogueModel) => boolean
}

const slot = (maker: string, ...families: string[]): LineupSlot => ({ maker, families })

const rules = [
  {
    id: 'frontier',
    label: 'The strongest model of each maker',
    slots: [
      slot('openai', 'gpt', 'gpt-sol', 'gpt-astra'),
      slot('anthropic', 'claude-opus'),
      slot('google', 'gemini-pro'),
      slot('xai', 'grok'),
      slot('deepseek', 'deepseek-pro'),
      slot('mistral', 'mistral-medium', 'mistral-large'),
      slot('moonshotai', 'kimi'),
      slot('zai', 'glm'),
      slot('alibaba', 'qwen-max'),
    ],
  },
  {
    id: 'open-weights',
    label: 'The strongest models with public weights',
    only: model => model.openWeights === true,
    slots: [
      slot('deepseek', 'deepseek-pro'),
      slot('moonshotai', 'kimi'),
      slot('zai', 'glm'),
      slot('alibaba', 'qwen'),
      slot('openai', 'gpt-oss'),
      slot('mistral', 'mistral-large', 'mistral-small'),
      slot('google', 'gemma'),
      slot('meta', 'llama'),
    ],
  },
  {
    id: 'fast',
    label: 'The fast, cheap model of each maker',
    slots: [
      slot('openai', 'gpt-mini', 'gpt-luna'),
      slot('anthropic', 'claude-haiku'),
      slot('google', 'gemini-flash-lite', 'gemini-flash'),
      slot('mistral', 'mistral-small'),
      slot('deepseek', 'deepseek-flash'),
      slot('zai', 'glm-flash'),
      slot('alibaba', 'qwen-flash'),
      slot('meta', 'llama'),
    ],
  },
] as const satisfies readonly LineupRule[]

export interface Lineup {
  readonly seats: readonly CatalogueModel[]
  /** What would fill each empty seat, as sentences for people. */
  readonly missing: readonly string[]
  /** Each of these alone would fill all empty seats. */
  readonly fillsAll?: readonly string[]
}

export interface LineupDescription {
  readonly id: string
  readonly label: string
}

const local: LineupDescription = { id: 'local', label: 'Models served on this machine' }

export const lineups: readonly LineupDescription[] = [...rules.map(({ id, label }) => ({ id, label })), local]

const newestFirst = (a: CatalogueModel, b: CatalogueModel): number =>
  versionOf(b.name) - versionOf(a.name) || sizeOf(b.name) - sizeOf(a.name) || a.model.length - b.model.length

const candidates = (
  catalogue: Catalogue,
  rule: LineupRule,
  { maker, families }: LineupSlot,
): CatalogueModel[] =>
  catalogue.models
    .filter(model => model.maker === maker && families.includes(model.family) && !model.retired)
    .filter(model => rule.only?.(model) ?? true)
    // Free variants often run out of quota for the day.
    .filter(model => !model.model.endsWith(':free'))
    .sort(newestFirst)

const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

interface EmptySeat {
  readonly words: string
  /** Each of these would fill it. */
  readonly needs: readonly string[]
}

const emptySeat = (
  catalogue: Catalogue,
  maker: string,
  best: CatalogueModel | undefined,
  needs: (provider: string) => string,
): EmptySeat => {
  if (!best) return { words: `No matching model of ${makerLabel(maker)} is known`, needs: [] }
  const providers = new Set(catalogue.routes(best).map(route => route.model.provider))
  const ways = [...providers].map(needs)
  return { words: `${best.name} of ${makerLabel(maker)} needs ${either(ways)}`, needs: ways }
}

/** Keys that would each fill every empty seat. */
const commonNeeds = (empty: readonly EmptySeat[]): string[] => {
  const fillable = empty.filter(({ needs }) => needs.length > 0)
  return fillable[0]?.needs.filter(way => fillable.every(({ needs }) => needs.includes(way))) ?? []
}

const resolveRule = (
  catalogue: Catalogue,
  rule: LineupRule,
  configured: (provider: string) => boolean,
  size: number,
  needs: (provider: string) => string,
): Lineup => {
  const seats: CatalogueModel[] = []
  const empty: EmptySeat[] = []
  for (const slot of rule.slots) {
    if (seats.length === size) return { seats, missing: [] }
    const models = candidates(catalogue, rule, slot)
    const reachable = models
      .flatMap(model => catalogue.routes(model).map(route => route.model))
      .find(model => !model.retired && configured(model.provider))
    if (reachable) seats.push(reachable)
    else empty.push(emptySeat(catalogue, slot.maker, models[0], needs))
  }
  if (seats.length >= size) return { seats, missing: [] }
  return { seats, missing: empty.map(({ words }) => words), fillsAll: commonNeeds(empty) }
}

/** The largest model of each family on this machine. */
const resolveLocal = (catalogue: Catalogue, size: number): Lineup => {
  const taken = new Set<string>()
  const seats = catalogue.models
    .filter(model => model.local && !model.retired)
    .sort((a, b) => sizeOf(b.name) - sizeOf(a.name) || newestFirst(a, b))
    .filter(model => {
      const line = `${model.maker} ${model.family}`
      if (taken.has(line)) return false
      taken.add(line)
      return true
    })
    .slice(0, size)
  const missing =
    seats.length === 0 ? ['No local model server was found: start Ollama, LM Studio or llama-server'] : []
  return { seats, missing }
}

/**
 * Seats the best model of each maker that can be reached, by its most direct configured route, up to `size`.
 * Undefined if there is no built-in line-up with this id.
 */
export const resolveLineup = (
  id: string,
  catalogue: Catalogue,
  configured: (provider: string) => boolean,
  size = 6,
  /** What a person must set to reach a provider. Default: the provider's id. */
  needs: (provider: string) => string = provider => provider,
): Lineup | undefined => {
  if (id === local.id) return resolveLocal(catalogue, size)
  const rule = rules.find(one => one.id === id)
  return rule && resolveRule(catalogue, rule, configured, size, needs)
}
