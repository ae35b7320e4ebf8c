/** From a request of OpenAI's format to what is asked of whom. */
import type { Context } from 'hono'
import type { z } from 'zod'
import type { SentMessage, TableExtension } from '../../api/index.ts'
import type { AskInput } from '../../table/index.ts'
import { depthHeader } from '../../table/reach.ts'
import { refusalOf } from '../problem.ts'
import type { Env, Service } from '../service.ts'
import { openingFor } from '../sessions.ts'
import { type AnswerForm, needsModerator } from './answer-form.ts'
import { tellChore } from './chore.ts'
import type { Conversation } from './conversation.ts'
import { OpenAIError, wrongField } from './errors.ts'
import { openOrJoin } from './joining.ts'
import { tableNamed } from './model-names.ts'
import { type Telling, tellSession } from './telling.ts'

export const bodyIn = async <Schema extends z.ZodType>(
  context: Context<Env>,
  schema: Schema,
): Promise<z.output<Schema>> => {
  const raw: unknown = await context.req.json().catch(() => {
    throw new OpenAIError('The body is not valid JSON.', { status: 400, code: 'invalid_json' })
  })
  const read = schema.safeParse(raw)
  if (read.success) return read.data
  throw refusalOf('json', read.error)
}

/** A table that holds a seat at its own table would ask itself forever. */
const refuseNested = (context: Context<Env>): void => {
  if (context.req.header(depthHeader) === undefined) return
  throw new OpenAIError('A table cannot hold a seat at a table. Seat its models instead.', {
    status: 400,
    code: 'nested_table',
  })
}

/** Tools are not offered to seats. A request that insists on one can't be met. */
const refuseTools = (choice: string | { readonly type: string } | null | undefined): void => {
  if (choice === null || choice === undefined || choice === 'auto' || choice === 'none') return
  throw wrongField(
    'tool_choice',
    'A table calls no tools: leave tool_choice out, or set it to "auto" or "none".',
  )
}

export interface TableRequest {
  readonly model: string
  readonly tool_choice?: string | { readonly type: string } | null | undefined
  readonly roundtable?: TableExtension | null | undefined
}

export interface ChatRequest {
  readonly conversation: Conversation
  readonly messages: readonly SentMessage[]
  readonly form: AnswerForm | undefined
  /** Where the form stands in the request. */
  readonly formField: string
}

/** A reply that can be told. A chore has no session. */
export interface Reply {
  readonly session?: string
  readonly telling: Telling
  readonly left: AbortController
}

export const originOf = (context: Context<Env>): string => new URL(context.req.url).origin

/** Checks the request, opens or joins its session, and tells it. */
export const replyTo = async (
  service: Service,
  context: Context<Env>,
  request: TableRequest,
  { conversation, messages, form, formField }: ChatRequest,
): Promise<Reply> => {
  refuseNested(context)
  refuseTools(request.tool_choice)
  const { moderatorOnly, ...named } = await tableNamed(request.model, service)
  const { seats, ...extension } = request.roundtable ?? {}
  const { lineup, ...rest } = named
  const input: AskInput = {
    ...conversation,
    ...rest,
    ...extension,
    ...(seats ? { seats } : lineup !== undefined && { lineup }),
  }
  const left = new AbortController()
  const signal = AbortSignal.any([left.signal, context.req.raw.signal, service.closing])
  const isChore = moderatorOnly || (context.req.header('x-task') ?? '').trim() !== ''
  if (isChore) {
    const opening = await openingFor(service, input, 'chore')
    return { telling: tellChore(service, opening, messages, form, signal), left }
  }
  if (form && form !== 'json') {
    const { opened } = await openingFor(service, input, 'form')
    needsModerator(form, opened.moderator, formField)
  }
  const session = await openOrJoin(service, input, context)
  return {
    session,
    telling: tellSession(service, session, { origin: originOf(context), form, signal }),
    left,
  }
}
