/** The answers of `/healthz` as another process gets them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { PulseMessage } from './pulse-process.ts'
import type { Late } from './spans.ts'

export interface Pulse {
  /** When answers came, in milliseconds since the epoch. */
  readonly answers: readonly number[]
  readonly late: readonly Late[]
  stop(): void
}

const start = (file: string, ...words: string[]) =>
  fork(new URL(file, import.meta.url), words, { execArgv: [] })

export const startPulse = (address: string): Pulse => {
  const answers: number[] = []
  const late: Late[] = []
  const child = start('./pulse-process.ts', address)
  child.on('message', (message: PulseMessage) => {
    if (message.type === 'answer') answers.push(message.at)
    else late.push(message)
  })
  return { answers, late, stop: () => void child.kill() }
}

/** The same of a server that does nothing else, for comparison. */
export const startBarePulse = async (): Promise<Pulse> => {
  const child = start('./bare-server.ts')
  const [address] = (await once(child, 'message')) as [string]
  const pulse = startPulse(address)
  return {
    ...pulse,
    stop() {
      pulse.stop()
      child.kill()
    },
  }
}
