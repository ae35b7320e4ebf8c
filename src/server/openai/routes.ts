/** `/v1`: a table as a model of an OpenAI-compatible endpoint. */
import { type Context, Hono } from 'hono'
import {
  chatBodySchema,
  messageSchema,
  type ResponsesBodyInput,
  responsesBodySchema,
  type SentMessage,
} from '../../api/index.ts'
import { fold } from '../../core/log/state.ts'
import type { Env, Service } from '../service.ts'
import { chatForm, responsesForm } from './answer-form.ts'
import { chatFailure, chatFrames, wholeChat } from './chat.ts'
import { beforeFrom, conversationOf } from './conversation.ts'
import { OpenAIError, wrongField } from './errors.ts'
import { streamed } from './frames.ts'
import { modelEntry, modelNames, tableNamed } from './model-names.ts'
import { bodyIn, originOf, replyTo } from './request.ts'
import { headFor, responseFrames, responseObject, wholeResponse } from './responses.ts'
import { cancelResponse, logBehind, storedResponse } from './stored-response.ts'

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
