/** Runs the command that was typed. */
import { enableCompileCache } from 'node:module'
import './quick-imports.ts'

/** Starts after the first one are faster: they load compiled code. This covers only what is imported below it. */
enableCompileCache()
const { run } = await import('./program.ts')

/** The reader of our output may stop early (`… | head`): that must not end a session that is running. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  clock: Date.now,
  onInterrupt(listener) {
    const signals = ['SIGINT', 'SIGTERM'] as const
    for (const signal of signals) process.on(signal, listener)
    return () => {
      for (const signal of signals) process.off(signal, listener)
    }
  },
  quit: code => process.exit(code),
  startWatchdog: async seconds => (await import('../terminal/watchdog.ts')).startWatchdog(seconds),
})
