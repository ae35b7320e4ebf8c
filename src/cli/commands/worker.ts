/** `worker`: runs sessions of an archive that several machines share. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import type { Shell } from '../terminal/shell.ts'
import { interrupted } from './serve.ts'

const work = async (verbose: boolean, shell: Shell): Promise<void> => {
  const { loadConfig } = await import('../../table/config.ts')
  const config = loadConfig(shell)
  const address = config.env.DATABASE_URL?.trim()
  if (!address)
    throw new UsageError(
      'A worker shares its sessions with a server: set DATABASE_URL to the Postgres that both use. Without one, `roundtable serve` runs sessions itself.',
    )
  const [{ openEngine }, { createLog }, { runtimeOn, servedReach }] = await Promise.all([
    import('../../worker/open.ts'),
    import('../../server/log.ts'),
    import('../archive/served-reach.ts'),
  ])
  const runtime = runtimeOn(await servedReach(config, shell), shell.clock)
  const engine = await openEngine({ where: { address }, runtime, logger: createLog(verbose, shell.stderr) })
  shell.stdout.write('Working; Ctrl-C hands over what is running.\n')
  await interrupted(shell)
  await engine.close()
}

export const define = (command: Command, shell: Shell): void => {
  command.action(() => work(command.optsWithGlobals<{ verbose?: boolean }>().verbose ?? false, shell))
}
