/** `npm run crash -- --store embedded|postgres --sessions 100 --kills 100 --seed 1` */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { archiveFolder } from '../../src/cli/archive/sessions.ts'
import { embeddedArchive } from '../../src/store/embedded.ts'
import { serverArchive } from '../../src/store/server.ts'
import { postgresPrograms, startPostgres } from '../postgres-server.ts'
import { crash } from './crash.ts'

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
    sessions: { type: 'string', default: '100' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})

const sizes = { sessions: Number(values.sessions), kills: Number(values.kills), seed: values.seed }
const log = (line: string): void => console.log(line)

const home = mkdtempSync(join(tmpdir(), 'roundtable-crash-'))

const onEmbedded = () => {
  const folder = join(home, 'data')
  const openArchive = () => embeddedArchive(archiveFolder(folder), { patience: 5_000 })
  return crash({ where: { folder }, openArchive, home, workers: 0, ...sizes, log })
}

const onPostgres = async () => {
  const programs = await postgresPrograms()
  if (!programs) throw new Error('There is no Postgres here that this user may run.')
  const server = await startPostgres(programs)
  const address = await server.newDatabase()
  const openArchive = () => serverArchive(address)
  const crashing = crash({ where: { address }, openArchive, home, workers: 2, ...sizes, log })
  return crashing.finally(() => server.stop())
}

const crashed = (values.store === 'postgres' ? onPostgres() : onEmbedded()).finally(() =>
  rmSync(home, { recursive: true, force: true }),
)
const { problems, takeOvers, ...figures } = await crashed
const sorted = takeOvers.toSorted((one, other) => one - other)
const seconds = (milliseconds: number | undefined): string =>
  ((milliseconds ?? Number.NaN) / 1_000).toFixed(1)
console.log(
  `${values.store}: ${figures.kills} kills, ${figures.calls} calls, ${figures.repeated} of them repeated in flight`,
)
console.log(
  `${figures.verdicts} of ${values.sessions} sessions with a verdict, ${figures.events} events stored, ${figures.seen} seen by watchers`,
)
console.log(
  `${sorted.length} take-overs: median ${seconds(sorted[Math.floor(sorted.length / 2)])} s, worst ${seconds(sorted.at(-1))} s`,
)
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 || (sorted.at(-1) ?? 0) > 15_000 ? 1 : 0)
