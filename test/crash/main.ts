/** `npm run crash -- --store embedded|postgres|both --sessions 100 --kills 100 --seed 1`. `both` shares the kills. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Crashed, crash } from './crash.ts'
import { onStore, type StoreName, storesFor } from './stores.ts'

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
    sessions: { type: 'string', default: '100' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})

/** Milliseconds. */
const longestTakeOver = 15_000

const runOn = async (store: StoreName, sessions: number, kills: number): Promise<Crashed> => {
  const home = mkdtempSync(join(tmpdir(), 'roundtable-crash-'))
  const workers = store === 'postgres' ? 2 : 0
  const log = (line: string): void => console.log(`${store}: ${line}`)
  try {
    return await onStore(store, home, kept =>
      crash({ ...kept, home, workers, sessions, kills, seed: values.seed, slow: true, log }),
    )
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const seconds = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? 'unknown' : `${(milliseconds / 1_000).toFixed(1)} s`

/** Prints what happened; returns whether all is well. */
const tell = (name: string, sessions: number, all: readonly Crashed[]): boolean => {
  const sum = (figure: (one: Crashed) => number): number => all.reduce((total, one) => total + figure(one), 0)
  const takeOvers = all.flatMap(one => one.takeOvers).sort((one, other) => one - other)
  const worst = takeOvers.at(-1)
  console.log(
    `${name}: ${sum(one => one.kills)} kills, ${sum(one => one.lost)} lost events, ${sum(one => one.paidTwice)} answers paid twice, ${takeOvers.length} take-overs: median ${seconds(takeOvers[Math.floor(takeOvers.length / 2)])}, worst ${seconds(worst)}`,
  )
  console.log(
    `  ${sum(one => one.verdicts)} of ${sessions} sessions with a verdict, ${sum(one => one.events)} events stored, ${sum(one => one.seen)} seen by watchers, ${sum(one => one.calls)} calls, ${sum(one => one.repeated)} of them repeated in flight`,
  )
  for (const problem of all.flatMap(one => one.problems)) console.error(problem)
  return sum(one => one.problems.length) === 0 && (worst ?? 0) <= longestTakeOver
}

const stores = storesFor(values.store)
const share = (whole: string, place: number): number => Math.floor((Number(whole) + place) / stores.length)
const results: Crashed[] = []
let good = true
for (const [place, store] of stores.entries()) {
  const sessions = share(values.sessions, place)
  const crashed = await runOn(store, sessions, share(values.kills, place))
  good = tell(store, sessions, [crashed]) && good
  results.push({ ...crashed, problems: [] })
}
if (stores.length > 1) tell('both', Number(values.sessions), results)
process.exit(good ? 0 : 1)
