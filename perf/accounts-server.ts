/** The process whose time is measured: a server on an embedded archive or a database, with accounts or without. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsIn } from '../src/accounts/accounts.ts'
import { createLog } from '../src/http/log.ts'
import { createRoundtable } from '../src/library/index.ts'
import { startServer } from '../src/main/app.ts'
import { createRuntime } from '../src/run/runtime.ts'
import { openEngine } from '../src/run/worker.ts'
import { emptyConfig, testReach } from '../test/reach.ts'

const accounts = process.argv[2] === 'on'
const sessions = Number(process.argv[3])
const address = process.argv[4]
const folder = mkdtempSync(join(tmpdir(), 'roundtable-perf-accounts-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const reach = testReach(emptyConfig(folder))
const engine = await openEngine({
  where: address === undefined ? { folder: join(folder, 'archive') } : { address },
  runtime: (store, slots) => createRuntime({ providers: reach.providers, store, slots }),
  work: false,
})
const log = createLog(false, { write: () => {} })
const server = await startServer({ engine, reach, log, ...(accounts && { accounts: {} }) })

const people = accountsIn(engine.archive)
const ada = await people.people.add({ name: 'Ada', role: 'member' })
const key = await people.keys.make(ada.id, 'perf', 'all', 1)

/** Half of them are hers, half the team's: she sees them all. */
const table = createRoundtable({ env: {}, endpoints: [{ id: 'lab', baseURL: 'http://127.0.0.1:9/v1' }] })
let last = ''
for (let count = 0; count < sessions; count++) {
  const first = await table.open({
    question: `Should a small team start early? (${count})`,
    seats: ['lab/a', 'lab/b', 'lab/c'],
    moderator: null,
  })
  last = first.id
  const own = accounts && count % 2 === 0
  await engine.archive.append(first.id, [first], own ? { owner: ada.id, visibility: 'private' } : undefined)
}

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!({ processor: (user + system) / 1e6 })
})
process.on('disconnect', () => process.exit())
process.send!({ address: server.address, key, last })
