/** One side of the comparison of table sizes: the same number of seats at one table, or at many small ones. */
import type { SessionDocument } from '../src/exports/json.ts'
import { createRoundtable } from '../src/library/index.ts'
import type { TableJob, TableMeasured } from './large-table.ts'

const job = JSON.parse(process.argv[2] ?? '{}') as TableJob
const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL: job.baseURL }] })

const session = (): Promise<SessionDocument> =>
  roundtable.ask({
    question: 'Does a call at a large table take more than one at a small table?',
    seats: Array.from({ length: job.seats }, (_, index) => `lab/m${index}`),
    moderator: 'lab/moderator',
    protocol: 'hybrid',
    rounds: 2,
    format: 'choice',
    options: ['Yes', 'No'],
    seed: 1,
  }).result

const together = (): Promise<SessionDocument[]> => Promise.all(Array.from({ length: job.sessions }, session))

const callsIn = ({ events }: SessionDocument): number =>
  events.filter(event => 'usage' in event && event.usage !== undefined).length

/** A process doesn't give memory back, so only its first run is meaningful. */
const before = process.memoryUsage.rss()
const first = await together()
const peak = process.resourceUsage().maxRSS * 1024
const callsOfFirst = first.reduce((sum, document) => sum + callsIn(document), 0)

const cpu = process.cpuUsage()
let documents: SessionDocument[] = []
for (let round = 0; round < job.repeat; round++) documents = await together()
const used = process.cpuUsage(cpu)
const calls = documents.reduce((sum, document) => sum + callsIn(document), 0)
const measured: TableMeasured = {
  calls,
  inputTokens: documents.reduce((sum, { usage }) => sum + usage.inputTokens, 0),
  rounds: Math.max(...documents.map(({ rounds }) => rounds.length)),
  processor: (used.user + used.system) / 1e3 / job.repeat / calls,
  memory: (peak - before) / callsOfFirst,
}
process.send?.(measured)
process.disconnect?.()
process.exit(0)
