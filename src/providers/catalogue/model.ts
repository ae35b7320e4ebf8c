/** What the catalogue knows about one model at one provider. */
import type { Price } from '../provider.ts'

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
