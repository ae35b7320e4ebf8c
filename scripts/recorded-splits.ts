/**
 * Writes how often tables were right, by how their sealed vote was divided, from files of recorded debates:
 * node scripts/recorded-splits.ts <files…>
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { debatesFrom, replayDebates } from '../src/bench/debates.ts'
import { recordedTable } from '../src/bench/replay.ts'

/** A source with fewer such tables says little about how far sources differ. */
const fewest = 20

const rounded = (share: number): number => Number(share.toFixed(3))

const sets = process.argv
  .slice(2)
  .map(path => debatesFrom(basename(path, '.csv'), recordedTable(readFileSync(path, 'utf8'))))
const { pooled, sources } = replayDebates(sets, { seed: '1' })
const votes = sources.filter(({ kind }) => kind === 'votes')

const rows = pooled.splits.map(({ level, sessions, last }) => {
  const bySource = votes
    .flatMap(({ splits }) => splits.filter(split => split.level === level && split.sessions >= fewest))
    .map(split => split.last.mean)
  return [
    level,
    {
      sessions,
      right: rounded(last.mean),
      low: rounded(last.low),
      high: rounded(last.high),
      sources: bySource.length,
      lowestSource: rounded(Math.min(...bySource)),
      highestSource: rounded(Math.max(...bySource)),
    },
  ] as const
})

const source = `${pooled.sessions} recorded debates of real models: ${pooled.sets} sets from ${votes.length} sources (${votes.map(({ name }) => name).join(', ')})`
const figures = `export const recordedSource =
  '${source}'

export const recordedSplits: Readonly<Record<SealedSplit, RecordedSplit>> = ${JSON.stringify(Object.fromEntries(rows))}
`
const chapter = new URL('../src/count/splits.ts', import.meta.url)
const before = readFileSync(chapter, 'utf8')
const after = before.replace(/^export const recordedSource =[\s\S]*?^}\n/m, () => figures)
if (after === before)
  throw new Error('The figures in src/count/splits.ts are the same, or stand there no longer.')
writeFileSync(chapter, after)
