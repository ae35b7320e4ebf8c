/** Commands that are started again whenever they end, with a record of when they were away and why. */
import { type Command, startCommand } from '../command.ts'
import { now } from '../lab/call.ts'
import type { Span } from './spans.ts'

export interface RunningOptions {
  readonly home: string
  readonly env: Record<string, string>
  /** `address` is empty at the first start. */
  readonly words: (address: string) => readonly string[]
  /** What it writes when it is ready; the first group is its address. */
  readonly ready: RegExp
}

export interface Running {
  readonly address: string
  pid(): number | undefined
  /** Kill -9, and start it again. */
  kill(): Promise<void>
  /** Like Ctrl-C. A command that doesn't end is a problem. */
  stop(): Promise<void>
  /** Kills it, if it still runs. */
  abandon(): void
  readonly away: readonly Span[]
  /** Ends that nobody caused, with the last output. */
  readonly crashes: readonly string[]
}

interface Life {
  readonly command: Command
  /** Whether it was told to end. */
  ending: boolean
}

const patience = 30_000
const tail = 2_000
/** A command that can't start is not tried forever. */
const mostStarts = 500

export const keepRunning = async ({ home, env, words, ready }: RunningOptions): Promise<Running> => {
  const away: Span[] = []
  const crashes: string[] = []
  let address = ''
  let life: Life
  let starts = 0
  let isOver = false

  const start = async (): Promise<void> => {
    if (++starts > mostStarts) throw new Error(`It was started ${mostStarts} times.`)
    const command = startCommand(words(address), home, env)
    const one: Life = { command, ending: false }
    life = one
    void command.done.then(({ code, out, err }) => {
      if (one.ending && (code === 0 || code === null)) return
      const signal = command.child.signalCode
      crashes.push(`ended with ${signal ?? code}, last words: ${(out + err).slice(-tail)}`)
      if (!one.ending && !isOver) void back().catch(error => crashes.push(String(error)))
    })
    const found = await command.wrote(ready)
    address ||= found
  }
  const back = async (): Promise<void> => {
    const span = { from: now(), to: Infinity }
    away.push(span)
    await start().finally(() => {
      span.to = now()
    })
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const { child, done } = life.command
    life.ending = true
    child.kill(signal)
    const timer = setTimeout(() => {
      crashes.push(`did not end on ${signal}`)
      child.kill('SIGKILL')
    }, patience)
    await done
    clearTimeout(timer)
  }

  const abandon = (): void => {
    isOver = true
    life.command.child.kill('SIGKILL')
  }

  await start()
  process.once('exit', abandon)
  return {
    address,
    away,
    crashes,
    pid: () => life.command.child.pid,
    async kill() {
      const span = { from: now(), to: Infinity }
      away.push(span)
      await end('SIGKILL')
      span.to = now()
      await back()
    },
    async stop() {
      isOver = true
      await end('SIGTERM')
    },
    abandon,
  }
}
