/** `serve`: keeps the archive, runs sessions, and serves both over HTTP. */
import type { Command } from 'commander'
import type { Shell } from '../terminal/shell.ts'

interface ServeFlags {
  readonly port?: string
  readonly host?: string
  readonly data?: string
  readonly verbose?: boolean
}

/** Not among the ports that other programs are known for. */
export const usualPort = 4317

const serve = async (flags: ServeFlags, shell: Shell): Promise<void> => {
  const [{ resolve }, { loadConfig }, { wholeNumberFrom }, { startServing }] = await Promise.all([
    import('node:path'),
    import('../../table/config.ts'),
    import('../terminal/flags.ts'),
    import('../archive/serving.ts'),
  ])
  const config = loadConfig(shell)
  const data = flags.data === undefined ? config.data : resolve(shell.cwd, flags.data)
  const port = flags.port ?? config.env.PORT?.trim()
  const serving = await startServing({
    config: { ...config, data },
    host: flags.host ?? '127.0.0.1',
    port: port ? wholeNumberFrom(flags.port === undefined ? 'PORT' : '--port', 0, 65_535)(port) : usualPort,
    verbose: flags.verbose ?? false,
    shell,
  })
  shell.stdout.write(`Roundtable is at ${serving.address}\n`)
  await interrupted(shell)
  shell.stderr.write('Handing over what is running; Ctrl-C again leaves at once.\n')
  await serving.close()
}

/** The first Ctrl-C ends it in order, the second one leaves at once. */
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
    .option('--port <number>', `where to listen; PORT says it too (default: ${usualPort})`)
    .option('--host <address>', 'on which address; any but 127.0.0.1 needs ROUNDTABLE_TOKEN')
    .option('--data <folder>', 'where sessions are kept; ROUNDTABLE_DATA says it too')
    .action((flags: ServeFlags) => serve({ ...flags, ...command.optsWithGlobals() }, shell))
}
