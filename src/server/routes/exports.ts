/** Exports sessions in every format, and imports them from JSON or a transcript. */
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { exportQuerySchema, openedSchema } from '../../api/index.ts'
import { importedFiles } from '../../exports/imported-files.ts'
import { exporterNamed, exporters, importText } from '../../exports/index.ts'
import { threadOf } from '../../store/archive/thread.ts'
import { filesOf } from '../../store/files-of.ts'
import { PositionTaken } from '../../store/store.ts'
import { ownCopy } from '../accounts/own-copy.ts'
import { exportPolicy } from '../headers.ts'
import { misused, Refusal } from '../problem.ts'
import { problems, replies, router, sessionParams } from '../router.ts'
import type { Service } from '../service.ts'
import { logOf } from '../sessions.ts'

const tags = ['Exports']

const write = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/export/{format}',
  tags,
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

const read = createRoute({
  method: 'post',
  path: '/api/import',
  tags,
  summary: 'Import a session',
  description: 'The body is a session as JSON, or a transcript as plain text.',
  request: {
    body: { required: true, content: { 'text/plain': { schema: z.string() } } },
  },
  responses: { 201: replies(openedSchema, 'The session was saved'), ...problems },
})

const eventsIn = (text: string, { newId, clock }: Service) => {
  try {
    return ownCopy(importText(text, { newId, clock }))
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
    .openapi(read, async context => {
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
