#!/usr/bin/env node
/** The `roundtable` command. */
import { enableCompileCache } from 'node:module'

/** From its second start on, a command reads what Node compiled at the first; only what is imported after this. */
enableCompileCache()
const { run } = await import('./program.ts')

/** Whoever reads our output may stop reading (`… | head`); a session under way is still brought to its end. */
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
})
