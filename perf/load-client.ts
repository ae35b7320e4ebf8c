/** Many sessions at once in one process: by the library alone, or run and stored by an engine. */
import { createRoundtable } from '../src/library/index.ts'
import { openEngine } from '../src/run/worker.ts'
import type { AskInput } from '../src/table/ask.ts'
import type { LoadJob, LoadMeasured } from './load-sessions.ts'

const job = JSON.parse(process.argv[2] ?? '{}') as LoadJob

const input: AskInput = {
  question: 'Does it cost much to keep two hundred sessions?',
  seats: Array.from({ length: job.seats }, (_, index) => `lab/m${index}`),
  moderator: 'lab/moderator',
  protocol: 'roundtable',
  rounds: 1,
  format: 'choice',
  options: ['Yes', 'No'],
  seed: 1,
}
const endpoints = [{ id: 'lab', baseURL: job.baseURL }]
const library = createRoundtable({ endpoints })
const engine =
  job.where &&
  (await openEngine({ where: job.where, runtime: store => createRoundtable({ endpoints, store }) }))

const byLibrary = async (): Promise<void> => {
  const { outcome } = await library.ask(input).result
  if (outcome !== 'verdict') throw new Error(`a session ended with ${outcome}`)
}

const byEngine = async (): Promise<void> => {
  const { bus, queue } = engine!
  const first = await library.open(input)
  const over = Promise.withResolvers<string>()
  const listener: Parameters<typeof bus.subscribe>[1] = event => {
    if (event.type === 'session-finished') over.resolve(event.outcome)
  }
  const leave = bus.subscribe(first.id, listener, 'committed')
  await queue.open(first)
  const outcome = await over.promise
  leave()
  if (outcome !== 'verdict') throw new Error(`a session ended with ${outcome}`)
}

const together = (): Promise<unknown> =>
  Promise.all(Array.from({ length: job.sessions }, engine ? byEngine : byLibrary))

// A first run to warm up, because a server is warm too.
await together()
const begun = performance.now()
const before = process.cpuUsage()
for (let round = 0; round < job.repeat; round++) await together()
const used = process.cpuUsage(before)
const measured: LoadMeasured = {
  wall: (performance.now() - begun) / 1_000 / job.repeat,
  processor: (used.user + used.system) / 1e6 / job.repeat,
  megabytes: process.memoryUsage().rss / 2 ** 20,
}
await engine?.close()
process.send?.(measured)
process.disconnect?.()
process.exit(0)
