/** Turns the stream of a maker's package into our parts. */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Source,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { ModelError } from '../../core/errors.ts'
import { thinkBlock } from '../chat/think-block.ts'
import type { TextType } from '../http/part-queue.ts'
import { cleanSource, redactedWriter } from '../http/redact.ts'
import type { ModelCall, ModelPart, TokenUsage } from '../provider.ts'
import type { SdkMaker } from './maker.ts'

const usageOf = (
  maker: SdkMaker,
  { inputTokens, outputTokens, raw }: LanguageModelV4Usage,
): TokenUsage | undefined => {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return undefined
  const usage: TokenUsage = {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    ...(inputTokens.cacheRead && { cachedTokens: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite && { cacheWriteTokens: inputTokens.cacheWrite }),
    ...(outputTokens.reasoning && { reasoningTokens: outputTokens.reasoning }),
  }
  return maker.usage && raw ? maker.usage(usage, raw) : usage
}

export const cutOff: ModelError = {
  kind: 'network',
  message: 'connection closed mid-answer: the stream ended without a finish reason',
}

const broken: ModelError = {
  kind: 'server-error',
  message: 'the provider reported an error without a message',
}

/** Packages give every stream a finish reason, even one that was cut: that one lacks the maker's `raw` reason. */
const endOf = ({ unified, raw }: LanguageModelV4FinishReason): ModelPart => {
  if (unified === 'length') return { type: 'finish', reason: 'length' }
  if (unified === 'content-filter') return { type: 'finish', reason: 'filter' }
  if (unified === 'error') return { type: 'error', error: broken }
  return unified === 'interrupted' || (unified === 'other' && raw === undefined)
    ? { type: 'error', error: cutOff }
    : { type: 'finish', reason: 'stop' }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Pages only: a maker's own files are nobody's to read. */
const sourceIn = (part: LanguageModelV4Source, secrets: readonly string[]): ModelPart[] => {
  if (part.sourceType !== 'url') return []
  const { url: address, title } = part
  return cleanSource({ type: 'source', address, ...(title !== undefined && { title }) }, secrets)
}

type Ending = Pick<LanguageModelV4GenerateResult, 'finishReason' | 'usage' | 'providerMetadata'>

export interface SdkReply {
  /** The parts that come from this one. Throws what the package reports as an error. */
  read(part: LanguageModelV4StreamPart): ModelPart[]
  whole(result: LanguageModelV4GenerateResult): ModelPart[]
  /** The text that was held back, for a reply that breaks off. */
  rest(): ModelPart[]
}

export const sdkReply = (
  maker: SdkMaker,
  { model, search }: Pick<ModelCall, 'model' | 'search'>,
  secrets: readonly string[],
): SdkReply => {
  let ready: ModelPart[] = []
  const searched = new Set<string>()
  /** The last event was a refusal, so what the package makes of it isn't text. */
  let refused = false
  const clean = redactedWriter(secrets, (type, text) => ready.push({ type, text }))
  const answer = thinkBlock(clean.write)
  const taken = (): ModelPart[] => {
    const parts = ready
    ready = []
    return parts
  }
  const write = (type: TextType, text: string): ModelPart[] => {
    if (type === 'text') answer.write(type, text)
    else clean.write(type, text)
    return taken()
  }
  const rest = (): ModelPart[] => {
    answer.flush()
    clean.flush()
    return taken()
  }
  const refusalIn = (event: unknown): ModelPart[] => {
    const words = isRecord(event) ? maker.refusal?.(event) : undefined
    refused = words !== undefined
    return words ? write('refusal', words) : []
  }
  const searchesIn = (raw: LanguageModelV4Usage['raw'], metadata: unknown): { searches?: number } => {
    if (!search || !maker.search) return {}
    const said = { usage: raw ?? {}, metadata: isRecord(metadata) ? metadata : {} }
    return { searches: maker.search.made?.(said, model) ?? searched.size }
  }
  const finish = ({ finishReason, usage: figures, providerMetadata }: Ending): ModelPart[] => {
    const usage = usageOf(maker, figures)
    const whole = usage && { ...usage, ...searchesIn(figures.raw, providerMetadata) }
    return [...rest(), ...(whole ? [{ type: 'usage', usage: whole } as const] : []), endOf(finishReason)]
  }
  /** A call of the search tool: the maker makes it, and charges for it. */
  const noteSearch = (part: LanguageModelV4ToolCall): ModelPart[] => {
    if (part.toolName === maker.search?.tool.name) searched.add(part.toolCallId)
    return []
  }
  return {
    rest,
    read(part) {
      if (part.type === 'raw') return refusalIn(part.rawValue)
      if (part.type === 'text-delta') return refused ? [] : write('text', part.delta)
      if (part.type === 'reasoning-delta') return write('thinking', part.delta)
      if (part.type === 'source') return sourceIn(part, secrets)
      // Packages that don't know refusals report one as a broken event.
      if (part.type === 'error' && !refused) throw part.error
      if (part.type === 'tool-call') return noteSearch(part)
      return part.type === 'finish' ? finish(part) : []
    },
    whole(result) {
      const said = result.content.flatMap(part => {
        if (part.type === 'tool-call') return noteSearch(part)
        if (part.type === 'text') return write('text', part.text)
        if (part.type === 'source') return sourceIn(part, secrets)
        return part.type === 'reasoning' ? write('thinking', part.text) : []
      })
      return [...said, ...finish(result)]
    },
  }
}
