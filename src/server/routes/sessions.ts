/** `/api/sessions`: opens, finds, reads, files and deletes sessions. */
import { createRoute } from '@hono/zod-openapi'
import type { HonoRequest } from 'hono'
import { z } from 'zod'
import {
  type AskBody,
  askBodySchema,
  estimateSchema,
  findingsSchema,
  findQuerySchema,
  forkBodySchema,
  type Opened,
  openedSchema,
  sessionSchema,
  tagsBodySchema,
  threadSchema,
} from '../../api/index.ts'
import { fold } from '../../core/log/state.ts'
import { progressOf } from '../../core/wording/progress-words.ts'
import { documentOf } from '../../exports/document.ts'
import { threadOf } from '../../store/archive/thread.ts'
import { withBudgetNotes } from '../accounts/estimates.ts'
import { asVisitorSees, withOwners } from '../accounts/session-links.ts'
import { isMultipart, multipartOf } from '../multipart.ts'
import { Refusal, refusalOf } from '../problem.ts'
import { problems, replies, router, sessionParams, takes } from '../router.ts'
import { personLinks, revokeLinks } from '../seat-links.ts'
import type { Service } from '../service.ts'
import { forkOpening, forkSession, logOf, openSession } from '../sessions.ts'
import { shareOf, unshare } from '../shares.ts'

const tags = ['Sessions']

const open = createRoute({
  method: 'post',
  path: '/api/sessions',
  tags,
  summary: 'Ask a question',
  description:
    'Returns at once, while the session runs. Watch it at `/api/sessions/{id}/events`. Files go along as base64, or in a form (`multipart/form-data`) whose field `ask` holds this JSON and whose files are attached.',
  request: {
    body: {
      // If it were required, a form would also have to be JSON.
      required: false,
      content: {
        'application/json': { schema: askBodySchema },
        'multipart/form-data': { schema: z.looseObject({}) },
      },
    },
  },
  responses: { 201: replies(openedSchema, 'The session was opened'), ...problems },
})

const find = createRoute({
  method: 'get',
  path: '/api/sessions',
  tags,
  summary: 'Find sessions, newest first',
  request: { query: findQuerySchema },
  responses: { 200: replies(findingsSchema, 'A page of sessions'), ...problems },
})

const read = createRoute({
  method: 'get',
  path: '/api/sessions/{id}',
  tags,
  summary: 'Read a session',
  description: '`outcome` is absent while it runs.',
  request: { params: sessionParams },
  responses: { 200: replies(sessionSchema, 'The session'), ...problems },
})

const remove = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}',
  tags,
  summary: 'Delete a session permanently',
  request: { params: sessionParams },
  responses: { 204: { description: 'The session and its links were deleted' }, ...problems },
})

const file = createRoute({
  method: 'put',
  path: '/api/sessions/{id}/tags',
  tags,
  summary: 'Replace the tags of a session',
  request: { params: sessionParams, body: takes(tagsBodySchema) },
  responses: { 204: { description: 'The session now has these tags' }, ...problems },
})

const fork = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/fork',
  tags,
  summary: 'Ask the same question again, or go on from a closed round, with changes',
  description:
    'Fields of the body replace those of the session. With `at`, the log up to the close of that round is copied, and only what comes after it is asked and counted; then the question and its form stay as they are.',
  request: { params: sessionParams, body: takes(forkBodySchema) },
  responses: { 201: replies(openedSchema, 'The new session was opened'), ...problems },
})

const estimateFork = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/fork/estimate',
  tags,
  summary: 'Estimate what a fork would take, without forking',
  request: { params: sessionParams, body: takes(forkBodySchema) },
  responses: { 200: replies(estimateSchema, 'Calls, tokens, dollars and seconds, as ranges'), ...problems },
})

const thread = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/thread',
  tags,
  summary: 'List the follow-ups and forks that a session belongs to',
  description: 'Everything above and below it, each after the session that it belongs to.',
  request: { params: sessionParams },
  responses: { 200: replies(threadSchema, 'The thread, with the session itself'), ...problems },
})

const checkedAsk = (raw: unknown): AskBody => {
  const read = askBodySchema.safeParse(raw)
  if (read.success) return read.data
  throw refusalOf('json', read.error)
}

/** A request without any body is refused as an empty one: the route's schema lets it pass. */
const askOf = async (request: HonoRequest, checked: () => AskBody): Promise<AskBody> => {
  if (isMultipart(request)) return askIn(request)
  return request.header('content-type') === undefined ? checkedAsk({}) : checked()
}

/** The request in the field `ask`, with the files of the form. */
const askIn = async (request: HonoRequest): Promise<AskBody> => {
  const { files, field } = await multipartOf(request)
  const ask = checkedAsk(parsedJson(field('ask')))
  const attached = files.map(({ name, bytes }) => ({ name, data: Buffer.from(bytes).toString('base64') }))
  return { ...ask, attachments: [...(ask.attachments ?? []), ...attached] }
}

const parsedJson = (text: string | undefined): unknown => {
  if (text === undefined)
    throw new Refusal(400, 'Send the question as JSON in the field "ask", and files in other fields.')
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'The field "ask" is not valid JSON.')
  }
}

export const sessionRoutes = (service: Service) => {
  const { archive } = service.engine
  const opened = async (id: string): Promise<Opened> => {
    const people = await personLinks(archive, fold(await logOf(service, id)))
    return { id, ...(people.length > 0 && { people }) }
  }
  return router()
    .openapi(open, async context => {
      const body = await askOf(context.req, () => context.req.valid('json') as AskBody)
      const id = await openSession(service, body, context.get('plannedId'))
      return context.json(await opened(id), 201, { location: `/api/sessions/${id}` })
    })
    .openapi(find, async context => {
      const { limit, cursor, ...filter } = context.req.valid('query')
      const { sessions, next } = await archive.find(filter, { limit, ...(cursor && { cursor }) })
      return context.json({ sessions: await withOwners(service, sessions), next }, 200)
    })
    .openapi(read, async context => {
      const { id } = context.req.valid('param')
      const [log, filing, share] = await Promise.all([
        logOf(service, id),
        archive.filing(id),
        shareOf(archive, id),
      ])
      const session = fold(log)
      const [progress, people] = [progressOf(session, Date.now()), await personLinks(archive, session)]
      const document = { ...documentOf(log), tags: filing?.tags ?? [], share, people, progress }
      return context.json(await asVisitorSees(service, document), 200)
    })
    .openapi(remove, async context => {
      const { id } = context.req.valid('param')
      const log = await logOf(service, id)
      await Promise.all([unshare(archive, id), revokeLinks(archive, fold(log))])
      await archive.remove(id)
      service.streams.end(id)
      return context.body(null, 204)
    })
    .openapi(file, async context => {
      const { id } = context.req.valid('param')
      await logOf(service, id)
      await archive.tag(id, context.req.valid('json').tags)
      return context.body(null, 204)
    })
    .openapi(thread, async context => {
      const log = await logOf(service, context.req.valid('param').id)
      return context.json({ sessions: await threadOf(log, archive) }, 200)
    })
    .openapi(estimateFork, async context => {
      const { id } = context.req.valid('param')
      const { estimate } = await forkOpening(service, id, context.req.valid('json'), 'estimate')
      return context.json(await withBudgetNotes(service, estimate), 200)
    })
    .openapi(fork, async context => {
      const { id: from } = context.req.valid('param')
      const id = await forkSession(service, from, context.req.valid('json'), context.get('plannedId'))
      return context.json(await opened(id), 201, { location: `/api/sessions/${id}` })
    })
}
