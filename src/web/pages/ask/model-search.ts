/** Finds models by words, maker and kind, and sorts them. */
import type { ModelReply } from '../../../api/index.ts'

export const orders = {
  ready: 'Ready first',
  price: 'Cheapest first',
  context: 'Largest context first',
  name: 'By name',
} as const
export type Order = keyof typeof orders

export interface Search {
  readonly words: string
  /** Empty: all makers. */
  readonly maker: string
  /** Only models that can be seated now. */
  readonly ready: boolean
  readonly local: boolean
  readonly openWeights: boolean
  readonly order: Order
}

export const everything: Search = {
  words: '',
  maker: '',
  ready: false,
  local: false,
  openWeights: false,
  order: 'ready',
}

/** Where a search begins: models without a key are left out, unless there are no others. */
export const searchFor = (models: readonly ModelReply[]): Search => ({
  ...everything,
  ready: models.some(({ configured }) => configured),
})

const fits = (model: ModelReply, { words, maker, ready, local, openWeights }: Search): boolean => {
  const text = `${model.name} ${model.makerLabel} ${model.id}`.toLowerCase()
  return (
    (maker === '' || model.maker === maker) &&
    (!ready || model.configured) &&
    (!local || model.local) &&
    (!openWeights || model.openWeights) &&
    words
      .toLowerCase()
      .split(/\s+/)
      .every(word => text.includes(word))
  )
}

/** The price of one input and one output token. Unknown prices come last. */
const priceOf = ({ price }: ModelReply): number => (price ? price.input + price.output : Number.MAX_VALUE)

const compared: Record<Order, (one: ModelReply, other: ModelReply) => number> = {
  ready: (one, other) => Number(other.configured) - Number(one.configured),
  price: (one, other) => priceOf(one) - priceOf(other),
  context: (one, other) => (other.context ?? 0) - (one.context ?? 0),
  name: (one, other) => one.name.localeCompare(other.name),
}

export const searchModels = (models: readonly ModelReply[], search: Search): ModelReply[] =>
  models.filter(model => fits(model, search)).toSorted(compared[search.order])

/** The person's own server has models that are in no list: `lab/model-name` is seated as written. */
export const asWritten = (words: string, found: readonly ModelReply[]): string | undefined => {
  const name = words.trim()
  return /^[^\s/]+\/\S+$/.test(name) && !found.some(model => model.id === name) ? name : undefined
}

export const makersIn = (models: readonly ModelReply[]): { id: string; label: string }[] => {
  const labels = new Map(models.map(model => [model.maker, model.makerLabel]))
  return [...labels]
    .map(([id, label]) => ({ id, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
}
