/** What the benchmarks share: sizes, clocks, and the processes that they measure. */
import { type ChildProcess, fork } from 'node:child_process'

export interface Pace {
  /** Milliseconds. */
  readonly firstToken: number
  readonly perSecond: number
}

export const replyTokens = 200
export const pace: Pace = { firstToken: 200, perSecond: 100 }
/** The least seconds that one paced call takes. */
export const callSeconds = pace.firstToken / 1000 + (replyTokens - 1) / pace.perSecond

/** Comparable between processes on the same machine. */
export const now = (): number => performance.timeOrigin + performance.now()

const file = (name: string): string => new URL(name, import.meta.url).pathname

/** A process that exits without a message has failed; waiting for its message would never end. */
const firstMessage = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`a benchmark process ended with ${code}`)))
  })

export const startServer = async () => {
  const child = fork(file('paced-server.ts'))
  const { port } = (await firstMessage(child)) as { port: number }
  const origin = `http://127.0.0.1:${port}`
  return {
    paced: `${origin}/pace-${pace.firstToken}-${pace.perSecond}/v1`,
    unpaced: `${origin}/v1`,
    stop: () => child.disconnect(),
  }
}

export interface Measured {
  /** Seconds. */
  readonly wall: number
  readonly processor: number
  readonly sessions: number
}

export interface Job {
  readonly client: 'roundtable' | 'bare'
  readonly baseURL: string
  readonly seats: number
  readonly sessions: number
  readonly repeat?: number
}

/** Runs a job in its own warmed-up process, so that no job measures another's startup or garbage. */
export const measure = async (job: Job): Promise<Measured> => {
  const child = fork(file('client.ts'), [JSON.stringify(job)])
  return (await firstMessage(child)) as Measured
}
