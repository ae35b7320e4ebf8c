/** `worker`: runs sessions of an archive that several machines share. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { packageVersion } from '../program-version.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'
import { interrupted } from './serve.ts'

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
    import('../../telemetry/index.ts'),
    import('../../webhooks/index.ts'),
    import('../../worker/open.ts'),
    import('../../server/log.ts'),
    import('../archive/served-reach.ts'),
    import('../watchdog/watch-over.ts'),
    import('../../accounts/switch.ts'),
    import('../archive/own-providers.ts'),
    import('../archive/accounts-setting.ts'),
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

export const define = (command: Command, shell: Shell): void => {
  command.action(() => work(command.optsWithGlobals<{ verbose?: boolean }>().verbose ?? false, shell))
}
