/** Starts the HTTP server on an engine and a table. */
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { UsageError } from '../core/errors.ts'
import type { Roundtable } from '../library/roundtable.ts'
import { dayId } from '../runtime/ids.ts'
import type { Config } from '../table/config.ts'
import { weightsCache } from '../table/house.ts'
import { houseModels } from '../table/house-models.ts'
import type { Engine } from '../worker/engine.ts'
import { checkBind } from './access.ts'
import { createApp } from './app.ts'
import { type HouseFetch, houseFetch } from './house-fetch.ts'
import { dropReceipts } from './idempotency.ts'
import { createLive } from './live.ts'
import type { ServerLog } from './log.ts'
import { builtPages } from './pages.ts'
import type { ServerLimits, Service } from './service.ts'

export interface ServerOptions {
  readonly engine: Engine
  readonly table: Roundtable
  readonly config: Config
  /** 127.0.0.1 unless told. Any other address than this machine's own needs a token. */
  readonly host?: string
  /** 0: any free one. */
  readonly port?: number
  /** Asked for everywhere but on share links and /healthz. */
  readonly token?: string
  readonly log: ServerLog
  /** The models of the house that can be fetched here: those that are built in unless told. */
  readonly house?: HouseFetch
  /** Asks providers for their lists of models, where that is worth it. */
  readonly refreshModels?: () => Promise<unknown>
  /** Between two signs of life on a stream. */
  readonly heartbeatMs?: number
  readonly limits?: Partial<ServerLimits>
  /** The folder of the built pages. */
  readonly pages?: string
  /** Where names of files in the configuration start. */
  readonly cwd?: string
  readonly clock?: () => number
}

export interface RunningServer {
  /** `http://127.0.0.1:4317` */
  readonly address: string
  readonly port: number
  /** Ends every stream and takes no more requests; the engine is its owner's to close. */
  close(): Promise<void>
}

const usualLimits: ServerLimits = { bodyBytes: 16_000_000, writesPerMinute: 600 }

const versionOf = (): string => {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
  return version
}

const serviceOf = (options: ServerOptions): Service => {
  const { engine, table, config, log, token, clock = Date.now } = options
  return {
    ...{ engine, table, config, log, clock },
    live: createLive(engine, log, options.heartbeatMs),
    house: options.house ?? houseFetch(weightsCache(config.env)),
    houseModels: () => houseModels(config, options.cwd ?? process.cwd()),
    limits: { ...usualLimits, ...options.limits },
    newId: dayId(clock),
    refreshModels: options.refreshModels ?? (async () => {}),
    guarded: token !== undefined,
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
  const token = options.token?.trim() || undefined
  checkBind(host, token)
  const service = serviceOf({ ...options, ...(token !== undefined && { token }) })
  const app = createApp(service, token, pages)
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })
  const bound = await listening(server, port, host)
  await dropReceipts(service.engine.archive, service.clock)
  const name = host.includes(':') ? `[${host}]` : host
  return {
    address: `http://${name}:${bound.port}`,
    port: bound.port,
    close: () =>
      new Promise(resolve => {
        service.live.close()
        service.house.close()
        server.close(() => resolve())
        if ('closeIdleConnections' in server) server.closeIdleConnections()
      }),
  }
}
