/** The request that chat-completions servers take, without the fields that a model has turned down. */
import type { Problem } from './problem.ts'
import type { ModelCall } from './provider.ts'
import { schemaInWords } from './schema-in-words.ts'

/** Fields that not every server or model takes. Each has a way to do without. */
export const optionalFields = [
  'max_tokens',
  'temperature',
  'seed',
  'reasoning_effort',
  'stream_options',
  'response_format',
] as const
export type OptionalField = (typeof optionalFields)[number]

type Body = Record<string, unknown> & { readonly [field in OptionalField]?: unknown }

const messages = (call: ModelCall, asked: boolean): { role: string; content: string }[] => {
  const content = [...call.user, ...(asked ? [] : [schemaInWords(call.shape)])].join('\n\n')
  return [
    ...(call.system === '' ? [] : [{ role: 'system', content: call.system }]),
    { role: 'user', content },
  ]
}

export const requestBody = (call: ModelCall, without: ReadonlySet<OptionalField>): Body => {
  const takes = (field: OptionalField): boolean => !without.has(field)
  const { name, json: schema } = call.shape
  return {
    model: call.model,
    messages: messages(call, takes('response_format')),
    stream: true,
    ...(takes('stream_options') && { stream_options: { include_usage: true } }),
    [takes('max_tokens') ? 'max_tokens' : 'max_completion_tokens']: call.maxOutputTokens,
    ...(takes('response_format') && {
      response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } },
    }),
    ...(call.temperature !== undefined && takes('temperature') && { temperature: call.temperature }),
    ...(call.seed !== undefined && takes('seed') && { seed: call.seed }),
    ...(call.effort !== undefined && takes('reasoning_effort') && { reasoning_effort: call.effort }),
  }
}

const refusals = [400, 404, 422, 501]

export const speaksOfSchema =
  /response_?format|json_?schema|json schema|structured[ _]outputs?|\bschema\b|guided|grammar|requested parameters/i

const unknownField =
  /unsupported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|deprecated/i

const wrongValue = /invalid|only the default|\bonly\b.*\ballowed/i

/** A limit that is too large is not a field that is unknown: asking by another name would not help. */
const tooMuch = /too large|at most|maximum context|context length/i

const turnsDown = (field: OptionalField, { words, code, field: named }: Problem): boolean => {
  if (field === 'response_format') return named === field || speaksOfSchema.test(words)
  if (named !== field && !new RegExp(`\\b${field}\\b`).test(words)) return false
  const unknown = unknownField.test(words) || /unsupported|unknown/.test(code)
  if (field === 'max_tokens') return !tooMuch.test(words) && (unknown || /max_completion_tokens/.test(words))
  return unknown || wrongValue.test(words)
}

/** The field that a server turned a request down for, if there is a way to do without. */
export const refusedField = (sent: Body, status: number, problem: Problem): OptionalField | undefined => {
  if (!refusals.includes(status)) return undefined
  const refused = optionalFields.filter(field => sent[field] !== undefined && turnsDown(field, problem))
  return refused.find(field => problem.field === field) ?? refused[0]
}
