/** What every maker of models looks like from the runtime: one streaming call, and what is known of a model. */
import type { ModelError } from '../core/errors.ts'
import type { Usage } from '../core/log/spent.ts'
import type { Shape } from '../core/question/reply.ts'

export interface ModelCall {
  /** The model's id at this provider, without the provider's own name. */
  readonly model: string
  readonly system: string
  /** Parts of one message, the most shared first; a provider that marks cache points marks them here. */
  readonly user: readonly string[]
  /** The form of the reply. A provider asks for it in its own way, or in the prompt where it has none. */
  readonly shape: Shape
  readonly maxOutputTokens: number
  /** Left out silently where the model does not take it. */
  readonly temperature?: number
  readonly seed?: number
  readonly effort?: 'low' | 'medium' | 'high'
  readonly signal: AbortSignal
}

export type TokenUsage = Omit<Usage, 'costUsd' | 'estimated'>

/**
 * One piece of a reply. A stream of them never throws: what goes wrong is an `error` part, with the
 * provider's own words, and nothing follows it. Every stream ends in `finish` or `error`; a stream
 * that just stops was cut off on the way. Whoever leaves early aborts the call's signal.
 */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  /** Reasoning that the provider shows, kept apart from the answer. */
  | { readonly type: 'thinking'; readonly text: string }
  /** The model declines; its own words. */
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'filter' }
  | { readonly type: 'error'; readonly error: ModelError; readonly retryAfterMs?: number }

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Input that the provider had cached; the input's price where it is not given. */
  readonly cachedInput?: number
  /** Input that the provider writes to its cache; the input's price where it is not given. */
  readonly cacheWrite?: number
  /** Hidden reasoning, where it has a price of its own; the output's price where it is not given. */
  readonly reasoning?: number
}

/** What is known of a model before it is called. Whatever is absent is unknown, never zero. */
export interface ModelFacts {
  readonly name?: string
  readonly maker?: string
  /** Tokens of input and output together. */
  readonly context?: number
  readonly price?: Price
  /** Thinks before it answers: hidden tokens come on top of the answer's. */
  readonly reasoning?: boolean
  /** So small that it gets short prompts, and is asked for short answers. */
  readonly small?: true
}

export interface Limits {
  /** Calls under way at once. */
  readonly concurrency?: number
  readonly requestsPerMinute?: number
}

export interface Provider {
  /** The part before the slash in `lab/model-name`. */
  readonly id: string
  readonly label: string
  /** The replies are written in advance. */
  readonly scripted?: boolean
  readonly limits?: Limits
  stream(call: ModelCall): AsyncIterable<ModelPart>
  /** What is known of a model without asking anybody. */
  known(model: string): ModelFacts
  /** The same, but may ask the provider once; never fails. */
  facts(model: string, signal?: AbortSignal): Promise<ModelFacts>
  /** The models that the provider itself lists. */
  list(signal?: AbortSignal): Promise<{ readonly models: readonly string[] } | { readonly error: ModelError }>
}
