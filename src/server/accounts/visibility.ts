/** Who is asking, and with whom a session is shared. These routes are there only while accounts are on. */
import { createRoute } from '@hono/zod-openapi'
import { everyAction } from '../../accounts/permissions.ts'
import { currentPerson, currentVisitor, visitorMay } from '../../accounts/visitor.ts'
import { meSchema, visibilityBodySchema } from '../../api/index.ts'
import { Refusal } from '../problem.ts'
import { problems, replies, router, sessionParams, takes } from '../router.ts'
import type { Service } from '../service.ts'
import { logOf } from '../sessions.ts'

const tags = ['Accounts']

const me = createRoute({
  method: 'get',
  path: '/api/me',
  tags,
  summary: 'Read who you are here',
  responses: { 200: replies(meSchema, 'Your account; null for a command on the server’s machine') },
})

const share = createRoute({
  method: 'put',
  path: '/api/sessions/{id}/visibility',
  tags,
  summary: 'Share a session with the team, or keep it private',
  request: { params: sessionParams, body: takes(visibilityBodySchema) },
  responses: { 204: { description: 'From now on, these people see it' }, ...problems },
})

export const visibilityRoutes = (service: Service) => {
  const { archive } = service.engine
  return router()
    .openapi(me, context => {
      const person = currentPerson()?.person
      const may = everyAction.filter(action => visitorMay(currentVisitor(), action))
      return context.json(
        { person: person ? { id: person.id, name: person.name, role: person.role } : null, may },
        200,
      )
    })
    .openapi(share, async context => {
      const { id } = context.req.valid('param')
      const { visibility } = context.req.valid('json')
      await logOf(service, id)
      const owner = (await archive.filing(id))?.owner ?? null
      if (owner !== null) await archive.own(id, { owner, visibility })
      else if (visibility === 'private')
        throw new Refusal(
          409,
          'This session belongs to the team, so it can’t become private. Fork it instead.',
        )
      // Those who may still watch come back by themselves.
      if (visibility === 'private') service.streams.end(id)
      context.set('done', visibility === 'private' ? 'made-private' : 'shared-with-team')
      return context.body(null, 204)
    })
}
