/** A server on an archive: the engine that runs sessions, the HTTP API, and a socket for other commands. */

import { setTimeout as sleep } from 'node:timers/promises'
import {
  checkAccountsSetting,
  checkSharedArchive,
  ownProvidersWith,
  privateEndpointsIn,
  secretFor,
} from '../accounts/command.ts'
import { accountsOn } from '../accounts/people.ts'
import { newSecret } from '../accounts/person.ts'
import { oidcFrom } from '../accounts/sign-in.ts'
import { keepFrom, startKeeping } from '../backup/backup.ts'
import { UsageError } from '../core/basics.ts'
import { checkBind, isLoopback, tokensFrom } from '../http/guards.ts'
import { proxiesFrom } from '../http/limits.ts'
import { createLog, type ServerLog } from '../http/log.ts'
import type { Engine } from '../run/jobs.ts'
import { type EngineOptions, openEngine } from '../run/worker.ts'
import { announceSocket, FolderHeld, holderOf } from '../store/folder-lock.ts'
import {
  connect,
  openSocketServer,
  runOwners,
  type ServerAddress,
  type SocketServer,
} from '../store/shared.ts'
import type { Config } from '../table/config.ts'
import type { LiveReach } from '../table/open-reach.ts'
import { type Telemetry, telemetryFrom } from '../telemetry/telemetry.ts'
import { archiveFolder, watchedFrom } from '../terminal/archive.ts'
import { packageVersion, programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/terminal.ts'
import { openWebhooks } from '../webhooks/webhooks.ts'
import { type RunningServer, type ServerOptions, startServer } from './app.ts'
import { runtimeOn, servedReach, tracedReach } from './served-reach.ts'

export interface ServingOptions {
  readonly config: Config
  readonly host: string
  readonly port: number
  readonly verbose: boolean
  readonly shell: Shell
}

export interface Serving {
  readonly address: string
  /** What commands on this machine send, if the server asks for anything. */
  readonly token?: string
  close(): Promise<void>
}

/** Milliseconds to wait for a command that uses the archive for a moment. */
const patience = 10_000

/** A process that shares the archive holds it for longer than anybody wants to wait. */
const refuseIfShared = async (folder: string): Promise<void> => {
  const holder = await holderOf(folder)
  const client = holder?.socket === undefined ? undefined : await connect(holder.socket, holder.token)
  if (!holder || !client) return
  const { server } = client.hello
  throw new UsageError(
    server
      ? `A server is already running at ${server.address} (pid ${holder.pid}). Use it, or stop it first.`
      : `A session is running in ${folder} (pid ${holder.pid}). Start the server when it has finished.`,
  )
}

const openWhenFree = async (folder: string, open: () => Promise<Engine>): Promise<Engine> => {
  const until = Date.now() + patience
  for (;;) {
    await refuseIfShared(folder)
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof FolderHeld) || Date.now() >= until) throw error
    }
    await sleep(100)
  }
}

/** Other commands use the archive through this process, and send it their questions. */
const openSocket = async (folder: string, engine: Engine, server: ServerAddress): Promise<SocketServer> => {
  const { archive, bus } = engine
  const { promise, resolve } = Promise.withResolvers<SocketServer>()
  await announceSocket(folder, async token => {
    const socketServer = await openSocketServer(folder, {
      archive,
      owners: runOwners(() => engine.running()),
      hello: { token, server },
      appended(session, events) {
        for (const event of events) bus.publish(session, event)
      },
    })
    resolve(socketServer)
    return socketServer.path
  })
  return promise
}

interface Parts {
  readonly server: RunningServer
  readonly token: string | undefined
  readonly socketServer?: SocketServer
}

const start = async (
  engine: Engine,
  reach: LiveReach,
  folder: string | undefined,
  { host, port, shell }: ServingOptions,
  log: ServerLog,
  around: Telemetry['request'] | undefined,
  accounts: Pick<NonNullable<ServerOptions['accounts']>, 'oidc' | 'secret' | 'privateEndpoints'>,
  keepMs: number | undefined,
): Promise<Parts> => {
  const tokens = tokensFrom(reach.config.env)
  // With accounts, commands on this machine have a token that nobody else can know, and that ends with the server.
  const localToken = accountsOn(shell.env) ? newSecret() : undefined
  const guard = localToken === undefined ? tokens && { token: tokens.token } : { token: localToken }
  const admin = tokens?.admin !== undefined && { adminToken: tokens.admin }
  const server = await startServer({
    ...{ engine, reach, host, port, log },
    ...(localToken === undefined ? { ...guard, ...admin } : { accounts: { localToken, ...accounts } }),
    ...(around && { around }),
    // From the process' own environment: a folder's file must not say whom to believe.
    proxies: proxiesFrom(shell.env.ROUNDTABLE_PROXY),
    ...(keepMs !== undefined && { keepMs }),
  })
  const token = guard?.token
  if (folder === undefined) return { server, token }
  try {
    // If it listens on every address, commands on this machine use the loopback.
    const everywhere = ['0.0.0.0', '::'].includes(host)
    const address = everywhere ? `http://127.0.0.1:${server.port}` : server.address
    return { server, token, socketServer: await openSocket(folder, engine, { address, ...guard }) }
  } catch (error) {
    await server.close()
    throw error
  }
}

/**
 * The logins of agents belong to the person at this machine, so nobody else may use them: neither other machines, nor
 * whoever has a token or shares the database.
 */
const agentsRefusedOn = (host: string, { env }: Config, shell: Shell): string | undefined => {
  const shared = [
    !isLoopback(host) && 'other machines can reach it',
    accountsOn(shell.env) && 'it has accounts, so others may use it',
    tokensFrom(env) !== undefined && 'it asks for a token, so others may use it',
    Boolean(env.DATABASE_URL?.trim()) && 'it shares a database',
  ].find(reason => reason !== false)
  if (!shared) return undefined
  return `This server seats no command-line agents: ${shared}, and their logins belong to the person at this machine.`
}

export const startServing = async (options: ServingOptions): Promise<Serving> => {
  const { config, host, verbose, shell } = options
  // Not from a folder's .env, which could turn accounts off.
  const hasAccounts = accountsOn(shell.env)
  if (!hasAccounts) checkBind(host, tokensFrom(config.env))
  const log = createLog(verbose, shell.stderr)
  const address = config.env.DATABASE_URL?.trim()
  const folder = address ? undefined : archiveFolder(config.data)
  const telemetry = await telemetryFrom(shell.env, packageVersion())
  const keep = keepFrom(shell.env.ROUNDTABLE_KEEP)
  const reach = tracedReach(await servedReach(config, shell, agentsRefusedOn(host, config, shell)), telemetry)
  const webhooks = openWebhooks(shell.env, log, reach.protocols)
  // From the process' own environment: a stranger's folder must not say who may log in.
  const oidc = hasAccounts ? oidcFrom(shell.env) : undefined
  const secret = hasAccounts ? secretFor(shell.env, folder) : undefined
  const privateEndpoints = hasAccounts && privateEndpointsIn(shell.env)
  const setting = { env: shell.env, secret, harm: 'everybody could read their private sessions' }
  if (address) await checkSharedArchive(address, setting)
  const open = (where: EngineOptions['where']): Promise<Engine> =>
    watchedFrom(
      () =>
        openEngine({
          ...{ where, logger: log, runtime: runtimeOn(reach, shell.clock, telemetry, webhooks) },
          ...{ accounts: hasAccounts, clock: shell.clock },
          ...(secret && { ownProviders: ownProvidersWith(reach, secret, privateEndpoints) }),
        }),
      config.env,
      shell,
    )
  const opened =
    folder === undefined
      ? await open({ address: address! })
      : await openWhenFree(folder, () => open({ folder }))
  const engine = telemetry ? { ...opened, queue: telemetry.queue(opened.queue) } : opened
  try {
    const hasPeople = await checkAccountsSetting(engine.archive, setting)
    const { server, token, socketServer } = await start(
      engine,
      reach,
      folder,
      options,
      log,
      telemetry?.request,
      {
        ...(oidc && { oidc }),
        ...(secret && { secret, privateEndpoints }),
      },
      keep,
    )
    // Asked beside the start, so that the first page doesn't wait for it.
    void reach.agents.check()
    const stopKeeping = startKeeping(engine.archive, keep, shell.clock, log)
    if (hasAccounts && !hasPeople)
      shell.stderr.write(
        `Nobody has an account yet. Invite the first admin with \`${programName()} accounts admin <name>\`.\n`,
      )
    log.info({ address: server.address, archive: folder ?? 'DATABASE_URL' }, 'Serving.')
    return {
      address: server.address,
      ...(token !== undefined && { token }),
      async close() {
        await Promise.all([socketServer?.close(), server.close()])
        await stopKeeping()
        await engine.close()
        await Promise.all([webhooks?.close(), telemetry?.close()])
        log.info({}, 'Stopped.')
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}
