/** A worker process that runs sessions under the budgets of people. It is killed in the middle. */
import { createRoundtable } from '../../src/library/index.ts'
import { openEngine } from '../../src/run/worker.ts'

const [address, baseURL] = process.argv.slice(2)

await openEngine({
  where: { address: address! },
  concurrency: 4,
  runtime: (store, slots) =>
    createRoundtable({ endpoints: [{ id: 'lab', baseURL: baseURL! }], store, slots }),
})
process.stdout.write('works')
