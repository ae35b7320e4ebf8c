/** `serve`: holds the archive, runs sessions, and serves both over HTTP. */

import type { Command } from 'commander'
import { UsageError } from '../core/basics.ts'
import { packageVersion, programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/terminal.ts'

interface ServeFlags {
  readonly port?: string
  readonly host?: string
  readonly data?: string
  readonly verbose?: boolean
}

/** No other well-known program uses this port. */
export const usualPort = 4317

/** The settings in the data folder are part of the configuration, so a folder that a flag names counts from the start. */
const withData = (shell: Shell, folder: string | undefined): Shell =>
  folder === undefined ? shell : { ...shell, env: { ...shell.env, ROUNDTABLE_DATA: folder } }

const serve = async (flags: ServeFlags, outer: Shell): Promise<void> => {
  const [{ resolve }, { configAt }, { wholeNumberFrom }, { startServing }] = await Promise.all([
    import('node:path'),
    import('../terminal/config.ts'),
    import('../terminal/terminal.ts'),
    import('./serving.ts'),
  ])
  const shell = withData(outer, flags.data && resolve(outer.cwd, flags.data))
  // Opening the database takes seconds.
  shell.stderr.write('Roundtable is starting…\n')
  const config = await configAt(shell)
  const port = flags.port ?? config.env.PORT?.trim()
  const serving = await startServing({
    config,
    host: flags.host ?? '127.0.0.1',
    port: port ? wholeNumberFrom(flags.port === undefined ? 'PORT' : '--port', 0, 65_535)(port) : usualPort,
    verbose: flags.verbose ?? false,
    shell,
  })
  // A supervisor may stop the server as soon as it reads this line.
  const stopped = interrupted(shell)
  shell.stdout.write(`Roundtable is at ${serving.address}\n`)
  await stopped
  shell.stderr.write('Stopping. Press Ctrl-C again to stop immediately.\n')
  await serving.close()
}

/** The first Ctrl-C shuts down cleanly, the second one at once. */
export const interrupted = (shell: Shell): Promise<void> =>
  new Promise(resolve => {
    let again = false
    shell.onInterrupt(() => {
      if (again) shell.quit(130)
      again = true
      resolve()
    })
  })

export const defineServe = (command: Command, shell: Shell): void => {
  command
    .option('--port <number>', `the port to listen on (default: PORT, or ${usualPort})`)
    .option(
      '--host <address>',
      'the address to listen on (default: 127.0.0.1; any other needs ROUNDTABLE_TOKEN)',
    )
    .option('--data <folder>', 'the folder that sessions are saved in (default: ROUNDTABLE_DATA)')
    .action((flags: ServeFlags) => serve({ ...flags, ...command.optsWithGlobals() }, shell))
}

// worker: `worker`: runs sessions of an archive that several machines share.

/** Sessions come from a database that others use too. */
const noAgentsHere =
  'A worker seats no command-line agents: their logins belong to the person at this machine.'

const work = async (verbose: boolean, shell: Shell): Promise<void> => {
  const { configAt } = await import('../terminal/config.ts')
  const config = await configAt(shell)
  const address = config.env.DATABASE_URL?.trim()
  if (!address)
    throw new UsageError(
      `Set DATABASE_URL to the Postgres database that the worker shares with your server. Without one, \`${programName()} serve\` runs sessions by itself.`,
    )
  const [
    { telemetryFrom },
    { openWebhooks },
    { openEngine },
    { createLog },
    { runtimeOn, servedReach, tracedReach },
    { watchedFrom },
    { accountsOn },
    { ownProvidersWith, privateEndpointsIn, secretFor },
    { checkSharedArchive },
  ] = await Promise.all([
    import('../telemetry/telemetry.ts'),
    import('../webhooks/webhooks.ts'),
    import('../run/worker.ts'),
    import('../http/log.ts'),
    import('./served-reach.ts'),
    import('../terminal/archive.ts'),
    import('../accounts/people.ts'),
    import('../accounts/command.ts'),
    import('../accounts/command.ts'),
  ])
  const telemetry = await telemetryFrom(shell.env, packageVersion())
  const reach = tracedReach(await servedReach(config, shell, noAgentsHere), telemetry)
  const logger = createLog(verbose, shell.stderr)
  const webhooks = openWebhooks(shell.env, logger, reach.protocols)
  const runtime = runtimeOn(reach, shell.clock, telemetry, webhooks)
  const accounts = accountsOn(shell.env)
  const secret = accounts ? secretFor(shell.env, undefined) : undefined
  const harm = 'their budgets, keys and endpoints would not count'
  const hasPeople = await checkSharedArchive(address, { env: shell.env, secret, harm })
  if (hasPeople && !accounts) shell.stderr.write(`Accounts are off: ${harm} in what this worker runs.\n`)
  const open = () =>
    openEngine({
      ...{ where: { address }, runtime, logger, accounts, clock: shell.clock },
      ...(secret && { ownProviders: ownProvidersWith(reach, secret, privateEndpointsIn(shell.env)) }),
    })
  const engine = await watchedFrom(open, config.env, shell)
  // A supervisor may stop the worker as soon as it reads this line.
  const stopped = interrupted(shell)
  shell.stdout.write('Working. Press Ctrl-C to stop: other processes then continue its sessions.\n')
  await stopped
  await engine.close()
  await Promise.all([webhooks?.close(), telemetry?.close()])
}

export const defineWorker = (command: Command, shell: Shell): void => {
  command.action(() => work(command.optsWithGlobals<{ verbose?: boolean }>().verbose ?? false, shell))
}
