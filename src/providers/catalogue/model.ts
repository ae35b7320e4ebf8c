/** What the catalogue knows of one model at one provider. */
import type { Price } from '../provider.ts'

export interface Abilities {
  /** Replies in a given JSON schema. */
  readonly structured?: boolean
  /** Thinks before it answers, and may take an effort. */
  readonly reasoning?: boolean
  readonly temperature?: boolean
}

/** Whatever is absent is unknown: never zero, never false. */
export interface CatalogueModel {
  /** `provider/model`: what a seat is given to pin this way to the model. Unique. */
  readonly id: string
  readonly provider: string
  /** The model's id at the provider. */
  readonly model: string
  /** As people say it: "Claude Sonnet 4.6". */
  readonly name: string
  /** Who trained it, whoever serves it. */
  readonly maker: string
  /** The maker's line without version and size: `claude-sonnet`. */
  readonly family: string
  readonly context?: number
  readonly maxOutput?: number
  readonly price?: Price
  readonly abilities: Abilities
  /** Year, month and day, as far as known. */
  readonly released?: string
  readonly openWeights?: boolean
  readonly retired?: boolean
  /** Served on this machine. Set by those who found it there; the stored catalogue has none. */
  readonly local?: boolean
}

/** How a provider stands to the maker of a model, the shortest way first. */
export const ways = ['direct', 'local', 'host', 'openrouter', 'gateway'] as const
export type Way = (typeof ways)[number]

export const wayTo = (model: CatalogueModel): Way => {
  if (model.local) return 'local'
  if (model.provider === 'openrouter') return 'openrouter'
  if (model.provider === 'vercel') return 'gateway'
  return model.provider === model.maker ? 'direct' : 'host'
}

/** One way to reach a model. */
export interface Route {
  readonly way: Way
  readonly model: CatalogueModel
}
