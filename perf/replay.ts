/** How long `bench replay` takes for as many debates as we have recorded: generated ones, or the files that are named. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type DebateSet, debatesFrom, replayDebates } from '../src/bench/debates.ts'
import { recordedTable } from '../src/bench/replay.ts'
import { randomFor } from '../src/core/basics.ts'

const sets = 34
const debatesInSet = 300

/** Seats that are right in two of three, and follow another seat in one of four rounds. */
const generated = (name: string, seats: number, rounds: number): string => {
  const random = randomFor(name)
  const columns = Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: seats }, (_, seat) => `seat${seat}@${round}`),
  ).flat()
  const rows = Array.from({ length: debatesInSet }, (_, id) => {
    const all = [
      Array.from({ length: seats }, () => (random() < 2 / 3 ? 'A' : 'BCD'[Math.floor(random() * 3)]!)),
    ]
    for (let round = 1; round < rounds; round++) {
      const before = all.at(-1)!
      all.push(before.map(own => (random() < 1 / 4 ? before[Math.floor(random() * seats)]! : own)))
    }
    return `${id},A,${all.flat()}`
  })
  return [`id,gold,${columns}`, ...rows].join('\n')
}

export interface ReplayTime {
  readonly seconds: number
  readonly debates: number
}

export const replaying = (paths: readonly string[] = []): ReplayTime => {
  const files =
    paths.length > 0
      ? paths.map(path => [basename(path, '.csv'), readFileSync(path, 'utf8')] as const)
      : Array.from({ length: sets }, (_, index) => {
          const name = `source${index % 11}_${index}`
          return [name, generated(name, 3 + (index % 5), 2 + (index % 4))] as const
        })
  const begun = performance.now()
  const read: DebateSet[] = files.map(([name, text]) => debatesFrom(name, recordedTable(text)))
  replayDebates(read, { seed: '1' })
  return {
    seconds: (performance.now() - begun) / 1000,
    debates: read.reduce((sum, { debates }) => sum + debates.length, 0),
  }
}

if (import.meta.main) {
  const { seconds, debates } = replaying(process.argv.slice(2))
  console.log(`${debates} debates in ${seconds.toFixed(1)} s`)
}
