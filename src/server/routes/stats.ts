/** The track record of models, from the sessions in the archive. */
import { createRoute } from '@hono/zod-openapi'
import { statsQuerySchema, statsSchema } from '../../api/index.ts'
import { fold, type Session } from '../../core/log/state.ts'
import { type TrackRecord, trackRecordOf } from '../../core/track-record/index.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { problems, replies, router } from '../router.ts'
import type { Service } from '../service.ts'

const stats = createRoute({
  method: 'get',
  path: '/api/stats',
  tags: ['Stats'],
  summary:
    'Read the track record of models: how often they were right in resolved sessions, and how they behave at a table',
  request: { query: statsQuerySchema },
  responses: { 200: replies(statsSchema, 'The record of each model'), ...problems },
})

const pageSize = 200

/** The newest finished sessions. It reads one log at a time, so that other requests are served in between. */
const newestOver = async (archive: Archive, most: number): Promise<Session[]> => {
  const sessions: Session[] = []
  let cursor: string | undefined
  do {
    const page = await archive.find({}, { limit: pageSize, ...(cursor !== undefined && { cursor }) })
    for (const { id, outcome } of page.sessions) {
      if (outcome === null || sessions.length === most) continue
      const log = await archive.read(id)
      // It may have been removed after the page was read.
      if (log.length > 0) sessions.push(fold(log))
    }
    cursor = page.next ?? undefined
  } while (cursor !== undefined && sessions.length < most)
  return sessions
}

export const statsRoutes = ({ engine }: Service) => {
  /** Requests that come at the same time share one reading of the archive. */
  const underWay = new Map<number, Promise<TrackRecord>>()
  const recordOf = (limit: number): Promise<TrackRecord> => {
    const known = underWay.get(limit)
    if (known) return known
    const reading = newestOver(engine.archive, limit).then(trackRecordOf)
    underWay.set(limit, reading)
    const forget = (): void => void underWay.delete(limit)
    reading.then(forget, forget)
    return reading
  }
  return router().openapi(stats, async context =>
    context.json(await recordOf(context.req.valid('query').limit), 200),
  )
}
