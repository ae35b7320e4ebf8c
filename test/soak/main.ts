/** `npm run soak -- --minutes 60 --store embedded|postgres|both --seed 1 --gentle` */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { onStore, type StoreName, storesFor } from '../crash/stores.ts'
import { detailsOf, rowsOf, tableOf } from './report.ts'
import { type Soaked, soak } from './soak.ts'

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
const stores = storesFor(values.store)
const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())

const sizes = {
  ...{ minutes, seed: values.seed, hostile: !values.gentle, signal: interrupt.signal },
  importsPerSecond: Number(values.imports),
  requestsPerSecond: Number(values.requests),
  log: (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
}

/** A soak that doesn't stop by itself is a failure of its own. */
setTimeout(
  () => {
    console.error('The soak did not end in time.')
    process.exit(1)
  },
  stores.length * (minutes + 10) * 60_000,
).unref()

const runOn = async (store: StoreName): Promise<Soaked> => {
  const home = mkdtempSync(join(tmpdir(), 'roundtable-soak-'))
  try {
    return await onStore(store, home, kept => soak({ ...kept, home, ...sizes }))
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** Prints the table; returns whether all is well. */
const tell = (store: StoreName, soaked: Soaked): boolean => {
  const rows = rowsOf(soaked)
  console.log(`\n${store}, ${minutes} minutes, seed ${values.seed}, load ${loadavg()[0]!.toFixed(1)}`)
  console.log(tableOf(rows))
  for (const line of detailsOf(soaked)) console.error(`- ${line}`)
  if (rows.every(({ good }) => good !== false)) return true
  const { gentle, ...rest } = { ...values, store }
  const flags = Object.entries(rest).map(([name, value]) => `--${name} ${value}`)
  console.error(`\nTo repeat it: npm run soak -- ${flags.join(' ')}${gentle ? ' --gentle' : ''}`)
  console.error('The seed repeats every choice, but not the moments: the machine decides those.')
  return false
}

let good = true
for (const store of stores) if (!interrupt.signal.aborted) good = tell(store, await runOn(store)) && good
process.exit(good ? 0 : 1)
