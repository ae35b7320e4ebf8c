/** Share links: the owner makes and revokes them, and whoever has one can read the session. */
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { eventsQuerySchema, sharedSchema, shareSchema } from '../../api/index.ts'
import { documentOf } from '../../exports/document.ts'
import { Refusal } from '../problem.ts'
import { problems, replies, router, sessionParams } from '../router.ts'
import type { Service } from '../service.ts'
import { logOf } from '../sessions.ts'
import { sessionShared, share, unshare } from '../shares.ts'
import { stream, streamReply } from './events.ts'

const tags = ['Sharing']
const tokenParams = z.object({ token: z.string().regex(/^[A-Za-z0-9_-]{1,200}$/) })

const make = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/share',
  tags,
  summary: 'Create a link that shows only this session, to anyone who has it',
  request: { params: sessionParams },
  responses: {
    200: replies(shareSchema, 'The link; the same one until it is revoked'),
    ...problems,
  },
})

const revoke = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}/share',
  tags,
  summary: 'Revoke the link',
  request: { params: sessionParams },
  responses: { 204: { description: 'The link no longer works' }, ...problems },
})

const read = createRoute({
  method: 'get',
  path: '/api/shared/{token}',
  tags,
  summary: 'Read a session through its link',
  request: { params: tokenParams },
  responses: { 200: replies(sharedSchema, 'The session'), ...problems },
})

const watch = createRoute({
  method: 'get',
  path: '/api/shared/{token}/events',
  tags,
  summary: 'Watch a session through its link',
  request: { params: tokenParams, query: eventsQuerySchema },
  responses: { 200: streamReply, ...problems },
})

export const shareRoutes = (service: Service) => {
  const { archive } = service.engine
  /** A revoked link and one that never existed look the same. */
  const opened = async (token: string): Promise<string> => {
    const session = await sessionShared(archive, token)
    // With accounts, nothing is there for a link whose owner was shut out.
    const isThere = session !== undefined && (!service.accounts || (await archive.filing(session)))
    if (isThere) return session
    throw new Refusal(404, 'This link was revoked or is incomplete. Ask for a new one.')
  }
  return router()
    .openapi(make, async context => {
      const { id } = context.req.valid('param')
      await logOf(service, id)
      context.set('done', 'link-made')
      return context.json(await share(archive, id), 200)
    })
    .openapi(revoke, async context => {
      const { id } = context.req.valid('param')
      await logOf(service, id)
      const token = await unshare(archive, id)
      if (token !== undefined) service.streams.end(id, token)
      context.set('done', 'link-revoked')
      return context.body(null, 204)
    })
    .openapi(read, async context => {
      const session = await opened(context.req.valid('param').token)
      return context.json(documentOf(await logOf(service, session)), 200)
    })
    .openapi(watch, async context => {
      const { token } = context.req.valid('param')
      const session = await opened(token)
      const holds = async (): Promise<boolean> => (await sessionShared(archive, token)) === session
      return stream(service, context, session, context.req.valid('query').after, { share: token, holds })
    })
}
