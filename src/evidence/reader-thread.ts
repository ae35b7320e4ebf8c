/** Reads one file in a thread of its own, and says what was found. */

import { parentPort, workerData } from 'node:worker_threads'
import { type Reader, type ReaderName, type TextPart, Unreadable } from './files.ts'

export interface ReaderTask {
  readonly reader: ReaderName
  readonly bytes: Uint8Array
}

export type ReaderReply = { readonly parts: readonly TextPart[] } | { readonly problem: string }

/** Loaded when it is needed: each brings a library. */
const readers: Readonly<Record<ReaderName, () => Promise<Reader>>> = {
  pdf: async () => (await import('./readers.ts')).pdf,
  word: async () => (await import('./readers.ts')).word,
  sheet: async () => (await import('./readers.ts')).sheet,
  html: async () => (await import('./readers.ts')).html,
  plain: async () => (await import('./files.ts')).plain,
}

const replyTo = async ({ reader, bytes }: ReaderTask): Promise<ReaderReply> => {
  try {
    const read = await readers[reader]()
    return { parts: await read(bytes) }
  } catch (error) {
    return { problem: error instanceof Unreadable ? error.message : 'it is broken: it cannot be read' }
  }
}

parentPort?.postMessage(await replyTo(workerData as ReaderTask))
