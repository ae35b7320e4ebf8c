/** A hostile file must not take this process along: it is read in a thread with limits of time and memory. */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type TextPart, Unreadable } from './reader.ts'
import type { ReaderReply, ReaderTask } from './reader-thread.ts'

export interface ReaderLimits {
  readonly seconds: number
  readonly megabytes: number
}

const usualLimits: ReaderLimits = { seconds: 60, megabytes: 256 }

/** Threads at the same time. */
const mostThreads = 2
let running = 0
const waiting: (() => void)[] = []

const threadFile = (): string =>
  fileURLToPath(import.meta.url).replace(/read-in-thread\.(ts|js)$/, 'reader-thread.$1')

const replyFrom = (task: ReaderTask, { seconds, megabytes }: ReaderLimits): Promise<ReaderReply> =>
  new Promise(resolve => {
    const thread = new Worker(threadFile(), {
      workerData: task,
      execArgv: [],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 },
    })
    const end = (reply: ReaderReply): void => {
      clearTimeout(timer)
      resolve(reply)
      void thread.terminate()
    }
    const timer = setTimeout(
      () => end({ problem: `reading it took more than ${seconds} seconds` }),
      seconds * 1_000,
    )
    thread.once('message', end)
    thread.once('error', (error: NodeJS.ErrnoException) =>
      end({
        problem:
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? `reading it needs more than ${megabytes} MB of memory`
            : 'it is broken: it cannot be read',
      }),
    )
    thread.once('exit', () => end({ problem: 'it is broken: it cannot be read' }))
  })

/** Throws Unreadable with the reason. */
export const readInThread = async (
  task: ReaderTask,
  limits: ReaderLimits = usualLimits,
): Promise<readonly TextPart[]> => {
  if (running >= mostThreads) await new Promise<void>(resolve => waiting.push(resolve))
  running++
  try {
    const reply = await replyFrom(task, limits)
    if ('problem' in reply) throw new Unreadable(reply.problem)
    return reply.parts
  } finally {
    running--
    waiting.shift()?.()
  }
}
