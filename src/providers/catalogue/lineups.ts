/** Line-ups that come with the program: rules over the catalogue, so that newer models take the seats by themselves. */
import type { Catalogue } from './catalogue.ts'
import type { CatalogueModel } from './model.ts'
import { makerLabel, sizeOf, versionOf } from './naming.ts'

/** One maker's place at a table: the newest model of these families. */
interface LineupSlot {
  readonly maker: string
  readonly families: readonly string[]
}

interface LineupRule {
  readonly id: string
  readonly label: string
  readonly places: readonly LineupSlot[]
  readonly only?: (model: CatalogueModel) => boolean
}

const place = (maker: string, ...families: string[]): LineupSlot => ({ maker, families })

const rules = [
  {
    id: 'frontier',
    label: 'The strongest model of each maker',
    places: [
      place('openai', 'gpt', 'gpt-sol', 'gpt-astra'),
      place('anthropic', 'claude-opus'),
      place('google', 'gemini-pro'),
      place('xai', 'grok'),
      place('deepseek', 'deepseek-pro'),
      place('mistral', 'mistral-medium', 'mistral-large'),
      place('moonshotai', 'kimi'),
      place('zai', 'glm'),
      place('alibaba', 'qwen-max'),
    ],
  },
  {
    id: 'open-weights',
    label: 'Models whose weights anybody can have',
    only: model => model.openWeights === true,
    places: [
      place('deepseek', 'deepseek-pro'),
      place('moonshotai', 'kimi'),
      place('zai', 'glm'),
      place('alibaba', 'qwen'),
      place('openai', 'gpt-oss'),
      place('mistral', 'mistral-large', 'mistral-small'),
      place('google', 'gemma'),
      place('meta', 'llama'),
    ],
  },
  {
    id: 'fast',
    label: 'The quick and cheap model of each maker',
    places: [
      place('openai', 'gpt-mini', 'gpt-luna'),
      place('anthropic', 'claude-haiku'),
      place('google', 'gemini-flash-lite', 'gemini-flash'),
      place('mistral', 'mistral-small'),
      place('deepseek', 'deepseek-flash'),
      place('zai', 'glm-flash'),
      place('alibaba', 'qwen-flash'),
      place('meta', 'llama'),
    ],
  },
] as const satisfies readonly LineupRule[]

export interface Lineup {
  readonly seats: readonly CatalogueModel[]
  /** What would fill the seats that stayed empty, in words. */
  readonly missing: readonly string[]
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
    // A free variant stands in the way of nobody, but is often closed for the day.
    .filter(model => !model.model.endsWith(':free'))
    .sort(newestFirst)

const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const whatIsMissing = (
  catalogue: Catalogue,
  maker: string,
  best: CatalogueModel | undefined,
  needs: (provider: string) => string,
): string => {
  if (!best) return `No model of ${makerLabel(maker)} that fits is known`
  const providers = new Set(catalogue.routes(best).map(route => route.model.provider))
  return `${best.name} of ${makerLabel(maker)} needs ${either([...providers].map(needs))}, which is not configured`
}

const resolveRule = (
  catalogue: Catalogue,
  rule: LineupRule,
  configured: (provider: string) => boolean,
  size: number,
  needs: (provider: string) => string,
): Lineup => {
  const seats: CatalogueModel[] = []
  const missing: string[] = []
  for (const one of rule.places) {
    if (seats.length === size) return { seats, missing: [] }
    const models = candidates(catalogue, rule, one)
    const reachable = models
      .flatMap(model => catalogue.routes(model).map(route => route.model))
      .find(model => !model.retired && configured(model.provider))
    if (reachable) seats.push(reachable)
    else missing.push(whatIsMissing(catalogue, one.maker, models[0], needs))
  }
  return { seats, missing: seats.length < size ? missing : [] }
}

/** Of the models on this machine, the largest of each family. */
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
    seats.length === 0 ? ['No local server answers: start Ollama, LM Studio or llama-server'] : []
  return { seats, missing }
}

/**
 * Seats the best reachable model of each maker, each by its shortest configured way, up to `size`.
 * Undefined for an id that no built-in line-up has.
 */
export const resolveLineup = (
  id: string,
  catalogue: Catalogue,
  configured: (provider: string) => boolean,
  size = 6,
  /** What a person would have to set to reach a provider; its id unless told. */
  needs: (provider: string) => string = provider => provider,
): Lineup | undefined => {
  if (id === local.id) return resolveLocal(catalogue, size)
  const rule = rules.find(one => one.id === id)
  return rule && resolveRule(catalogue, rule, configured, size, needs)
}
