/** Builds the AI SDK's options for a call, without those that a model has rejected. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ModelError } from '../../core/errors.ts'
import { speaksOfSchema } from '../chat/request.ts'
import { pictureLabel } from '../picture-label.ts'
import type { CallPicture, ModelCall } from '../provider.ts'
import type { SdkMaker } from './maker.ts'
import { schemaInWords } from './schema-in-words.ts'

/** Options that some models reject, and how makers say so. The first match is left out. */
const optional = {
  schema: speaksOfSchema,
  /** JSON without a schema, which some models reject too. */
  json: speaksOfSchema,
  temperature: /\btemperature\b/i,
  seed: /\b(?:random_)?seed\b/i,
  /** Some models don't show reasoning, and some makers show it only to verified customers. */
  shown: /reasoning[ ._]summar|\bthinking|thought/i,
  effort: /\beffort\b|\bthinking|\breasoning/i,
} as const
export type Optional = keyof typeof optional

const isSet = (call: ModelCall, field: Optional): boolean => {
  if (field === 'schema' || field === 'json' || field === 'shown') return true
  return call[field] !== undefined
}

/** The option that a maker rejected, if it can be left out. */
export const refusedOption = (
  call: ModelCall,
  without: ReadonlySet<Optional>,
  { kind, message }: ModelError,
): Optional | undefined => {
  if (kind !== 'bad-request') return undefined
  const fields = Object.keys(optional) as Optional[]
  return fields.find(field => isSet(call, field) && !without.has(field) && optional[field].test(message))
}

const pictureParts = (picture: CallPicture) => [
  { type: 'text' as const, text: pictureLabel(picture) },
  {
    type: 'file' as const,
    mediaType: picture.media,
    data: { type: 'data' as const, data: picture.data },
  },
]

const promptOf = (
  maker: SdkMaker,
  call: ModelCall,
  native: boolean,
): LanguageModelV4CallOptions['prompt'] => {
  const parts = native ? call.user : [...call.user, schemaInWords(call.shape)]
  return [
    ...(call.system === '' ? [] : [{ role: 'system' as const, content: call.system }]),
    {
      role: 'user',
      content: [
        ...(call.pictures ?? []).flatMap(pictureParts),
        ...parts.map((text, index) => {
          const providerOptions = maker.partOptions?.(call, index)
          return {
            type: 'text' as const,
            text: index === 0 ? text : `\n\n${text}`,
            ...(providerOptions && { providerOptions }),
          }
        }),
      ],
    },
  ]
}

const formatOf = (
  maker: SdkMaker,
  { shape: { name, json } }: ModelCall,
  without: ReadonlySet<Optional>,
): LanguageModelV4CallOptions['responseFormat'] => {
  if (!without.has('schema')) return { type: 'json', name, schema: maker.schema?.(json) ?? json }
  return { type: without.has('json') ? 'text' : 'json' }
}

export const callOptions = (
  maker: SdkMaker,
  call: ModelCall,
  without: ReadonlySet<Optional>,
): LanguageModelV4CallOptions => {
  const native = !without.has('schema')
  const { temperature, seed, effort, ...rest } = call
  const taken: ModelCall = {
    ...rest,
    ...(temperature !== undefined && !without.has('temperature') && { temperature }),
    ...(seed !== undefined && !without.has('seed') && { seed }),
    ...(effort !== undefined && !without.has('effort') && { effort }),
  }
  return {
    prompt: promptOf(maker, call, native),
    maxOutputTokens: call.maxOutputTokens,
    responseFormat: formatOf(maker, call, without),
    abortSignal: call.signal,
    includeRawChunks: maker.refusal !== undefined,
    ...(call.search && maker.search && { tools: [maker.search.tool] }),
    ...(taken.temperature !== undefined && { temperature }),
    ...(taken.seed !== undefined && { seed }),
    ...(taken.effort !== undefined && { reasoning: taken.effort }),
    ...(maker.options && { providerOptions: maker.options(taken, !without.has('shown')) }),
  }
}
