/**
 * What accounts add to a request: the list and one session, with accounts on and off, side by side: `npm run perf:accounts`, or
 * `npm run perf:accounts -- postgres` with a database of each.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { postgresPrograms, startPostgres } from '../test/postgres-server.ts'

interface Started {
  readonly address: string
  readonly key: string
  readonly last: string
}

const sessions = 200
const rounds = 12
const requests = 150
const limit = 1.2

const messageOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a benchmark process ended with ${code}`))
    child.once('exit', ended)
    child.once('message', message => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })

const programs = process.argv[2] === 'postgres' ? await postgresPrograms() : undefined
const database = programs && (await startPostgres(programs))

const start = async (accounts: 'on' | 'off') => {
  const child = fork(new URL('accounts-server.ts', import.meta.url).pathname, [
    ...[accounts, String(sessions)],
    ...(database ? [await database.newDatabase()] : []),
  ])
  return { child, ...(await messageOf<Started>(child)) }
}

const processor = async (child: ChildProcess): Promise<number> => {
  const reply = messageOf<{ processor: number }>(child)
  child.send('sample')
  return (await reply).processor
}

/** Seconds of processor time that the server takes for the requests of one round. */
const round = async ({ child, address, key }: Awaited<ReturnType<typeof start>>, path: string) => {
  const before = await processor(child)
  for (let count = 0; count < requests; count++) {
    const reply = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } })
    if (!reply.ok) throw new Error(await reply.text())
    await reply.arrayBuffer()
  }
  return (await processor(child)) - before
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

const [off, on] = [await start('off'), await start('on')]
console.log(
  `${database ? 'Postgres' : 'Embedded'}, ${sessions} sessions, ${rounds} rounds of ${requests} requests; processor time per request`,
)
for (const [what, pathOf] of [
  ['the list', () => '/api/sessions'],
  ['one session', ({ last }: Started) => `/api/sessions/${last}`],
] as const) {
  for (const warm of [off, on]) await round(warm, pathOf(warm))
  const ratios: number[] = []
  const [without, withThem]: [number[], number[]] = [[], []]
  for (let count = 0; count < rounds; count++) {
    // In turn, so that a busy moment of the machine meets both.
    const order = count % 2 === 0 ? [off, on] : [on, off]
    const spent = new Map<object, number>()
    for (const server of order) spent.set(server, await round(server, pathOf(server)))
    without.push(spent.get(off)!)
    withThem.push(spent.get(on)!)
    ratios.push(spent.get(on)! / spent.get(off)!)
  }
  const [plain, more, ratio] = [middle(without), middle(withThem), middle(ratios)]
  const each = (seconds: number): string => `${((seconds / requests) * 1_000).toFixed(2)} ms`
  const mark = ratio <= limit ? 'ok' : 'TOO SLOW'
  console.log(
    `${what.padEnd(12)} off ${each(plain)}, on ${each(more)}, ratio ${ratio.toFixed(2)} (at most ${limit})  ${mark}`,
  )
}
off.child.disconnect()
on.child.disconnect()
await database?.stop()
