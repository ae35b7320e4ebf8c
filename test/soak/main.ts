/** `npm run soak -- --minutes 60 --store embedded|postgres --seed 1 --gentle` */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { archiveFolder } from '../../src/cli/archive/sessions.ts'
import { embeddedArchive } from '../../src/store/embedded.ts'
import { serverArchive } from '../../src/store/server.ts'
import { postgresPrograms, startPostgres } from '../postgres-server.ts'
import { detailsOf, rowsOf, tableOf } from './report.ts'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    store: { type: 'string', default: 'embedded' },
    seed: { type: 'string', default: '1' },
    imports: { type: 'string', default: '35' },
    requests: { type: 'string', default: '15' },
    gentle: { type: 'boolean', default: false },
  },
})

const minutes = Number(values.minutes)
const home = mkdtempSync(join(tmpdir(), 'roundtable-soak-'))
const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())

const sizes = {
  ...{ home, minutes, seed: values.seed, hostile: !values.gentle, signal: interrupt.signal },
  importsPerSecond: Number(values.imports),
  requestsPerSecond: Number(values.requests),
  log: (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
}

const onEmbedded = () => {
  const folder = join(home, 'data')
  const openArchive = () => embeddedArchive(archiveFolder(folder), { patience: 5_000 })
  return soak({ where: { folder }, openArchive, ...sizes })
}

const onPostgres = async () => {
  const programs = await postgresPrograms()
  if (!programs) throw new Error('There is no Postgres here that this user may run.')
  const server = await startPostgres(programs)
  const address = await server.newDatabase()
  return soak({ where: { address }, openArchive: () => serverArchive(address), ...sizes }).finally(() =>
    server.stop(),
  )
}

/** A soak that doesn't stop by itself is a failure of its own. */
setTimeout(
  () => {
    console.error('The soak did not end in time.')
    process.exit(1)
  },
  (minutes + 10) * 60_000,
).unref()

const soaked = await (values.store === 'postgres' ? onPostgres() : onEmbedded()).finally(() =>
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
)
const rows = rowsOf(soaked)
const failed = rows.some(({ good }) => good === false)
console.log(`\n${values.store}, ${minutes} minutes, seed ${values.seed}, load ${loadavg()[0]!.toFixed(1)}`)
console.log(tableOf(rows))
for (const line of detailsOf(soaked)) console.error(`- ${line}`)
if (failed) {
  const { gentle, ...rest } = values
  const flags = Object.entries(rest).map(([name, value]) => `--${name} ${value}`)
  console.error(`\nTo repeat it: npm run soak -- ${flags.join(' ')}${gentle ? ' --gentle' : ''}`)
  console.error('The seed repeats every choice, but not the moments: the machine decides those.')
}
process.exit(failed ? 1 : 0)
