/** What chat-completions servers send. They differ, so a field may hold anything until it is checked. */
import type { ModelErrorKind } from '../../core/errors.ts'
import type { ModelPart, TokenUsage } from '../provider.ts'

export interface ChatChunk {
  readonly choices?: readonly ChatChoice[] | null
  readonly usage?: ChatUsage | null
  /** Groq's field for the usage. */
  readonly x_groq?: { readonly usage?: ChatUsage | null } | null
  readonly error?: unknown
}
interface ChatChoice {
  readonly delta?: ChatMessage | null
  readonly message?: ChatMessage | null
  readonly finish_reason?: unknown
  /** Moonshot's older field for it. */
  readonly usage?: ChatUsage | null
  readonly error?: unknown
}
export interface ChatMessage {
  readonly content?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly refusal?: unknown
  /** OpenRouter's: pages that its search found. */
  readonly annotations?: unknown
}
/** Cached tokens have many names; they are always included in the prompt's. */
interface ChatUsage {
  readonly prompt_tokens?: unknown
  readonly completion_tokens?: unknown
  /** Moonshot's. */
  readonly cached_tokens?: unknown
  /** DeepSeek's. */
  readonly prompt_cache_hit_tokens?: unknown
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: unknown
    /** OpenRouter's and Alibaba's. */
    readonly cache_write_tokens?: unknown
    readonly cache_creation_input_tokens?: unknown
  } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null
}

export type FinishReason = (ModelPart & { type: 'finish' })['reason']

export const finishReason = (said: string): FinishReason => {
  if (said === 'length' || said === 'max_tokens' || said === 'model_context_window_exceeded') return 'length'
  return said === 'content_filter' || said === 'safety' || said === 'sensitive' ? 'filter' : 'stop'
}

/** Finish reasons of OpenRouter, Z.ai and DeepSeek that mean a failure. */
export const failureOf = (said: unknown): ModelErrorKind | undefined => {
  if (said === 'error' || said === 'network_error') return 'server-error'
  return said === 'insufficient_system_resource' ? 'overload' : undefined
}

/** The usage in a chunk, in whichever field it is. */
export const usageIn = ({ usage, x_groq, choices }: ChatChunk): TokenUsage | undefined => {
  const found = usage ?? x_groq?.usage ?? choices?.[0]?.usage
  return found ? usageFrom(found) : undefined
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined

const usageFrom = (usage: ChatUsage): TokenUsage | undefined => {
  const inputTokens = count(usage.prompt_tokens)
  const outputTokens = count(usage.completion_tokens)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const details = usage.prompt_tokens_details
  const cachedTokens = count(details?.cached_tokens ?? usage.cached_tokens ?? usage.prompt_cache_hit_tokens)
  const cacheWriteTokens = count(details?.cache_write_tokens ?? details?.cache_creation_input_tokens)
  const reasoningTokens = count(usage.completion_tokens_details?.reasoning_tokens)
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

const pieceText = (piece: unknown): string => {
  const text = typeof piece === 'object' && piece !== null && 'text' in piece ? piece.text : undefined
  return typeof text === 'string' ? text : ''
}

/** Most servers send content as a string, some as a list of pieces. */
export const contentText = (content: unknown): string => {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(pieceText).join('') : ''
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The pages that annotations cite: `{"type":"url_citation","url_citation":{"url":…,"title":…}}`. */
export const pagesIn = (annotations: unknown): (ModelPart & { type: 'source' })[] =>
  (Array.isArray(annotations) ? annotations : []).slice(0, 100).flatMap((one: unknown) => {
    const cited = isRecord(one) && one.type === 'url_citation' ? one.url_citation : undefined
    if (!isRecord(cited) || typeof cited.url !== 'string') return []
    const { url: address, title } = cited
    return [{ type: 'source' as const, address, ...(typeof title === 'string' && { title }) }]
  })
