/** Builds a chat-completions request, without the fields that a model has rejected. */
import type { Shape } from '../../core/question/form.ts'
import { isMarked } from '../cache-marks.ts'
import type { ProviderProblem } from '../http/problem.ts'
import { pictureAddress, pictureLabel } from '../picture-label.ts'
import type { CallPicture, ModelCall } from '../provider.ts'
import { schemaInWords } from '../sdk/schema-in-words.ts'
import type { ChatDialect, ReplyForm } from './dialect.ts'

/** Fields that some servers or models reject. A request can do without each of them. */
const optionalFields: readonly string[] = [
  'max_tokens',
  'temperature',
  'seed',
  'reasoning_effort',
  'stream_options',
  'response_format',
]

/** Fields that every request needs. */
const neededFields: readonly string[] = ['model', 'messages', 'stream']

type Body = Readonly<Record<string, unknown>>

const marked =
  (call: ModelCall) =>
  (text: string, index: number): unknown => ({
    type: 'text',
    text: index === 0 ? text : `\n\n${text}`,
    ...(isMarked(call, index) && { cache_control: { type: 'ephemeral' } }),
  })

const pictureParts = (picture: CallPicture): unknown[] => [
  { type: 'text', text: pictureLabel(picture) },
  { type: 'image_url', image_url: { url: pictureAddress(picture) } },
]

/** One text if that is all: some servers take nothing else. */
const contentOf = (call: ModelCall, parts: readonly string[], marks: boolean): unknown => {
  const pictures = (call.pictures ?? []).flatMap(pictureParts)
  if (marks) return [...pictures, ...parts.map(marked(call))]
  const text = parts.join('\n\n')
  return pictures.length > 0 ? [...pictures, { type: 'text', text }] : text
}

const messages = (call: ModelCall, form: ReplyForm, marks: boolean): { role: string; content: unknown }[] => {
  const parts = [...call.user, ...(form === 'schema' ? [] : [schemaInWords(call.shape)])]
  return [
    ...(call.system === '' ? [] : [{ role: 'system', content: call.system }]),
    { role: 'user', content: contentOf(call, parts, marks) },
  ]
}

const responseFormat = ({ name, json: schema }: Shape, form: ReplyForm): Body => {
  if (form === 'words') return {}
  if (form === 'object') return { response_format: { type: 'json_object' } }
  return { response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } } }
}

const ownFields = (call: ModelCall, without: ReadonlySet<string>, { fields }: ChatDialect): Body =>
  Object.fromEntries(Object.entries(fields?.(call) ?? {}).filter(([field]) => !without.has(field)))

export const requestBody = (
  call: ModelCall,
  without: ReadonlySet<string>,
  dialect: ChatDialect = {},
): Body => {
  const takes = (field: string): boolean => !without.has(field)
  const form = takes('response_format') ? (dialect.form?.(call) ?? 'schema') : 'words'
  return {
    model: call.model,
    messages: messages(call, form, dialect.marks?.(call.model) ?? false),
    stream: true,
    ...(takes('stream_options') && { stream_options: { include_usage: true } }),
    [takes('max_tokens') ? 'max_tokens' : 'max_completion_tokens']: call.maxOutputTokens,
    ...responseFormat(call.shape, form),
    ...(call.temperature !== undefined && takes('temperature') && { temperature: call.temperature }),
    ...(call.seed !== undefined && takes('seed') && { seed: call.seed }),
    ...(call.effort !== undefined && takes('reasoning_effort') && { reasoning_effort: call.effort }),
    ...(call.search && dialect.search),
    ...ownFields(call, without, dialect),
  }
}

const refusals = [400, 404, 422, 501]

export const speaksOfSchema =
  /response_?format|json_?schema|json schema|structured[ _]outputs?|\bschema\b|guided|grammar|json mode|requested parameters|response[ _]?mime[ _]?type/i

const unknownField =
  /unsupported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|deprecated/i

const wrongValue = /invalid|only the default|\bonly\b.*\ballowed/i

/** If the limit is too large, sending it under another name doesn't help. */
const tooMuch = /too large|at most|maximum context|context length/i

const rejects = (field: string, { words, code, field: named }: ProviderProblem): boolean => {
  if (field === 'response_format') return named === field || speaksOfSchema.test(words)
  if (named !== field && !new RegExp(`\\b${field}\\b`).test(words)) return false
  const unknown = unknownField.test(words) || /unsupported|unknown/.test(code)
  if (field === 'max_tokens') return !tooMuch.test(words) && (unknown || /max_completion_tokens/.test(words))
  return unknown || wrongValue.test(words)
}

/** The field that a server rejected, if the request can do without it. */
export const refusedField = (sent: Body, status: number, problem: ProviderProblem): string | undefined => {
  if (!refusals.includes(status)) return undefined
  const own = Object.keys(sent).filter(field => !neededFields.includes(field))
  const refused = [...optionalFields, ...own].filter(
    field => sent[field] !== undefined && rejects(field, problem),
  )
  return refused.find(field => problem.field === field) ?? refused[0]
}
