/** Runs the models in a separate process. The first call starts it, and it ends when it is idle for a while. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { PartQueue } from '../http/part-queue.ts'
import type { ModelPart } from '../provider.ts'
import type { FromWorker, Task, ToWorker } from './messages.ts'

export interface LocalEngine {
  write(task: Omit<Task, 'id'>, signal: AbortSignal): AsyncIterable<ModelPart>
  /** Ends the process. The next call starts another one. */
  stop(): void
  /** The process that holds the models, if it is running. */
  readonly pid: number | undefined
}

export interface LocalEngineOptions {
  /** Milliseconds without a call after which the memory is freed. */
  readonly idle?: number
}

const usualIdle = 120_000
const longestLastWords = 300

const cancelled: ModelPart & { type: 'error' } = {
  type: 'error',
  error: { kind: 'cancelled', message: 'the call was cancelled' },
}

const workerFile = (): string => {
  const file = fileURLToPath(import.meta.url)
  return file.replace(/engine\.(ts|js)$/, 'worker.$1')
}

interface Worker {
  readonly process: ChildProcess
  readonly calls: Map<number, PartQueue>
}

/** What the process wrote last to its standard error: the only explanation if the engine crashes. */
const lastWordsOf = (child: ChildProcess): (() => string) => {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-longestLastWords)
  })
  return () => words.replace(/\s+/g, ' ').trim()
}

const deliver = (calls: Worker['calls'], message: FromWorker): void => {
  const parts = calls.get(message.id)
  if (!parts) return
  switch (message.type) {
    case 'text':
      parts.addText('text', message.text)
      break
    case 'done':
      parts.add({ type: 'usage', usage: message.usage })
      parts.add({ type: 'finish', reason: message.reason })
      break
    case 'failed':
      parts.add({ type: 'error', error: { kind: message.kind, message: message.message } })
      break
    default:
      message satisfies never
  }
}

const startWorker = (ended: () => void): Worker => {
  const child = fork(workerFile(), { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const calls: Worker['calls'] = new Map()
  const lastWords = lastWordsOf(child)
  child.on('message', (message: FromWorker) => deliver(calls, message))
  const over = (how: string): void => {
    ended()
    const words = lastWords()
    const message = `the process of the built-in model ended (${how})${words ? `: ${words}` : ''}`
    for (const parts of [...calls.values()])
      parts.add({ type: 'error', error: { kind: 'server-error', message } })
  }
  child.on('error', error => over(error.message))
  child.on('exit', (code, signal) => over(signal ?? `code ${code}`))
  return { process: child, calls }
}

/** An idle process must not keep this one from exiting. */
const holdOpen = ({ process: child }: Worker, open: boolean): void => {
  const words = child.stderr as Socket | null
  for (const handle of [child, child.channel, words]) open ? handle?.ref() : handle?.unref()
}

export const createEngine = ({ idle = usualIdle }: LocalEngineOptions = {}): LocalEngine => {
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let lastId = 0

  const stop = (): void => {
    clearTimeout(timer)
    worker?.process.kill('SIGKILL')
    worker = undefined
  }
  const running = (): Worker => {
    if (worker) return worker
    const started: Worker = startWorker(() => {
      if (worker === started) worker = undefined
    })
    worker = started
    return started
  }
  const send = ({ process: child }: Worker, message: ToWorker): void => {
    // If the process has just ended, its `exit` event reports that.
    if (child.connected) child.send(message, () => undefined)
  }

  const begin = (task: Omit<Task, 'id'>, signal: AbortSignal): PartQueue => {
    const current = running()
    const id = ++lastId
    clearTimeout(timer)
    holdOpen(current, true)
    const abort = (): void => {
      send(current, { type: 'cancel', id })
      parts.add(cancelled)
    }
    const parts = new PartQueue(left => {
      signal.removeEventListener('abort', abort)
      current.calls.delete(id)
      if (left) send(current, { type: 'cancel', id })
      if (current.calls.size > 0) return
      holdOpen(current, false)
      timer = setTimeout(stop, idle).unref()
    })
    current.calls.set(id, parts)
    signal.addEventListener('abort', abort, { once: true })
    send(current, { type: 'write', task: { ...task, id } })
    return parts
  }

  return {
    async *write(task, signal) {
      if (signal.aborted) return yield cancelled
      for await (const part of begin(task, signal)) {
        const last = part.type === 'finish' || part.type === 'error'
        if (signal.aborted && !last) continue
        yield signal.aborted ? cancelled : part
        if (last) return
      }
    },
    stop,
    get pid() {
      return worker?.process.pid
    },
  }
}
