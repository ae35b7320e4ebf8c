/** Runs the command that was typed. */
import { enableCompileCache } from 'node:module'
import './quick-imports.ts'

/** Starts after the first one are faster: they load compiled code. This covers only what is imported below it. */
enableCompileCache()
const { run } = await import('./program.ts')

/** The reader of our output may stop early (`… | head`), and a terminal may be closed: that is no fault of ours to die of. */
const unread = new Set<() => void>()
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    if (stream === process.stdout) for (const listener of unread) listener()
  })
}

let hungUp = false
/** Scripts tell by it which signal ended a command. */
const codeOf = (code: number): number => (hungUp && code === 130 ? 129 : code)

const code = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  clock: Date.now,
  onInterrupt(listener) {
    const signals = ['SIGINT', 'SIGTERM'] as const
    /** A closed terminal says so more than once: as the second Ctrl-C it would leave before anything is saved. */
    let told = false
    const hangUp = (): void => {
      hungUp = true
      if (!told) listener()
      told = true
    }
    for (const signal of signals) process.on(signal, listener)
    process.on('SIGHUP', hangUp)
    return () => {
      for (const signal of signals) process.off(signal, listener)
      process.off('SIGHUP', hangUp)
    }
  },
  onUnread(listener) {
    unread.add(listener)
    return () => unread.delete(listener)
  },
  quit: code => process.exit(codeOf(code)),
  startWatchdog: async seconds => (await import('../terminal/watchdog.ts')).startWatchdog(seconds),
})
process.exitCode = codeOf(code)
