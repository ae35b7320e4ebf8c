/** `response_format`: the final answer in a form of the asker's. The moderator words it, code checks it. */
import { z } from 'zod'
import type { ChatBodyInput, ResponsesBodyInput } from '../../api/index.ts'
import type { Usage } from '../../core/log/spent.ts'
import { type Session, seatOf } from '../../core/log/state.ts'
import { plainReport } from '../../core/verdict/plain-report.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { shapedPrompt } from '../../protocols/shaped-answer.ts'
import { CallFailed } from '../../runtime/single-call.ts'
import type { Service } from '../service.ts'
import { OpenAIError, wrongField } from './errors.ts'

/** `json`: any JSON object, which code writes. */
export type AnswerForm =
  | 'json'
  | { readonly name: string; readonly json: Readonly<Record<string, unknown>>; readonly schema: z.ZodType }

const deepestSchema = 20
const longestSchema = 50_000

/** A pattern of a stranger can take forever to match. */
const unusable = (value: unknown, depth = 0): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > deepestSchema) return `it is nested more than ${deepestSchema} deep`
  if ('pattern' in value && typeof value.pattern === 'string')
    return 'it has a "pattern", which is not supported'
  if ('patternProperties' in value) return 'it has "patternProperties", which are not supported'
  for (const one of Object.values(value)) {
    const problem = unusable(one, depth + 1)
    if (problem) return problem
  }
  return undefined
}

const checkedForm = (name: string, json: Readonly<Record<string, unknown>>, field: string): AnswerForm => {
  const refuse = (why: string): OpenAIError => wrongField(field, `The schema can't be used: ${why}.`)
  if (json.type !== 'object') throw refuse('its type must be "object"')
  if (JSON.stringify(json).length > longestSchema)
    throw refuse(`it has more than ${longestSchema} characters`)
  const problem = unusable(json)
  if (problem) throw refuse(problem)
  try {
    return { name, json, schema: z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]) }
  } catch (error) {
    throw refuse(error instanceof Error ? error.message.slice(0, 200) : 'it is not a JSON schema')
  }
}

const nameFrom = (name: string | undefined): string => (name && /^[\w-]{1,60}$/.test(name) ? name : 'answer')

export const chatForm = ({ response_format: format }: ChatBodyInput): AnswerForm | undefined => {
  if (format?.type === 'json_object') return 'json'
  if (format?.type !== 'json_schema') return undefined
  const { name, schema } = format.json_schema
  return checkedForm(nameFrom(name), schema, 'response_format.json_schema.schema')
}

export const responsesForm = ({ text }: ResponsesBodyInput): AnswerForm | undefined => {
  const format = text?.format
  if (format?.type === 'json_object') return 'json'
  if (format?.type !== 'json_schema') return undefined
  return checkedForm(nameFrom(format.name), format.schema, 'text.format.schema')
}

export interface InForm {
  readonly text: string
  readonly usage?: Usage
}

const plainForm = (session: Session): InForm => {
  const { level, line, dissent } = verdictOf(session)
  const { answer } = session.report ?? plainReport(session)
  return {
    text: JSON.stringify({ answer, line, level, dissent: dissent.map(seat => seatOf(session, seat).name) }),
  }
}

/** What a model's reply must be to be in the form. */
export const readForm =
  ({ schema }: Exclude<AnswerForm, 'json'>) =>
  (raw: Record<string, unknown>): string | { readonly problem: string } => {
    const read = schema.safeParse(raw)
    return read.success ? JSON.stringify(raw) : { problem: z.prettifyError(read.error).slice(0, 500) }
  }

export const failedCall = (error: unknown): unknown =>
  error instanceof CallFailed
    ? new OpenAIError(error.message, {
        status: error.budget ? 400 : 502,
        code: error.budget ? 'budget_reached' : 'moderator_failed',
      })
    : error

/** Who words the form. A table without a moderator has nobody for it. */
export const needsModerator = (
  form: AnswerForm | undefined,
  moderator: string | null,
  field: string,
): void => {
  if (form && form !== 'json' && moderator === null)
    throw wrongField(
      field,
      'A schema needs a moderator to word the answer: name one in roundtable.moderator.',
    )
}

export const inForm = async (
  service: Service,
  session: Session,
  form: AnswerForm,
  signal: AbortSignal,
): Promise<InForm> => {
  if (form === 'json') return plainForm(session)
  const call = {
    model: session.moderator ?? '',
    prompt: shapedPrompt(session, form.name, form.json),
    deadline: session.deadline,
    budget: session.budget,
    after: session,
    read: readForm(form),
  }
  try {
    const { value, usage } = await service.call<string>(call, signal)
    return { text: value, ...(usage && { usage }) }
  } catch (error) {
    throw failedCall(error)
  }
}
