/** Runs a live bench in its folder with a progress bar. After Ctrl-C it can be resumed. */
import { resolve } from 'node:path'
import type { Budget } from '../../core/log/event.ts'
import { callQueues } from '../../runtime/limits.ts'
import { fileStore } from '../../store/files.ts'
import type { Reach } from '../../table/reach.ts'
import { meterOver } from '../../trials/folder.ts'
import { type LiveBench, type LiveResult, runLive } from '../../trials/live.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Shell } from '../terminal/shell.ts'
import { stepBar } from '../terminal/step-bar.ts'

export const liveIn = async (
  folder: string,
  bench: LiveBench,
  reach: Reach,
  budget: Budget | undefined,
  shell: Shell,
): Promise<LiveResult> => {
  const store = fileStore(resolve(shell.cwd, folder))
  const meter = await meterOver(store, budget, reach)
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
    return await runLive(carrier, bench, bar.step)
  } finally {
    stop()
    bar.end()
  }
}
