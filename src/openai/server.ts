/** Chat completions, whole and as chunks. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import {
  chatBodySchema,
  messageSchema,
  type ResponsesBodyInput,
  responsesBodySchema,
  type SentMessage,
  type TableExtension,
} from '../api/doors.ts'
import type { SessionEvent } from '../core/event.ts'
import { apply, fold, usageOf } from '../core/fold.ts'
import type { Session } from '../core/session.ts'
import { stopped } from '../count/acts.ts'
import { streamHeaders } from '../http/guards.ts'
import { refusalOf } from '../http/log.ts'
import type { Env, Service } from '../http/service.ts'
import { act, openingFor } from '../http/sessions.ts'
import type { AskInput } from '../table/ask.ts'
import { depthHeader } from '../table/reach.ts'
import { narrated } from '../words/story.ts'
import {
  type AnswerForm,
  beforeFrom,
  type Conversation,
  chatForm,
  conversationOf,
  endOf,
  errorBody,
  modelEntry,
  modelNames,
  needsModerator,
  OpenAIError,
  openOrJoin,
  responsesForm,
  type Telling,
  type TokenCounts,
  type Told,
  tableNamed,
  tableReplyOf,
  tellChore,
  tellSession,
  wrongField,
} from './conversation.ts'

export interface ChatReplyHead {
  readonly id: string
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
}

const usageIn = ({ inputTokens, outputTokens, cachedTokens, reasoningTokens }: TokenCounts) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
  completion_tokens_details: { reasoning_tokens: reasoningTokens },
})

const endIn = ({ usage, table }: Told) => ({ usage: usageIn(usage), ...(table && { roundtable: table }) })

export const wholeChat = async (telling: Telling, head: ChatReplyHead): Promise<Response> => {
  const reasoning: string[] = []
  let piece = await telling.next()
  for (; !piece.done; piece = await telling.next()) reasoning.push(piece.value)
  const told = piece.value
  const message = {
    role: 'assistant',
    content: told.content,
    refusal: null,
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('') }),
  }
  return Response.json({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: told.finish }],
    ...endIn(told),
  })
}

const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

export const chatFrames = async function* (telling: Telling, head: ChatReplyHead): AsyncGenerator<string> {
  const chunk = (delta: object, finish: Told['finish'] | null = null, more: object = {}): string =>
    frame({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...more,
    })
  let piece = await telling.next()
  for (; !piece.done; piece = await telling.next())
    yield chunk({ role: 'assistant', reasoning_content: piece.value })
  const told = piece.value
  yield chunk({ role: 'assistant', content: told.content })
  yield chunk({}, told.finish, endIn(told))
  yield 'data: [DONE]\n\n'
}

export const chatFailure = (error: unknown): string => frame(errorBody(error).body)

// frames: A reply as server-sent events.

/** Milliseconds of silence after which a proxy gets a sign of life. */
const keepAliveMs = 10_000
const keepAlive = ': still here\n\n'

/**
 * Waits for the first frame: a failure before it throws, and can still become a status. A later one is told in the
 * stream.
 */
export const streamed = async (
  frames: AsyncGenerator<string>,
  failed: (error: unknown) => string,
  left: AbortController,
): Promise<Response> => {
  const first = frames.next()
  await Promise.race([first, sleep(keepAliveMs, undefined, { ref: false })])
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let open = true
      const write = (text: string): void => {
        if (open) controller.enqueue(encoder.encode(text))
      }
      const beat = setInterval(() => write(keepAlive), keepAliveMs)
      left.signal.addEventListener('abort', () => {
        open = false
        clearInterval(beat)
      })
      const pump = async (): Promise<void> => {
        try {
          for (let taken = await first; !taken.done; taken = await frames.next()) write(taken.value)
        } catch (error) {
          write(failed(error))
        } finally {
          clearInterval(beat)
          if (open) controller.close()
        }
      }
      void pump()
    },
    cancel: () => left.abort(),
  })
  return new Response(body, { headers: streamHeaders })
}

// request: From a request of OpenAI's format to what is asked of whom.

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

// responses: Responses, whole and as events. The id of a response is its session's, so that it needs no place of its own.

export interface ResponseHead {
  readonly id: string
  readonly model: string
  readonly created_at: number
  readonly background: boolean
  readonly previous_response_id: string | null
  readonly instructions: string | null
  readonly text: object
}

type Status = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

const idPrefix = 'resp_'
export const responseId = (session: string): string => `${idPrefix}${session}`
/** Undefined: it isn't the id of a response. */
export const sessionIn = (response: string): string | undefined =>
  /^resp_([A-Za-z0-9][A-Za-z0-9_-]{0,99})$/.exec(response)?.[1]

export const headFor = (
  session: Pick<Session, 'id'>,
  body: ResponsesBodyInput,
  at: number,
): ResponseHead => ({
  id: responseId(session.id),
  model: body.model,
  created_at: Math.floor(at / 1_000),
  background: body.background ?? false,
  previous_response_id: body.previous_response_id ?? null,
  instructions: body.instructions ?? null,
  text: { format: body.text?.format ?? { type: 'text' } },
})

const usageOfResponse = ({ usage }: Told) => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cachedTokens },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.inputTokens + usage.outputTokens,
})

const reasoningItem = (id: string, text: string, status: string) => ({
  type: 'reasoning',
  id: `rs_${id}`,
  status,
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
})

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const messageItem = (id: string, text: string | undefined, status: string) => ({
  type: 'message',
  id: `msg_${id}`,
  role: 'assistant',
  status,
  content: text === undefined ? [] : [textPart(text)],
})

/** A response in any state. */
export const responseObject = (head: ResponseHead, status: Status, more: object = {}) => ({
  object: 'response',
  ...head,
  status,
  error: null,
  incomplete_details: null,
  max_output_tokens: null,
  metadata: {},
  output: [],
  parallel_tool_calls: false,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
  usage: null,
  user: null,
  ...more,
})

export const finishedResponse = (head: ResponseHead, reasoning: string, told: Told) =>
  responseObject(head, told.finish === 'length' ? 'incomplete' : 'completed', {
    output: [
      ...(reasoning === '' ? [] : [reasoningItem(head.id, reasoning, 'completed')]),
      messageItem(head.id, told.content, 'completed'),
    ],
    incomplete_details: told.finish === 'length' ? { reason: 'max_output_tokens' } : null,
    usage: usageOfResponse(told),
    ...(told.table && { roundtable: told.table }),
  })

export const failedResponse = (head: ResponseHead, error: unknown) => {
  const { error: told } = errorBody(error).body as { error: { code: string | null; message: string } }
  return responseObject(head, 'failed', {
    error: { code: told.code ?? 'server_error', message: told.message },
  })
}

export const wholeResponse = async (telling: Telling, head: ResponseHead): Promise<Response> => {
  let reasoning = ''
  let piece = await telling.next()
  for (; !piece.done; piece = await telling.next()) reasoning += piece.value
  return Response.json(finishedResponse(head, reasoning, piece.value))
}

/** Numbers events as OpenAI does. */
const numbered = () => {
  let count = 0
  return (type: string, more: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: count++, ...more })}\n\n`
}

/** The frames of a response, and how a failure in the middle is told. */
export const responseFrames = (telling: Telling, head: ResponseHead) => {
  const event = numbered()
  async function* frames(): AsyncGenerator<string> {
    let piece = await telling.next()
    const started = responseObject(head, 'in_progress')
    yield event('response.created', { response: started })
    yield event('response.in_progress', { response: started })
    const thinking = { item_id: `rs_${head.id}`, output_index: 0, summary_index: 0 }
    let reasoning = ''
    for (; !piece.done; piece = await telling.next()) {
      if (reasoning === '') {
        yield event('response.output_item.added', {
          output_index: 0,
          item: reasoningItem(head.id, '', 'in_progress'),
        })
        yield event('response.reasoning_summary_part.added', {
          ...thinking,
          part: { type: 'summary_text', text: '' },
        })
      }
      reasoning += piece.value
      yield event('response.reasoning_summary_text.delta', { ...thinking, delta: piece.value })
    }
    if (reasoning !== '') {
      yield event('response.reasoning_summary_text.done', { ...thinking, text: reasoning })
      yield event('response.reasoning_summary_part.done', {
        ...thinking,
        part: { type: 'summary_text', text: reasoning },
      })
      yield event('response.output_item.done', {
        output_index: 0,
        item: reasoningItem(head.id, reasoning, 'completed'),
      })
    }
    const told = piece.value
    const index = reasoning === '' ? 0 : 1
    const place = { item_id: `msg_${head.id}`, output_index: index, content_index: 0 }
    yield event('response.output_item.added', {
      output_index: index,
      item: messageItem(head.id, undefined, 'in_progress'),
    })
    yield event('response.content_part.added', { ...place, part: textPart('') })
    yield event('response.output_text.delta', { ...place, delta: told.content, logprobs: [] })
    yield event('response.output_text.done', { ...place, text: told.content, logprobs: [] })
    yield event('response.content_part.done', { ...place, part: textPart(told.content) })
    yield event('response.output_item.done', {
      output_index: index,
      item: messageItem(head.id, told.content, 'completed'),
    })
    const response = finishedResponse(head, reasoning, told)
    yield event(`response.${response.status}`, { response })
  }
  return {
    frames: frames(),
    failed: (error: unknown): string => event('response.failed', { response: failedResponse(head, error) }),
  }
}

// storedResponse: A response by its id, as its session stands now.

const unknown = (id: string): OpenAIError =>
  new OpenAIError(`There is no response "${id}".`, { status: 404, code: 'not_found' })

export const logBehind = async ({ engine }: Service, id: string): Promise<SessionEvent[]> => {
  const session = sessionIn(id)
  const log = session === undefined ? [] : await engine.archive.read(session)
  if (log.length === 0) throw unknown(id)
  return log
}

const reasoningOf = (log: readonly SessionEvent[]): string => {
  let session: Session | undefined
  return log
    .flatMap(event => {
      const before = session
      session = apply(before, event)
      return narrated(before, session, event).map(line => `${line}\n`)
    })
    .join('')
}

/** The model's name isn't in the log: any of them gives the same response. */
const model = 'roundtable'

export const storedResponse = async (service: Service, id: string, origin: string) => {
  const log = await logBehind(service, id)
  const session = fold(log)
  const head = headFor(session, { model, input: '', background: true }, Date.parse(session.openedAt))
  if (!session.outcome)
    return responseObject(head, log.length === 1 ? 'queued' : 'in_progress', {
      roundtable: tableReplyOf(session, origin),
    })
  try {
    const told = { ...endOf(session), usage: usageOf(session), table: tableReplyOf(session, origin) }
    const whole = finishedResponse(head, reasoningOf(log), told)
    return session.outcome === 'interrupted' ? { ...whole, status: 'cancelled' } : whole
  } catch (error) {
    return failedResponse(head, error)
  }
}

/** Stops the session. One that is over stays as it is. */
export const cancelResponse = async (service: Service, id: string): Promise<void> => {
  const session = fold(await logBehind(service, id))
  if (!session.outcome && !session.stopped) await act(service, session.id, stopped)
}

// routes: `/v1`: a table as a model of an OpenAI-compatible endpoint.

const chat = async (service: Service, context: Context<Env>): Promise<Response> => {
  const body = await bodyIn(context, chatBodySchema)
  const { messages } = body
  const { telling, left, session } = await replyTo(service, context, body, {
    conversation: conversationOf(messages, 'messages'),
    messages,
    form: chatForm(body),
    formField: 'response_format',
  })
  const created = Math.floor(service.clock() / 1_000)
  const head = { id: `chatcmpl-${session ?? service.newId()}`, model: body.model, created }
  return body.stream ? streamed(chatFrames(telling, head), chatFailure, left) : wholeChat(telling, head)
}

const messagesIn = ({ input }: ResponsesBodyInput): readonly SentMessage[] => {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return input.flatMap(item => {
    const read = messageSchema.safeParse(item)
    return read.success ? [read.data] : []
  })
}

/** What a debate that nobody waits for can't do. */
const checkBackground = ({ background, stream, text }: ResponsesBodyInput): void => {
  if (!background) return
  if (stream) throw wrongField('background', 'A background response is not streamed: read it by its id.')
  if (text?.format && text.format.type !== 'text')
    throw wrongField(
      'text.format',
      'A background response is plain text: leave text.format or background out.',
    )
}

const respond = async (service: Service, context: Context<Env>): Promise<Response> => {
  const body = await bodyIn(context, responsesBodySchema)
  checkBackground(body)
  const messages = messagesIn(body)
  const form = responsesForm(body)
  const previous = body.previous_response_id
  const before = previous == null ? undefined : beforeFrom(fold(await logBehind(service, previous)))
  const { telling, left, session } = await replyTo(service, context, body, {
    conversation: conversationOf(messages, 'input', before, body.instructions ?? ''),
    messages,
    form,
    formField: 'text.format',
  })
  const head = headFor({ id: session ?? service.newId() }, body, service.clock())
  if (body.background && session !== undefined) return Response.json(responseObject(head, 'queued'))
  if (!body.stream) return wholeResponse(telling, head)
  const { frames, failed } = responseFrames(telling, head)
  return streamed(frames, failed, left)
}

/** The routes aren't part of the OpenAPI document: OpenAI's own describes them. */
export const openAIRoutes = (service: Service): Hono<Env> => {
  const app = new Hono<Env>()
  app.get('/v1/models', async context => {
    const names = await modelNames(service)
    return context.json({ object: 'list', data: names.map(modelEntry) })
  })
  app.get('/v1/models/:name{.+}', async context => {
    const name = context.req.param('name')
    await tableNamed(name, service)
    return context.json(modelEntry(name))
  })
  app.post('/v1/chat/completions', context => chat(service, context))
  app.post('/v1/responses', context => respond(service, context))
  app.get('/v1/responses/:id', async context =>
    context.json(await storedResponse(service, context.req.param('id'), originOf(context))),
  )
  app.post('/v1/responses/:id/cancel', async context => {
    await cancelResponse(service, context.req.param('id'))
    return context.json(await storedResponse(service, context.req.param('id'), originOf(context)))
  })
  app.all('/v1/*', ({ req }) => {
    throw new OpenAIError(`There is no ${req.method} ${req.path} here.`, { status: 404, code: 'not_found' })
  })
  return app
}
