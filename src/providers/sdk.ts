/**
 * A provider over one of the AI SDK's packages: the package speaks the maker's wire format, and this
 * turns its stream into ours. It talks to the model's own `doStream`; retries, deadlines and JSON are
 * the runtime's.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { ModelError } from '../core/errors.ts'
import { speaksOfSchema } from './chat-request.ts'
import type { MakerSettings } from './maker.ts'
import { modelList } from './model-list.ts'
import type { ModelCall, ModelPart, Provider, TokenUsage } from './provider.ts'
import { redacted, secretsFrom } from './redact.ts'
import { schemaInWords } from './schema-in-words.ts'
import { sdkError } from './sdk-errors.ts'

type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>

export interface SdkMaker {
  readonly id: string
  readonly label: string
  /** Imports the maker's package and gives a model of it. */
  model(settings: MakerSettings, id: string): Promise<LanguageModelV4>
  /** The maker's own way to ask for what `call` wants, such as effort. */
  readonly options?: (call: ModelCall) => ProviderOptions
  /** Marks on a part of the message, such as a cache point; the first part is the most shared. */
  readonly partOptions?: (index: number) => ProviderOptions | undefined
  /** Whether the model can be held to a JSON schema; otherwise the schema stands in the prompt. */
  readonly structured?: (model: string) => boolean
  /** Corrects what the package makes of the maker's figures. */
  readonly usage?: (usage: TokenUsage, raw: Readonly<Record<string, unknown>>) => TokenUsage
  /** Where the maker lists its models: the cheapest call that a key can be tried with. */
  readonly listing: (settings: MakerSettings) => {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }
}

const promptOf = (
  maker: SdkMaker,
  call: ModelCall,
  native: boolean,
): LanguageModelV4CallOptions['prompt'] => {
  const parts = native ? call.user : [...call.user, schemaInWords(call.shape)]
  return [
    { role: 'system', content: call.system },
    {
      role: 'user',
      content: parts.map((text, index) => {
        const providerOptions = maker.partOptions?.(index)
        return {
          type: 'text',
          text: index === 0 ? text : `\n\n${text}`,
          ...(providerOptions && { providerOptions }),
        }
      }),
    },
  ]
}

const optionsOf = (maker: SdkMaker, call: ModelCall, native: boolean): LanguageModelV4CallOptions => ({
  prompt: promptOf(maker, call, native),
  maxOutputTokens: call.maxOutputTokens,
  responseFormat: native
    ? { type: 'json', name: call.shape.name, schema: call.shape.json }
    : { type: 'json' },
  abortSignal: call.signal,
  ...(call.temperature !== undefined && { temperature: call.temperature }),
  ...(call.seed !== undefined && { seed: call.seed }),
  ...(call.effort !== undefined && { reasoning: call.effort }),
  ...(maker.options && { providerOptions: maker.options(call) }),
})

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

const listTimeoutMs = 10_000

const cutOff: ModelError = { kind: 'network', message: 'connection closed mid-answer' }

/** What our stream says at the end of theirs. */
const endOf = (maker: SdkMaker, part: LanguageModelV4StreamPart & { type: 'finish' }): ModelPart[] => {
  const { unified, raw } = part.finishReason
  const usage = usageOf(maker, part.usage)
  const figures: ModelPart[] = usage ? [{ type: 'usage', usage }] : []
  switch (unified) {
    case 'length':
      return [...figures, { type: 'finish', reason: 'length' }]
    case 'content-filter':
      return [...figures, { type: 'finish', reason: 'filter' }]
    case 'stop':
    case 'tool-calls':
      return [...figures, { type: 'finish', reason: 'stop' }]
    default:
      // A stream that was cut has no reason of the maker's own.
      if (raw === undefined) return [...figures, { type: 'error', error: cutOff }]
      return [...figures, { type: 'finish', reason: 'stop' }]
  }
}

export const sdkProvider = (maker: SdkMaker, settings: MakerSettings): Provider => {
  const secrets = secretsFrom([settings.key])
  /** Models that turned down a JSON schema. */
  const inWords = new Set<string>()
  const clean = (text: string): string => redacted(text, secrets)

  async function* parts(call: ModelCall, native: boolean): AsyncGenerator<ModelPart> {
    const model = await maker.model(settings, call.model)
    const { stream } = await model.doStream(optionsOf(maker, call, native))
    for await (const part of stream) {
      if (part.type === 'text-delta') yield { type: 'text', text: clean(part.delta) }
      else if (part.type === 'reasoning-delta') yield { type: 'thinking', text: clean(part.delta) }
      else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') yield* endOf(maker, part)
    }
  }

  async function* attempt(call: ModelCall, native: boolean): AsyncGenerator<ModelPart> {
    try {
      yield* parts(call, native)
    } catch (error) {
      if (call.signal.aborted)
        return yield { type: 'error', error: { kind: 'cancelled', message: 'the call was cancelled' } }
      const failure = sdkError(error, secrets)
      const turnsDownSchema =
        native && failure.error.kind === 'bad-request' && speaksOfSchema.test(failure.error.message)
      if (!turnsDownSchema) return yield { type: 'error', ...failure }
      inWords.add(call.model)
      yield* attempt(call, false)
    }
  }

  return {
    id: maker.id,
    label: maker.label,
    ...(settings.limits && { limits: settings.limits }),
    stream: call => attempt(call, (maker.structured?.(call.model) ?? true) && !inWords.has(call.model)),
    known: settings.known,
    facts: async model => settings.known(model),
    async list(signal) {
      const { url, headers } = maker.listing(settings)
      const request = { url: new URL(url), method: 'GET' as const, headers }
      const list = await modelList(request, signal ?? AbortSignal.timeout(listTimeoutMs), secrets)
      return 'error' in list ? list : { models: [...list.keys()] }
    },
  }
}
