/**
 * A hub where makers publish their weights: whether a file is there, and the file itself. The hub answers a
 * path with a redirect to where the bytes are, and says in that answer which bytes they are.
 */
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { networkError } from '../http/network-errors.ts'
import type { Weights, WeightsPart } from './built-in.ts'
import type { PartSource } from './part-source.ts'

/** Nobody waits longer to be offered a model. */
const probeMs = 3_000
/** A download without a byte for so long is dead. */
const silenceMs = 60_000
const mostRedirects = 3
/** Packed bytes have no place to go on from. */
const plain = { 'accept-encoding': 'identity' }

/** A renamed repository answers with its new path; the answer that names the bytes has their checksum. */
const linkedTag = async (url: URL, signal: AbortSignal, redirects = 0): Promise<string | undefined> => {
  const { headers } = await fetch(url, { method: 'HEAD', redirect: 'manual', headers: plain, signal })
  const tag = headers.get('x-linked-etag')
  const place = headers.get('location')
  if (tag !== null || place === null || redirects === mostRedirects) return tag ?? undefined
  const next = new URL(place, url)
  return next.host === url.host ? linkedTag(next, signal, redirects + 1) : undefined
}

/** Whether the hub answers, in time, that it has this very file. Never rejects. */
export const hubHas = async (address: string, weights: Weights, patience = probeMs): Promise<boolean> => {
  const signal = AbortSignal.timeout(patience)
  const has = async ({ from, sha256 }: WeightsPart): Promise<boolean> =>
    (await linkedTag(new URL(`${address}/${from}`), signal))?.replaceAll('"', '') === sha256
  const each = await Promise.all(weights.parts.map(part => has(part).catch(() => false)))
  return each.every(Boolean)
}

/** A signal that gives up when it was not touched for a while. */
const watchdog = (milliseconds: number) => {
  const control = new AbortController()
  const silent = new Error(`nothing arrived for ${milliseconds / 1_000} seconds`)
  const timer = setTimeout(() => control.abort(silent), milliseconds)
  return { signal: control.signal, touch: () => timer.refresh(), stop: () => clearTimeout(timer) }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Goes on after the bytes that are already there; a server that knows no ranges begins anew. */
const download = async (
  url: URL,
  part: WeightsPart,
  file: string,
  progress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const have = sizeOf(file)
  const headers = { ...plain, ...(have > 0 && { range: `bytes=${have}-` }) }
  const response = await fetch(url, { headers, signal })
  if (!response.ok || !response.body) throw new Error(`${url.host} answered ${response.status}`)
  let bytes = response.status === 206 ? have : 0
  const out = await open(file, bytes > 0 ? 'a' : 'w')
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length
      // A server that never ends would fill the disk.
      if (bytes > part.bytes) throw new Error(`${url.host} sends more than the file should have`)
      await out.appendFile(chunk)
      progress(bytes)
    }
  } finally {
    await out.close()
  }
  if (sizeOf(file) < part.bytes) throw new Error(`${url.host} ended the file too early`)
}

export const hubParts = (address: string, patience = silenceMs): PartSource => ({
  resumes: true,
  async fetch(part, file, progress, signal) {
    if (sizeOf(file) === part.bytes) return
    const url = new URL(`${address}/${part.from}`)
    const dog = watchdog(patience)
    const report = (bytes: number): void => {
      dog.touch()
      progress(bytes)
    }
    try {
      await download(url, part, file, report, AbortSignal.any([signal, dog.signal]))
    } catch (error) {
      if (dog.signal.aborted) throw dog.signal.reason
      // What fetch throws says nothing itself; what a disk throws says enough.
      throw error instanceof TypeError
        ? new Error(networkError(error, url, sizeOf(file) > 0, []).message)
        : error
    } finally {
      dog.stop()
    }
  },
})
