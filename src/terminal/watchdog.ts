import { url } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** What the two threads of a watchdog share. */
export interface Watched {
  /** How often the main thread has shown that it lives, and 1 if a debugger may hold it. */
  readonly state: Int32Array<SharedArrayBuffer>
  readonly seconds: number
}

export const lastWords = (seconds: number): string =>
  `Roundtable did nothing for ${seconds} s and was stopped. What was saved is kept: a server goes on with its sessions at the next start, and others can be resumed.\n`

// watchdog: Stops this process if its main thread hangs: the embedded database may loop forever, and then no signal is heard and no
// request is answered. What is committed is on the disk, and sessions go on at the next start.

const every = 1_000

const threadFile = (): string =>
  fileURLToPath(import.meta.url).replace(/watchdog\.(ts|js)$/, 'watchdog-thread.$1')

let watched = false

/** Neither the thread nor the timer keeps the process from ending. */
export const startWatchdog = (seconds: number): void => {
  // A command may open the archive several times.
  if (watched) return
  watched = true
  const state = new Int32Array(new SharedArrayBuffer(8))
  const beat = (): void => {
    Atomics.add(state, 0, 1)
    Atomics.store(state, 1, url() === undefined ? 0 : 1)
  }
  beat()
  const thread = new Worker(threadFile(), { workerData: { state, seconds } satisfies Watched, execArgv: [] })
  // Without the thread nobody watches, and everything else works.
  thread.on('error', () => {})
  thread.unref()
  setInterval(beat, every).unref()
}
