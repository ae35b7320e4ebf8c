/** Whether the process is alive, whether it can work, and its metrics. */
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { causeOf } from '../failure.ts'
import type { Metrics } from '../metrics.ts'
import { Refusal } from '../problem.ts'
import { problems, replies, router } from '../router.ts'
import type { Service } from '../service.ts'

const tags = ['Health']
const good = z.object({ status: z.literal('ok') })

const alive = createRoute({
  method: 'get',
  path: '/healthz',
  tags,
  summary: 'Check that the process is alive',
  responses: { 200: replies(good, 'The process is alive') },
})

const ready = createRoute({
  method: 'get',
  path: '/readyz',
  tags,
  summary: 'Check that the archive answers',
  responses: { 200: replies(good, 'The archive answers'), ...problems },
})

const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  tags,
  summary: 'Metrics for Prometheus',
  responses: { 200: { content: { 'text/plain': { schema: z.string() } }, description: 'The metrics' } },
})

/** Everybody may ask, so those who ask at once share one query. */
const readiness = ({ engine, log, closing }: Service): (() => Promise<void>) => {
  let underWay: Promise<unknown> | undefined
  return async () => {
    if (closing.aborted) throw new Refusal(503, 'The server is stopping.')
    underWay ??= engine.archive.find({}, { limit: 1 }).finally(() => {
      underWay = undefined
    })
    await underWay.catch((error: unknown) => {
      log.error({ error: causeOf(error) }, 'The archive does not answer.')
      throw new Refusal(503, 'The archive does not answer. The log of the server says why.')
    })
  }
}

export const healthRoutes = (service: Service, metrics: Metrics) => {
  const checkReady = readiness(service)
  return router()
    .openapi(alive, context => context.json({ status: 'ok' } as const, 200))
    .openapi(ready, async context => {
      await checkReady()
      return context.json({ status: 'ok' } as const, 200)
    })
    .openapi(metricsRoute, async context =>
      context.text(await metrics.text(), 200, { 'content-type': metrics.contentType }),
    )
}
