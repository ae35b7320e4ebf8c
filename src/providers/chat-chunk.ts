/** What chat-completions servers send. They differ, so a field may hold anything until it is looked at. */
import type { ModelPart, TokenUsage } from './provider.ts'

export interface ChatChunk {
  readonly choices?: readonly ChatChoice[] | null
  readonly usage?: ChatUsage | null
  readonly error?: unknown
}
interface ChatChoice {
  readonly delta?: ChatMessage | null
  readonly message?: ChatMessage | null
  readonly finish_reason?: unknown
}
export interface ChatMessage {
  readonly content?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly refusal?: unknown
}
interface ChatUsage {
  readonly prompt_tokens?: unknown
  readonly completion_tokens?: unknown
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null
}

export type FinishReason = (ModelPart & { type: 'finish' })['reason']

export const finishReason = (said: string): FinishReason => {
  if (said === 'length' || said === 'max_tokens') return 'length'
  return said === 'content_filter' || said === 'safety' ? 'filter' : 'stop'
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined

export const usageFrom = (usage: ChatUsage): TokenUsage | undefined => {
  const inputTokens = count(usage.prompt_tokens)
  const outputTokens = count(usage.completion_tokens)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const cachedTokens = count(usage.prompt_tokens_details?.cached_tokens)
  const reasoningTokens = count(usage.completion_tokens_details?.reasoning_tokens)
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

const pieceText = (piece: unknown): string => {
  const text = typeof piece === 'object' && piece !== null && 'text' in piece ? piece.text : undefined
  return typeof text === 'string' ? text : ''
}

/** Content is a string nearly everywhere; some servers send a list of pieces. */
export const contentText = (content: unknown): string => {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(pieceText).join('') : ''
}
