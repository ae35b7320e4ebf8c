/**
 * What the sealed vote says about a table, and when open rounds pay: decision 35.
 * node perf/first-round.ts <files of recorded debates>
 */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { debatesFrom, scoredSet } from '../src/bench/debates.ts'
import { recordedTable } from '../src/bench/replay.ts'
import { gateLines } from './first-round/gate.ts'
import { ownRecordLines } from './first-round/own-record.ts'
import { signalLines } from './first-round/signal.ts'
import { tablesIn } from './first-round/tables.ts'

const sets = process.argv
  .slice(2)
  .map(path => debatesFrom(basename(path, '.csv'), recordedTable(readFileSync(path, 'utf8'))))
  .map(set => ({ set, scored: scoredSet(set, '1') }))
  .filter(({ scored }) => scored.kind === 'votes')
const tables = sets.flatMap(tablesIn)

for (const lines of [signalLines(tables), ownRecordLines(tables), gateLines(tables)])
  console.log([...lines, ''].join('\n'))
