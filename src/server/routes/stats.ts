/** The track record of models, from the sessions in the archive. */
import { createRoute } from '@hono/zod-openapi'
import { forEachPerson } from '../../accounts/visitor.ts'
import { statsQuerySchema, statsSchema } from '../../api/index.ts'
import { type TrackRecord, trackRecordFrom } from '../../core/track-record/index.ts'
import type { Archive } from '../../store/archive/archive.ts'
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

const trackRecordOn = (archive: Archive) => {
  const recordsOfNewest = createSessionRecords(archive)
  /** Requests that come at the same time share one reading of the archive. */
  const underWay = new Map<number, Promise<TrackRecord>>()
  return (limit: number): Promise<TrackRecord> => {
    const known = underWay.get(limit)
    if (known) return known
    const reading = recordsOfNewest(limit).then(trackRecordFrom)
    underWay.set(limit, reading)
    const forget = (): void => void underWay.delete(limit)
    reading.then(forget, forget)
    return reading
  }
}

export const statsRoutes = ({ engine }: Service) => {
  const recordFor = forEachPerson(() => trackRecordOn(engine.archive))
  return router().openapi(stats, async context =>
    context.json(await recordFor()(context.req.valid('query').limit), 200),
  )
}
