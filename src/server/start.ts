/** Starts the HTTP server on an engine, with what can be seated here. */
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { type AccountsOptions, accountsIn } from '../accounts/accounts.ts'
import { makerKeysIn } from '../accounts/maker-keys.ts'
import type { OidcSettings } from '../accounts/oidc/settings.ts'
import { ownEndpointsIn } from '../accounts/own-endpoints.ts'
import { scopedArchive } from '../accounts/scoped-archive.ts'
import { currentPerson } from '../accounts/visitor.ts'
import { UsageError } from '../core/errors.ts'
import { dispatcherFor } from '../evidence/web/guarded-agent.ts'
import { dayId } from '../runtime/ids.ts'
import { createRuntime } from '../runtime/runtime.ts'
import { readersOf } from '../store/archive/readers.ts'
import { weightsCache } from '../table/house.ts'
import { houseModels } from '../table/house-models.ts'
import type { OpenReach } from '../table/index.ts'
import type { LiveReach } from '../table/live-reach.ts'
import type { Engine } from '../worker/engine.ts'
import { checkBind, tokensFrom } from './access.ts'
import { scopedEngine } from './accounts/scoped-engine.ts'
import { scopedReach } from './accounts/scoped-reach.ts'
import { scopedStreams } from './accounts/scoped-streams.ts'
import { scopedTemplates } from './accounts/scoped-templates.ts'
import { createApp } from './app.ts'
import { askerOn } from './asker.ts'
import { builtPages } from './built-pages.ts'
import { closeServer } from './closing.ts'
import { createEventStreams, type EventStreams } from './event-stream.ts'
import { type HouseFetch, houseFetch } from './house-fetch.ts'
import { dropReceipts } from './idempotency.ts'
import type { ServerLog } from './log.ts'
import type { ServerLimits, Service } from './service.ts'
import { templateFiles } from './templates.ts'

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
const seenBy = (given: ServerOptions, everything: Engine, streams: EventStreams) => {
  const { engine, accounts: options, clock } = given
  const { reach, own, makerKeys } = ownParts(given)
  const templates = templateFiles(() => reach.config.data)
  if (!options) return { engine: everything, askers: engine.archive, streams, templates, reach }
  const { archive } = engine
  const accounts = accountsIn(archive, { ...(clock && { clock }), ...options })
  const { localToken, oidc } = options
  return {
    engine: scopedEngine(everything),
    // A seat reads a sealed book too, if the person who asks may read it once it is open.
    askers: scopedArchive(archive),
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
  const { engine: whole, log, clock = Date.now } = options
  // Whatever a face reads goes through here: nobody but seats reads a sealed book.
  const everything = { ...whole, archive: readersOf(whole.archive) }
  const { config } = options.reach
  const limits = { ...usualLimits, ...options.limits }
  const everybodys = createEventStreams(everything, log, limits, options.heartbeatMs)
  const { engine, askers, streams, templates, reach, accounts } = seenBy(options, everything, everybodys)
  const house = options.house ?? houseFetch(weightsCache(config.env))
  return {
    ...{ engine, reach, house, limits, log, clock },
    asker: askerOn(askers, house),
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
  const app = createApp(service, tokens, pages, options.around)
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
