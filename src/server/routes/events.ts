/** The events of a session as a stream. It stays open, because a person may add to a finished session. */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { eventsQuerySchema, latestPosition, liveEventSchema } from '../../api/index.ts'
import { streamHeaders } from '../headers.ts'
import { addressOf } from '../limits.ts'
import { Refusal, unknownSession } from '../problem.ts'
import { problems, router, sessionParams } from '../router.ts'
import type { Env, Service } from '../service.ts'
import { type Access, isGone } from '../watcher.ts'

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
