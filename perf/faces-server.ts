/** The process whose time is measured: a table asked by the library, or a server with its faces, in memory. */
import { createLog } from '../src/http/log.ts'
import { createRoundtable } from '../src/library/index.ts'
import { startServer } from '../src/main/app.ts'
import { createRuntime } from '../src/run/runtime.ts'
import { memoryStore } from '../src/store/memory.ts'
import { emptyConfig, testReach } from '../test/reach.ts'
import { testEngine } from '../test/server/engine.ts'
import { facesInput } from './faces-input.ts'

const baseURL = process.argv[2]!
const endpoint = { id: 'lab', baseURL }

const config = emptyConfig(process.cwd())
const reach = testReach({ ...config, endpoints: [{ ...endpoint, keyEnv: '', from: 'perf' }] })
const archive = memoryStore()
const runtime = createRuntime({ providers: reach.providers, protocols: reach.protocols, store: archive })
const log = createLog(false, { write: () => {} })
const limits = { writesPerMinute: 1_000_000 }
const server = await startServer({ engine: testEngine(archive, runtime), reach, log, limits })

const table = createRoundtable({ endpoints: [endpoint], env: {}, store: memoryStore() })

/** Milliseconds until the first answer. */
const askLibrary = async (): Promise<number> => {
  const begun = performance.now()
  let first = Number.NaN
  for await (const event of table.ask(facesInput).events)
    if (event.type === 'answer-given' && Number.isNaN(first)) first = performance.now() - begun
  return first
}

process.on('message', async (order: { readonly library?: number }) => {
  const firsts = await Promise.all(Array.from({ length: order.library ?? 0 }, askLibrary))
  const { user, system } = process.cpuUsage()
  process.send!({ address: server.address, processor: (user + system) / 1e6, first: Math.min(...firsts) })
})
process.on('disconnect', () => process.exit())
process.send!('ready')
