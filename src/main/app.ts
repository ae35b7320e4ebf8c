/** All routes, behind the guards, in the order in which a request meets them. */

import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import { type AccountsOptions, accountsIn } from '../accounts/accounts.ts'
import { accountsGuard } from '../accounts/guard.ts'
import { makerKeysIn, ownEndpointsIn } from '../accounts/people.ts'
import { currentPerson, currentVisitor } from '../accounts/permissions.ts'
import { addAccounts } from '../accounts/routes.ts'
import { scopedEngine, scopedReach, scopedStreams, scopedTemplates } from '../accounts/scoped.ts'
import type { OidcSettings } from '../accounts/sign-in.ts'
import { UsageError } from '../core/basics.ts'
import { dispatcherFor } from '../evidence/web.ts'
import {
  addLogin,
  builtPages,
  checkBind,
  dropReceipts,
  hostGuard,
  idempotent,
  isOpen,
  originGuard,
  pagePolicy,
  pathGuard,
  plainPage,
  safeHeaders,
  type Tokens,
  tokenGuard,
  tokensFrom,
  usualHeaders,
} from '../http/guards.ts'
import { type HouseFetch, houseFetch } from '../http/house-fetch.ts'
import {
  bodyLimits,
  cutOffLong,
  guessLimit,
  knowAddress,
  type Proxies,
  proxiesFrom,
  writeLimit,
} from '../http/limits.ts'
import { problemOf, Refusal, type ServerLog, traceOf } from '../http/log.ts'
import { createMetrics } from '../http/metrics.ts'
import { actRoutes, peopleRoutes, seatLinkGuard, shareRoutes } from '../http/routes-people.ts'
import { eventRoutes, exhibitRoutes, exportRoutes, sessionRoutes } from '../http/routes-sessions.ts'
import {
  healthRoutes,
  settingsChangeRoutes,
  settingsRoutes,
  statsRoutes,
  tourRoutes,
} from '../http/routes-settings.ts'
import { addReference, lineupRoutes, tableRoutes, templateRoutes } from '../http/routes-table.ts'
import { type Env, type ServerLimits, type Service, templateFiles } from '../http/service.ts'
import { askerOn } from '../http/sessions.ts'
import { addSharedPages } from '../http/shared-page.ts'
import { createEventStreams, type EventStreams } from '../http/stream.ts'
import { createMcpRoute } from '../mcp/server.ts'
import { errorResponse } from '../openai/conversation.ts'
import { openAIRoutes } from '../openai/server.ts'
import type { Engine } from '../run/jobs.ts'
import { dayId } from '../run/run.ts'
import { createRuntime } from '../run/runtime.ts'
import type { LiveReach, OpenReach } from '../table/open-reach.ts'
import { houseModels, weightsCache } from '../table/reach.ts'

// pages: The web pages if they are built; otherwise one plain page that links to the API.

/** By this the pages know that they may ask who is logged in. */
const accountsMark = '<meta name="accounts" content="on" />'

const nothingThere = (path: string): Response =>
  problemOf(new Refusal(404, `There is nothing at ${path}. /api/docs describes the API.`))

const addPlain = (app: OpenAPIHono<Env>): void => {
  app.get('/', context =>
    plainPage(
      context,
      'Roundtable',
      html`<h1>Roundtable</h1>
<p>The server is running, but its web pages are not built. See <a href="/api/docs">/api/docs</a> for the API.</p>`,
    ),
  )
}

/** Every path that isn't a file or part of the API gets the index page, whose own router finds the page. */
const addBuilt = (app: OpenAPIHono<Env>, folder: string, index: string): void => {
  const headers = { 'content-security-policy': pagePolicy }
  app.get('/assets/*', async (context, next) => {
    context.header('cache-control', 'public, max-age=31536000, immutable')
    await next()
  })
  app.use('/*', serveStatic({ root: folder, index: 'no directory is a page' }))
  app.get('/*', (context, next) => {
    const { path } = context.req
    const isPage = !/^\/(api|assets)\/|\.[a-z0-9]+$/i.test(path)
    return isPage ? context.html(index, 200, { ...headers, 'cache-control': 'no-cache' }) : next()
  })
}

export const addPages = (app: OpenAPIHono<Env>, service: Service, folder: string): void => {
  const file = join(folder, 'index.html')
  const built = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const index = service.accounts ? built?.replace('</title>', `</title>${accountsMark}`) : built
  addSharedPages(app, service, index)
  if (index !== undefined) addBuilt(app, folder, index)
  else addPlain(app)
  app.notFound(context => nothingThere(context.req.path))
}

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
  app.use('/api/seat/:token/*', seatLinkGuard(service))
  app.use(bodyLimits(limits.bodyBytes, accounts ? () => currentVisitor().kind === 'link' : isOpen))
  app.use('/api/*', idempotent(service))
}

export const createApp = (
  service: Service,
  tokens: Tokens | undefined,
  pages: string,
  { around, proxies = proxiesFrom() }: Pick<ServerOptions, 'around' | 'proxies'> = {},
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
  app.use(knowAddress(proxies))
  app.use(cutOffLong)
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

// closing: Closes an HTTP server. What is being answered may be finished; then the connection is closed, even if the client would
// send one more request: a client that asks again at once could otherwise keep a stopping server alive.

/** Milliseconds. A client that doesn't read its reply must not hold up a process that its supervisor kills soon. */
const usualGrace = 5_000
const lookEvery = 50

/** Closes the server. `ending` is called once nothing new is taken, to end the replies that never end by themselves. */
export const closeServer = (server: Server, ending: () => void, grace = usualGrace): Promise<void> =>
  new Promise(resolve => {
    server.prependListener('request', (_request, reply) => {
      reply.shouldKeepAlive = false
    })
    const idle = setInterval(() => server.closeIdleConnections(), lookEvery)
    const late = setTimeout(() => server.closeAllConnections(), grace)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(late)
      resolve()
    })
    ending()
  })

// start: Starts the HTTP server on an engine, with what can be seated here.

export interface ServerOptions {
  readonly engine: Engine
  /** What can be seated here. If it is live, the settings can be changed while the server runs. */
  readonly reach: OpenReach | LiveReach
  /** 127.0.0.1 by default. Any other address than this machine's own needs a token. */
  readonly host?: string
  /** 0: any free one. */
  readonly port?: number
  /** Asked for everywhere but on share links, /healthz and /readyz. */
  readonly token?: string
  /** Whoever sends this one instead may also change the settings. Needs `token`. */
  readonly adminToken?: string
  /** People log in, and see their own sessions and the team's. The tokens are no longer asked for. */
  readonly accounts?: AccountsOptions & {
    /** What commands on this machine send, instead of a key. */
    readonly localToken?: string
    /** The provider that people may log in with. */
    readonly oidc?: OidcSettings
    /** Encrypts the keys and endpoints that people enter. */
    readonly secret?: Buffer
    /** People's endpoints may be at private addresses, of this machine and its network. */
    readonly privateEndpoints?: boolean
  }
  readonly log: ServerLog
  /** The models that can be downloaded here; the built-in ones by default. */
  readonly house?: HouseFetch
  /** Between two signs of life on a stream. */
  readonly heartbeatMs?: number
  readonly limits?: Partial<ServerLimits>
  /** The folder of the built pages. */
  readonly pages?: string
  /** Where names of files in the configuration start. */
  readonly cwd?: string
  /** Whose `X-Forwarded-For` counts. Left out: nobody's. */
  readonly proxies?: Proxies
  /** Runs around every request, before everything else. */
  readonly around?: MiddlewareHandler
  /** For the page of the admins: whoever starts the server removes finished sessions after so long. */
  readonly keepMs?: number
  readonly clock?: () => number
}

export interface RunningServer {
  /** `http://127.0.0.1:4317` */
  readonly address: string
  readonly port: number
  /** Ends every stream and takes no more requests; the engine is its owner's to close. */
  close(): Promise<void>
}

const usualLimits: ServerLimits = {
  bodyBytes: 32_000_000,
  writesPerMinute: 600,
  streamsPerSession: 500,
  streamsPerAddress: 600,
}

const versionOf = (): string => {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
  return version
}

/** A call of a server that closes is given up: nobody waits for its reply any more. */
const calling = (
  { reach, clock, engine }: ServerOptions,
  closing: AbortSignal,
): Pick<Service, 'sharpen' | 'call' | 'closing'> => {
  const { protocols } = reach
  const runtime = createRuntime({
    get providers() {
      return reach.providers
    },
    // Without accounts nobody is known, and nobody's budget is asked.
    payer() {
      const visitor = currentPerson()
      return visitor && engine.meterOf?.(visitor.person)
    },
    ...{ protocols, ...(clock && { clock }) },
  })
  const until = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([signal, closing]) : closing
  return {
    closing,
    sharpen: (beginning, signal) => runtime.sharpen(beginning, until(signal)),
    call: (call, signal) => runtime.call(call, until(signal)),
  }
}

/** What people entered with which only their own sessions call models. */
const ownParts = (
  { engine: { archive }, reach, accounts: options, clock = Date.now }: ServerOptions,
  secret = options?.secret,
) => {
  if (!secret) return { reach, own: undefined, makerKeys: undefined }
  const endpoints = ownEndpointsIn(archive, secret, dispatcherFor(options?.privateEndpoints))
  return { ...scopedReach(reach, endpoints, clock), makerKeys: makerKeysIn(archive, secret) }
}

/** With accounts, everything is seen as the person of each request may see it. */
const seenBy = (given: ServerOptions, streams: EventStreams) => {
  const { engine, accounts: options, clock } = given
  const { reach, own, makerKeys } = ownParts(given)
  const templates = templateFiles(() => reach.config.data)
  if (!options) return { engine, streams, templates, reach }
  const { archive } = engine
  const accounts = accountsIn(archive, { ...(clock && { clock }), ...options })
  const { localToken, oidc } = options
  return {
    engine: scopedEngine(engine),
    templates: scopedTemplates(templates, archive),
    reach,
    streams: scopedStreams(streams, archive, accounts),
    accounts: {
      ...{ ...accounts, archive },
      ...(localToken !== undefined && { localToken }),
      ...(oidc && { oidc }),
      ...(own && { own }),
      ...(makerKeys && { makerKeys }),
    },
  }
}

const serviceOf = (options: ServerOptions, guarded: boolean, closing: AbortSignal): Service => {
  const { log, clock = Date.now } = options
  const { config } = options.reach
  const limits = { ...usualLimits, ...options.limits }
  const everybodys = createEventStreams(options.engine, log, limits, options.heartbeatMs)
  const { engine, streams, templates, reach, accounts } = seenBy(options, everybodys)
  const house = options.house ?? houseFetch(weightsCache(config.env))
  return {
    ...{ engine, reach, house, limits, log, clock },
    asker: askerOn(engine.archive, house),
    ...calling({ ...options, reach }, closing),
    ...{ streams, templates },
    ...(accounts && { accounts }),
    houseModels: () => houseModels(config, options.cwd ?? process.cwd()),
    newId: dayId(clock),
    ...(options.keepMs !== undefined && { keepMs: options.keepMs }),
    guarded,
    version: versionOf(),
  }
}

const listening = (
  server: ReturnType<typeof createAdaptorServer>,
  port: number,
  host: string,
): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new UsageError(
              `Port ${port} is already in use: choose another port, or stop the program that uses it.`,
              'port-taken',
            )
          : error,
      ),
    )
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })

export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const { host = '127.0.0.1', port = 0, pages = builtPages() } = options
  const tokens = tokensFrom({ ROUNDTABLE_TOKEN: options.token, ROUNDTABLE_ADMIN_TOKEN: options.adminToken })
  const guarded = tokens !== undefined || options.accounts !== undefined
  if (!options.accounts) checkBind(host, tokens)
  const closing = new AbortController()
  const service = serviceOf(options, guarded, closing.signal)
  const app = createApp(service, tokens, pages, options)
  // Node itself takes in what nobody read of a body; the adapter cuts a slow sender off before it has read the reply.
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
  })
  const bound = await listening(server, port, host)
  await dropReceipts(service.engine.archive, service.clock)
  const name = host.includes(':') ? `[${host}]` : host
  return {
    address: `http://${name}:${bound.port}`,
    port: bound.port,
    close: () =>
      closeServer(server as Server, () => {
        closing.abort()
        service.streams.close()
        service.house.close()
      }),
  }
}
