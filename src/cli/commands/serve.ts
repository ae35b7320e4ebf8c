/** `serve`: holds the archive, runs sessions, and serves both over HTTP. */
import type { Command } from 'commander'
import type { Shell } from '../terminal/shell.ts'

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
    import('../terminal/flags.ts'),
    import('../archive/serving.ts'),
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

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--port <number>', `the port to listen on (default: PORT, or ${usualPort})`)
    .option(
      '--host <address>',
      'the address to listen on (default: 127.0.0.1; any other needs ROUNDTABLE_TOKEN)',
    )
    .option('--data <folder>', 'the folder that sessions are saved in (default: ROUNDTABLE_DATA)')
    .action((flags: ServeFlags) => serve({ ...flags, ...command.optsWithGlobals() }, shell))
}
