/** Metrics of this process, for Prometheus. */

import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Env, Service } from './service.ts'

export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  /** Counts requests by route, not by URL: a URL could contain the token of a share link. */
  readonly counted: MiddlewareHandler<Env>
}

export const createMetrics = ({
  engine,
  streams,
  log,
}: Pick<Service, 'engine' | 'streams' | 'log'>): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'roundtable_requests_total',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'roundtable_request_seconds',
    help: 'Seconds until the reply begins, by route and method.',
    labelNames: ['route', 'method'],
    registers,
  })
  new Gauge({
    name: 'roundtable_watchers',
    help: 'Open event streams.',
    registers,
    collect() {
      this.set(streams.watchers().all)
    },
  })
  new Gauge({
    name: 'roundtable_watchers_behind',
    help: 'Event streams that are catching up from the store.',
    registers,
    collect() {
      this.set(streams.watchers().behind)
    },
  })
  new Gauge({
    name: 'roundtable_sessions_running',
    help: 'Sessions that this process runs.',
    registers,
    collect() {
      this.set(engine.running().length)
    },
  })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    async counted(context, next) {
      const started = performance.now()
      await next()
      const { method } = context.req
      const route = routePath(context)
      const status = context.res.status
      const milliseconds = performance.now() - started
      requests.inc({ route, method, status })
      seconds.observe({ route, method }, milliseconds / 1_000)
      log.debug({ route, method, status, milliseconds: Math.round(milliseconds) }, 'Request.')
    },
  }
}
