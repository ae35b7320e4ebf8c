/** The tour: a session with replies written in advance, run like any other session. */
import { createRoute } from '@hono/zod-openapi'
import { openedSchema } from '../../api/index.ts'
import { tour } from '../../library/tour.ts'
import { Refusal } from '../problem.ts'
import { problems, replies, router } from '../router.ts'
import type { Service } from '../service.ts'
import { openSession } from '../sessions.ts'

const start = createRoute({
  method: 'post',
  path: '/api/tour',
  tags: ['Sessions'],
  summary: 'Start the tour, a scripted session',
  responses: { 201: replies(openedSchema, 'The session was opened'), ...problems },
})

export const tourRoutes = (service: Service) =>
  router().openapi(start, async context => {
    if (!service.reach.providers.some(({ scripted }) => scripted))
      throw new Refusal(409, 'This server has no scripted seats, so it has no tour.')
    const id = await openSession(service, tour().input, context.get('plannedId'))
    return context.json({ id }, 201, { location: `/api/sessions/${id}` })
  })
