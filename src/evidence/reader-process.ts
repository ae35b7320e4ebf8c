/** Reads files in a process of its own, one after another, and ends it once they take too much memory. */

import { Worker } from 'node:worker_threads'
import { joined, type Reader, type ReaderName, type ReadText, Unreadable } from './files.ts'

export interface ReaderTask {
  readonly reader: ReaderName
  readonly bytes: Uint8Array
}

/** `megabytes`: what the process has taken so far. */
export type ReaderReply = (ReadText | { readonly problem: string }) & { readonly megabytes?: number }

/** Loaded when it is needed: each brings a library. */
const readers: Readonly<Record<ReaderName, () => Promise<Reader>>> = {
  pdf: async () => (await import('./readers.ts')).pdf,
  word: async () => (await import('./readers.ts')).word,
  sheet: async () => (await import('./readers.ts')).sheet,
  html: async () => (await import('./readers.ts')).html,
  plain: async () => (await import('./files.ts')).plain,
}

/** The texts are put together here: what a bomb unpacks to must not be sent to the process that waits for it. */
const replyTo = async ({ reader, bytes }: ReaderTask): Promise<ReaderReply> => {
  try {
    const read = await readers[reader]()
    // A Buffer arrives as one, and some libraries take none.
    return joined(await read(new Uint8Array(bytes)))
  } catch (error) {
    return { problem: error instanceof Unreadable ? error.message : 'it is broken: it cannot be read' }
  }
}

/**
 * A reader that unpacks a bomb hears nothing, and V8 counts only its own heap. So another thread looks at what the whole
 * process takes, and whether the process that waits for it still lives.
 */
const watch = `
const { workerData: { bytes, parent } } = require('node:worker_threads')
setInterval(() => {
  if (process.memoryUsage.rss() > bytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 5)`

const mega = 1_000_000

if (process.send) {
  const bytes = Number(process.argv[2]) * mega
  new Worker(watch, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { bytes, parent: process.ppid },
  }).unref()
  process.on('disconnect', () => process.exit())
  process.on('message', async task => {
    const reply = await replyTo(task as ReaderTask)
    process.send?.({ ...reply, megabytes: process.memoryUsage.rss() / mega })
  })
  process.send('ready')
}
