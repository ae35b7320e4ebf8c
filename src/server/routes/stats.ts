/** The track record of models, from the sessions in the archive. */
import { createRoute } from '@hono/zod-openapi'
import { statsQuerySchema, statsSchema } from '../../api/index.ts'
import { type TrackRecord, trackRecordFrom } from '../../core/track-record/index.ts'
import { problems, replies, router } from '../router.ts'
import type { Service } from '../service.ts'
import { createSessionRecords } from '../session-records.ts'

const stats = createRoute({
  method: 'get',
  path: '/api/stats',
  tags: ['Stats'],
  summary:
    'Read the track record of models: how often they were right in resolved sessions, and how they behave at a table',
  request: { query: statsQuerySchema },
  responses: { 200: replies(statsSchema, 'The record of each model'), ...problems },
})

export const statsRoutes = ({ engine }: Service) => {
  const recordsOfNewest = createSessionRecords(engine.archive)
  /** Requests that come at the same time share one reading of the archive. */
  const underWay = new Map<number, Promise<TrackRecord>>()
  const recordOf = (limit: number): Promise<TrackRecord> => {
    const known = underWay.get(limit)
    if (known) return known
    const reading = recordsOfNewest(limit).then(trackRecordFrom)
    underWay.set(limit, reading)
    const forget = (): void => void underWay.delete(limit)
    reading.then(forget, forget)
    return reading
  }
  return router().openapi(stats, async context =>
    context.json(await recordOf(context.req.valid('query').limit), 200),
  )
}
