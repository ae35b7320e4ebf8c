/** Many watchers of running sessions, compared with a minimal fan-out: processor time, memory, missed events. */
import { type ChildProcess, fork } from 'node:child_process'

const sessions = Array.from({ length: 5 }, (_, index) => `session-${index}`)
const watchers = 500
const perSecond = 50
const seconds = 8
/** In alternation, so that a busy moment of the machine affects both. */
const rounds = 3

export interface Watched {
  /** Seconds of processor time. */
  readonly processor: number
  readonly megabytes: number
  /** Events that were missed, repeated or out of order. */
  readonly wrong: number
}

const start = (name: string, job: object): ChildProcess =>
  fork(new URL(name, import.meta.url).pathname, [JSON.stringify(job)])

const message = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    child.once('message', value => resolve(value as T))
    child.once('exit', code => reject(new Error(`a benchmark process ended with ${code}`)))
  })

const measure = async (side: 'ours' | 'bare'): Promise<Watched> => {
  const server = start('watchers-server.ts', { side, sessions, perSecond, seconds })
  const { port } = await message<{ port: number }>(server)
  const clients = start('watchers-clients.ts', { port, sessions, watchers, last: perSecond * seconds })
  await message(clients)
  const [complete, measured] = [message<{ wrong: number }>(clients), message<Omit<Watched, 'wrong'>>(server)]
  server.send('go')
  const result = { ...(await measured), ...(await complete) }
  clients.disconnect()
  server.disconnect()
  return result
}

const sum = (all: readonly Watched[]): Watched => ({
  processor: all.reduce((total, one) => total + one.processor, 0),
  megabytes: Math.max(...all.map(one => one.megabytes)),
  wrong: all.reduce((total, one) => total + one.wrong, 0),
})

export const watching = async (): Promise<{ ours: Watched; bare: Watched }> => {
  const ours: Watched[] = []
  const bare: Watched[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(await measure('bare'))
    ours.push(await measure('ours'))
  }
  return { ours: sum(ours), bare: sum(bare) }
}

if (import.meta.main) console.log(await watching())
