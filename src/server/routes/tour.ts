/** The tour: a session whose replies were written in advance, run like every other. */
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
  summary: 'Start the tour, a scripted session to look around in',
  responses: { 201: replies(openedSchema, 'The session is opened'), ...problems },
})

export const tourRoutes = (service: Service) =>
  router().openapi(start, async context => {
    if (!service.table.providers.some(({ scripted }) => scripted))
      throw new Refusal(409, 'This server cannot play the tour: it has no scripted models.')
    const { seats, ...input } = tour().input
    const id = await openSession(service, { ...input, seats: [...(seats ?? [])] }, context.get('plannedId'))
    return context.json({ id }, 201, { location: `/api/sessions/${id}` })
  })
