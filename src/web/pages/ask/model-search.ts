/** Finds models in the list of all: by words, maker and what they are; cheapest or largest first, if that is asked for. */
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
  /** Empty: of all makers. */
  readonly maker: string
  /** Only those that can be seated now. */
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

/** An answer costs more to write than its question to read. What is unknown comes last. */
const priceOf = ({ price }: ModelReply): number => (price ? price.input + price.output : Number.MAX_VALUE)

const compared: Record<Order, (one: ModelReply, other: ModelReply) => number> = {
  ready: (one, other) => Number(other.configured) - Number(one.configured),
  price: (one, other) => priceOf(one) - priceOf(other),
  context: (one, other) => (other.context ?? 0) - (one.context ?? 0),
  name: (one, other) => one.name.localeCompare(other.name),
}

export const searchModels = (models: readonly ModelReply[], search: Search): ModelReply[] =>
  models.filter(model => fits(model, search)).toSorted(compared[search.order])

/** A server of one's own has models that no list knows: `lab/model-name` is seated as it is written. */
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
