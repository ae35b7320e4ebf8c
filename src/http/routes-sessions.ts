/** The events of a session as a stream. It stays open, because a person may add to a finished session. */

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createRoute } from '@hono/zod-openapi'
import type { Context, HonoRequest } from 'hono'
import { z } from 'zod'
import { ownCopy } from '../accounts/guard.ts'
import { currentPerson } from '../accounts/permissions.ts'
import { asVisitorSees, withBudgetNotes, withOwners } from '../accounts/routes.ts'
import { latestPosition } from '../api/common.ts'
import {
  type AskBody,
  askBodySchema,
  type ExhibitsBody,
  type ExhibitsReply,
  eventsQuerySchema,
  exhibitsBodySchema,
  exhibitsSchema,
  exportQuerySchema,
  findingsSchema,
  findQuerySchema,
  forkBodySchema,
  liveEventSchema,
  type Opened,
  openedSchema,
  sessionSchema,
  tagsBodySchema,
  threadSchema,
} from '../api/sessions.ts'
import { estimateSchema } from '../api/table.ts'
import { UsageError } from '../core/basics.ts'
import { fold } from '../core/fold.ts'
import { sha256Schema } from '../core/question.ts'
import { type AttachedFile, exhibitFrom } from '../evidence/files.ts'
import { exporterNamed, exporters, importText, savedLog } from '../exports/index.ts'
import { documentOf, importedFiles } from '../exports/json.ts'
import { threadOf } from '../store/archive.ts'
import { filesOf, PositionTaken } from '../store/store.ts'
import { progressOf } from '../words/progress.ts'
import { exportPolicy, streamHeaders } from './guards.ts'
import { addressOf } from './limits.ts'
import { isMultipart, misused, multipartOf, Refusal, refusalOf, unknownSession } from './log.ts'
import { type Env, problems, replies, router, type Service, sessionParams, takes } from './service.ts'
import {
  forkOpening,
  forkSession,
  logOf,
  openSession,
  personLinks,
  revokeLinks,
  shareOf,
  unshare,
} from './sessions.ts'
import { fileHeaders } from './shared-page.ts'
import { type Access, isGone } from './stream.ts'

export const streamReply = {
  content: { 'text/event-stream': { schema: liveEventSchema } },
  description:
    'Events of the log have their position as `id`; deltas have no id. To continue a stream that broke, send Last-Event-ID or `after`.',
}

const events = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/events',
  tags: ['Sessions'],
  summary: 'Watch a session',
  request: { params: sessionParams, query: eventsQuerySchema },
  responses: { 200: streamReply, ...problems },
})

const positionIn = (header: string): number => {
  const position = /^-?\d{1,10}$/.test(header) ? Number(header) : Number.NaN
  if (position >= -1 && position <= latestPosition) return position
  throw new Refusal(400, 'Last-Event-ID must be the position of an event. Leave it out to get all events.')
}

/** Written to the socket directly, because the stream helper of Hono takes twice the processor time. */
export const stream = async (
  service: Service,
  context: Context<Env>,
  session: string,
  after: number | undefined,
  access?: Access,
): Promise<Response> => {
  if (!(await service.streams.exists(session))) throw unknownSession(session)
  const last = context.req.header('last-event-id')
  const position = last === undefined || last === '' ? (after ?? -1) : positionIn(last)
  const request = { session, address: addressOf(context), after: position, access }
  service.streams.checkRoom(request)
  if (context.req.method === 'HEAD') return context.body(null, 200, streamHeaders)
  const { outgoing } = context.env
  // Whoever left while the log was being read isn't added: nothing would say again that they left.
  if (isGone({ outgoing })) return RESPONSE_ALREADY_SENT
  outgoing.writeHead(200, streamHeaders)
  outgoing.write('retry: 1000\n\n')
  service.streams.watch(request, outgoing)
  return RESPONSE_ALREADY_SENT
}

export const eventRoutes = (service: Service) =>
  router().openapi(events, async context => {
    const { id } = context.req.valid('param')
    return stream(service, context, id, context.req.valid('query').after)
  })

// exhibits: Reads files before a question is asked, and hands out the files of a session.

const tags = ['Exhibits']

const read = createRoute({
  method: 'post',
  path: '/api/exhibits',
  tags,
  summary: 'Read files, without asking anything',
  description:
    'Says what the seats would read of each file, or why it can’t be attached. The files may also come as a form (`multipart/form-data`). Nothing is kept: send them with the question.',
  request: {
    body: {
      // If it were required, a form would also have to be JSON.
      required: false,
      content: {
        'application/json': { schema: exhibitsBodySchema },
        'multipart/form-data': { schema: z.looseObject({}) },
      },
    },
  },
  responses: { 200: replies(exhibitsSchema, 'What was read, and what could not be'), ...problems },
})

const download = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/files/{sha256}',
  tags,
  summary: 'Get a file of a session',
  request: { params: sessionParams.extend({ sha256: sha256Schema }) },
  responses: {
    200: {
      content: { 'application/octet-stream': { schema: z.string() } },
      description: 'The bytes of the file',
    },
    ...problems,
  },
})

const readAll = async (files: readonly AttachedFile[]): Promise<ExhibitsReply> => {
  const exhibits: ExhibitsReply['exhibits'][number][] = []
  const refused: string[] = []
  for (const file of files) {
    try {
      const { data: _bytes, ...exhibit } = await exhibitFrom(file, { from: currentPerson()?.person.id ?? '' })
      exhibits.push(exhibit)
    } catch (error) {
      if (!UsageError.isInstance(error)) throw error
      refused.push(error.message)
    }
  }
  return { exhibits, problems: refused }
}

/** Without any body there are no files. */
const filesIn = ({ files = [] }: Partial<ExhibitsBody>): AttachedFile[] =>
  files.map(({ name, data }) => ({ name, bytes: new Uint8Array(Buffer.from(data, 'base64')) }))

export const exhibitRoutes = ({ engine }: Service) =>
  router()
    .openapi(read, async context => {
      const files = isMultipart(context.req)
        ? (await multipartOf(context.req)).files
        : filesIn(context.req.valid('json') as ExhibitsBody)
      return context.json(await readAll(files), 200)
    })
    .openapi(download, async context => {
      const { id, sha256 } = context.req.valid('param')
      const file = await engine.archive.file(id, sha256)
      if (!file) throw new Refusal(404, 'The session has no such file.')
      return context.body(Buffer.from(file.data, 'base64'), 200, { ...fileHeaders(file.media) })
    })

// exports: Exports sessions in every format, and imports them from JSON or a transcript.

const exportsTags = ['Exports']

const write = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/export/{format}',
  tags: exportsTags,
  summary: 'Export a session',
  request: {
    params: sessionParams.extend({ format: z.enum(exporters.map(({ id }) => id)) }),
    query: exportQuerySchema,
  },
  responses: {
    200: {
      content: Object.fromEntries(
        exporters.map(({ contentType }) => [contentType.split(';')[0]!, { schema: z.string() }]),
      ),
      description: 'The session in that format, as a file',
    },
    ...problems,
  },
})

const exportsRead = createRoute({
  method: 'post',
  path: '/api/import',
  tags: exportsTags,
  summary: 'Import a session',
  description: 'The body is a session as JSON, or a transcript as plain text.',
  request: {
    body: { required: true, content: { 'text/plain': { schema: z.string() } } },
  },
  responses: { 201: replies(openedSchema, 'The session was saved'), ...problems },
})

const eventsIn = (text: string, { newId, clock }: Service) => {
  try {
    const context = { newId, clock }
    return ownCopy(savedLog(importText(text, context), context))
  } catch (error) {
    throw misused(422, error)
  }
}

export const exportRoutes = (service: Service) =>
  router()
    .openapi(write, async context => {
      const { id, format } = context.req.valid('param')
      const exporter = exporterNamed(format)
      const log = await logOf(service, id)
      const thread = await threadOf(log, service.engine.archive)
      const files = format === 'json' ? await filesOf(service.engine.archive, log) : []
      const text = exporter.write(log, { ...context.req.valid('query'), thread, files })
      return context.body(text, 200, {
        'content-type': exporter.contentType,
        'content-disposition': `attachment; filename="${id}.${exporter.extension}"`,
        'content-security-policy': exportPolicy,
      })
    })
    .openapi(exportsRead, async context => {
      const text = await context.req.text()
      const events = eventsIn(text, service)
      const first = events[0]
      if (first?.type !== 'session-opened') throw new Refusal(422, 'The file does not contain a session.')
      try {
        await service.engine.archive.append(first.id, events)
        await service.engine.archive.keepFiles(first.id, importedFiles(text, events))
      } catch (error) {
        if (!PositionTaken.isInstance(error)) throw misused(422, error)
        throw new Refusal(409, `Session ${first.id} is already saved. Read it at /api/sessions/${first.id}.`)
      }
      return context.json({ id: first.id }, 201, { location: `/api/sessions/${first.id}` })
    })

// sessions: `/api/sessions`: opens, finds, reads, files and deletes sessions.

const sessionsTags = ['Sessions']

const open = createRoute({
  method: 'post',
  path: '/api/sessions',
  tags: sessionsTags,
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
  tags: sessionsTags,
  summary: 'Find sessions, newest first',
  request: { query: findQuerySchema },
  responses: { 200: replies(findingsSchema, 'A page of sessions'), ...problems },
})

const sessionsRead = createRoute({
  method: 'get',
  path: '/api/sessions/{id}',
  tags: sessionsTags,
  summary: 'Read a session',
  description: '`outcome` is absent while it runs.',
  request: { params: sessionParams },
  responses: { 200: replies(sessionSchema, 'The session'), ...problems },
})

const remove = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}',
  tags: sessionsTags,
  summary: 'Delete a session permanently',
  request: { params: sessionParams },
  responses: { 204: { description: 'The session and its links were deleted' }, ...problems },
})

const file = createRoute({
  method: 'put',
  path: '/api/sessions/{id}/tags',
  tags: sessionsTags,
  summary: 'Replace the tags of a session',
  request: { params: sessionParams, body: takes(tagsBodySchema) },
  responses: { 204: { description: 'The session now has these tags' }, ...problems },
})

const fork = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/fork',
  tags: sessionsTags,
  summary: 'Ask the same question again, or go on from a closed round, with changes',
  description:
    'Fields of the body replace those of the session. With `at`, the log up to the close of that round is copied, and only what comes after it is asked and counted; then the question and its form stay as they are.',
  request: { params: sessionParams, body: takes(forkBodySchema) },
  responses: { 201: replies(openedSchema, 'The new session was opened'), ...problems },
})

const estimateFork = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/fork/estimate',
  tags: sessionsTags,
  summary: 'Estimate what a fork would take, without forking',
  request: { params: sessionParams, body: takes(forkBodySchema) },
  responses: { 200: replies(estimateSchema, 'Calls, tokens, dollars and seconds, as ranges'), ...problems },
})

const thread = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/thread',
  tags: sessionsTags,
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
    .openapi(sessionsRead, async context => {
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
