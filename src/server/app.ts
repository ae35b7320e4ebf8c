/** All routes, behind the guards, in the order in which a request meets them. */
import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { guessLimit, hostGuard, originGuard, pathGuard, type Tokens, tokenGuard } from './access.ts'
import { accountsGuard } from './accounts/guard.ts'
import { addAccounts } from './accounts/index.ts'
import { traceOf } from './failure.ts'
import { safeHeaders, usualHeaders } from './headers.ts'
import { idempotent } from './idempotency.ts'
import { bodyLimit, writeLimit } from './limits.ts'
import { addLogin } from './login.ts'
import { createMcpRoute } from './mcp/route.ts'
import { createMetrics } from './metrics.ts'
import { errorResponse } from './openai/errors.ts'
import { openAIRoutes } from './openai/routes.ts'
import { addPages } from './pages.ts'
import { problemOf } from './problem.ts'
import { actRoutes } from './routes/acts.ts'
import { eventRoutes } from './routes/events.ts'
import { exhibitRoutes } from './routes/exhibits.ts'
import { exportRoutes } from './routes/exports.ts'
import { healthRoutes } from './routes/health.ts'
import { lineupRoutes } from './routes/lineups.ts'
import { peopleRoutes } from './routes/people.ts'
import { addReference } from './routes/reference.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { settingsRoutes } from './routes/settings.ts'
import { settingsChangeRoutes } from './routes/settings-changes.ts'
import { shareRoutes } from './routes/shares.ts'
import { statsRoutes } from './routes/stats.ts'
import { tableRoutes } from './routes/table.ts'
import { templateRoutes } from './routes/templates.ts'
import { tourRoutes } from './routes/tour.ts'
import type { Env, Service } from './service.ts'

const guard = (
  app: OpenAPIHono<Env>,
  service: Service,
  tokens: Tokens | undefined,
  wrong: ReturnType<typeof guessLimit>,
): void => {
  const { limits, clock } = service
  const { accounts } = service
  // Without a token, a page of another site whose name resolves to this machine could get in.
  if (tokens === undefined && !accounts) app.use(hostGuard)
  app.use(originGuard)
  app.use(pathGuard)
  if (accounts) app.use(accountsGuard({ accounts, wrong }))
  else if (tokens !== undefined) app.use(tokenGuard(tokens, wrong))
  app.use(writeLimit(limits.writesPerMinute, clock))
  app.use(bodyLimit(limits.bodyBytes))
  app.use('/api/*', idempotent(service))
}

export const createApp = (
  service: Service,
  tokens: Tokens | undefined,
  pages: string,
  around?: MiddlewareHandler,
): OpenAPIHono<Env> => {
  const app = new OpenAPIHono<Env>()
  const metrics = createMetrics(service)
  app.onError((error, context) => {
    const response = context.req.path.startsWith('/v1/') ? errorResponse(error) : problemOf(error)
    if (response.status >= 500)
      service.log.error({ error: traceOf(error), method: context.req.method }, 'A request failed.')
    return response
  })
  if (around) app.use(around)
  app.use(metrics.counted)
  app.use(safeHeaders)
  app.use(usualHeaders)
  const wrong = guessLimit(service.clock)
  guard(app, service, tokens, wrong)
  for (const routes of [
    sessionRoutes(service),
    actRoutes(service),
    eventRoutes(service),
    exportRoutes(service),
    exhibitRoutes(service),
    shareRoutes(service),
    peopleRoutes(service),
    tableRoutes(service),
    lineupRoutes(service),
    templateRoutes(service),
    settingsRoutes(service),
    settingsChangeRoutes(service),
    statsRoutes(service),
    tourRoutes(service),
    openAIRoutes(service),
    createMcpRoute(service),
    healthRoutes(service, metrics),
  ])
    app.route('/', routes)
  addReference(app, service)
  if (service.accounts) addAccounts(app, service, service.accounts, wrong, pages)
  else if (tokens !== undefined) addLogin(app, tokens, wrong)
  addPages(app, service, pages)
  return app
}
