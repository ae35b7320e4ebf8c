/** Runs a live bench in its folder with a progress bar. After Ctrl-C it can be resumed. */

import { resolve } from 'node:path'
import type { Budget, Carry } from '../core/opening.ts'
import { callQueues } from '../run/budget.ts'
import { fileStore } from '../store/store.ts'
import type { Reach } from '../table/reach.ts'
import { exitCodes } from '../terminal/program-name.ts'
import { type Shell, stepBar } from '../terminal/terminal.ts'
import {
  type Carrier,
  type CarryResult,
  type LiveBench,
  type LiveResult,
  meterOver,
  type Progress,
  runCarryOver,
  runLive,
} from './trials.ts'

/** Runs many sessions in a folder, under one budget. */
const inFolder = async <T>(
  folder: string,
  reach: Reach,
  budget: Budget | undefined,
  shell: Shell,
  work: (carrier: Carrier, onProgress: Progress) => Promise<T>,
): Promise<T> => {
  const store = fileStore(resolve(shell.cwd, folder))
  const meter = await meterOver(store, budget)
  const ending = new AbortController()
  const bar = stepBar(shell.stderr, 'Sessions')
  const stop = shell.onInterrupt(() => {
    bar.end()
    if (ending.signal.aborted) return shell.quit(exitCodes.interrupted)
    shell.stderr.write('Stopping; all answers so far are kept. Press Ctrl-C again to quit at once.\n')
    ending.abort()
  })
  const openQueue = callQueues()
  const carrier = { reach, openQueue, meter, store, clock: shell.clock, signal: ending.signal, resumes: true }
  try {
    return await work(carrier, bar.step)
  } finally {
    stop()
    bar.end()
  }
}

export const liveIn = (
  folder: string,
  bench: LiveBench,
  reach: Reach,
  budget: Budget | undefined,
  shell: Shell,
): Promise<LiveResult> =>
  inFolder(folder, reach, budget, shell, (carrier, onProgress) => runLive(carrier, bench, onProgress))

export const carryIn = (
  folder: string,
  bench: LiveBench,
  carry: Carry,
  reach: Reach,
  budget: Budget | undefined,
  shell: Shell,
): Promise<CarryResult> =>
  inFolder(folder, reach, budget, shell, (carrier, onProgress) =>
    runCarryOver(carrier, bench, carry, onProgress),
  )
