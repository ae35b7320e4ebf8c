/** The thread of the watchdog. It counts its own seconds, so that a computer that was suspended isn't a program that hangs. */

import { write } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { lastWords, type Watched } from './watchdog.ts'

const { state, seconds } = workerData as Watched
const second = 1_000

/** A core file would hold keys and sessions, so there is none: SIGKILL, and not SIGABRT. */
const stop = (): void => void process.kill(process.pid, 'SIGKILL')

let last = -1
let missed = 0
const timer = setInterval(() => {
  const [beats, debugged] = [Atomics.load(state, 0), Atomics.load(state, 1)]
  missed = beats === last && debugged === 0 ? missed + 1 : 0
  last = beats
  if (missed < seconds) return
  clearInterval(timer)
  // If nobody reads the standard error, writing to it may take forever.
  setTimeout(stop, second)
  write(2, lastWords(seconds), stop)
}, second)
