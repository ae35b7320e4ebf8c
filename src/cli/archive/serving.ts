/** A server on an archive: the engine that runs sessions, the HTTP API, and a door for other commands. */
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../../core/errors.ts'
import type { Roundtable } from '../../library/roundtable.ts'
import { checkBind } from '../../server/access.ts'
import { createLog, type ServerLog } from '../../server/log.ts'
import { type RunningServer, startServer } from '../../server/start.ts'
import { announceDoor, FolderHeld, holderOf } from '../../store/folder-lock.ts'
import { runOwnersBeside } from '../../store/shared/run-owners.ts'
import { connect } from '../../store/shared/socket-client.ts'
import { openSocketServer, type SocketServer } from '../../store/shared/socket-server.ts'
import type { Config } from '../../table/config.ts'
import type { Engine } from '../../worker/engine.ts'
import { openEngine } from '../../worker/open.ts'
import { type Served, servedTable } from '../served-table.ts'
import type { Shell } from '../terminal/shell.ts'
import { archiveFolder } from './sessions.ts'

export interface ServingOptions {
  readonly config: Config
  readonly host: string
  readonly port: number
  readonly verbose: boolean
  readonly shell: Shell
}

export interface Serving {
  readonly address: string
  close(): Promise<void>
}

/** How long to wait for a command that has the archive for a moment. */
const patience = 10_000

/** Whoever shares the archive has it for longer than anybody wants to wait. */
const refuseWhereShared = async (folder: string): Promise<void> => {
  const holder = await holderOf(folder)
  const remote = holder?.door === undefined ? undefined : await connect(holder.door, holder.token)
  if (!holder || !remote) return
  const who = `process ${holder.pid} on ${holder.host}, since ${holder.since}`
  throw new UsageError(
    remote.hello.server
      ? `These sessions are served already, at ${remote.hello.server.address} by ${who}: use that, or stop it first.`
      : `A session is being run on ${folder} by ${who}: start the server when it is over.`,
  )
}

const openWhenFree = async (folder: string, open: () => Promise<Engine>): Promise<Engine> => {
  const until = Date.now() + patience
  for (;;) {
    await refuseWhereShared(folder)
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof FolderHeld) || Date.now() >= until) throw error
    }
    await sleep(100)
  }
}

/** Other commands use the archive through the server, and the server for what they ask. */
const openItsDoor = async (
  folder: string,
  engine: Engine,
  server: { readonly address: string; readonly token?: string },
): Promise<SocketServer> => {
  const { archive, bus } = engine
  const { promise, resolve } = Promise.withResolvers<SocketServer>()
  await announceDoor(folder, async token => {
    const door = await openSocketServer(folder, {
      archive,
      claims: runOwnersBeside(() => engine.running()),
      hello: { token, server },
      appended(session, events) {
        for (const event of events) bus.publish(session, event)
      },
    })
    resolve(door)
    return door.path
  })
  return promise
}

interface Parts {
  readonly server: RunningServer
  readonly door?: SocketServer
}

const start = async (
  engine: Engine,
  table: Roundtable,
  served: Served,
  folder: string | undefined,
  { host, port }: ServingOptions,
  log: ServerLog,
): Promise<Parts> => {
  const { config, refreshModels } = served
  const token = config.env.ROUNDTABLE_TOKEN?.trim() || undefined
  const guard = token === undefined ? {} : { token }
  const server = await startServer({ engine, table, config, host, port, log, refreshModels, ...guard })
  if (folder === undefined) return { server }
  try {
    // Where it listens on every address, commands on this machine use the nearest one.
    const everywhere = ['0.0.0.0', '::'].includes(host)
    const address = everywhere ? `http://127.0.0.1:${server.port}` : server.address
    return { server, door: await openItsDoor(folder, engine, { address, ...guard }) }
  } catch (error) {
    await server.close()
    throw error
  }
}

export const startServing = async (options: ServingOptions): Promise<Serving> => {
  const { config, host, verbose, shell } = options
  checkBind(host, config.env.ROUNDTABLE_TOKEN?.trim())
  const log = createLog(verbose, shell.stderr)
  const address = config.env.DATABASE_URL?.trim()
  const folder = address ? undefined : archiveFolder(config.data)
  const served = await servedTable(config, shell)
  let table: Roundtable | undefined
  const open = (where: Parameters<typeof openEngine>[0]['where']): Promise<Engine> =>
    openEngine({ where, logger: log, table: (...given) => (table = served.table(...given)) })
  const engine =
    folder === undefined
      ? await open({ address: address! })
      : await openWhenFree(folder, () => open({ folder }))
  try {
    const { server, door } = await start(engine, table!, served, folder, options, log)
    log.info({ address: server.address, archive: folder ?? 'DATABASE_URL' }, 'Serving.')
    return {
      address: server.address,
      async close() {
        await Promise.all([door?.close(), server.close()])
        await engine.close()
        log.info({}, 'Stopped.')
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}
