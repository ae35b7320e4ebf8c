/**
 * A hub where makers publish weights: checks whether it has a file, and downloads the file. The hub replies
 * to a path with a redirect to the bytes, and that reply contains their checksum.
 */
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { networkError } from '../http/network-errors.ts'
import type { Weights, WeightsPart } from './built-in.ts'
import type { PartSource } from './part-source.ts'

/** The longest wait for an offer of a model. */
const probeMs = 3_000
/** A download that receives nothing for this long is given up. */
const silenceMs = 60_000
const mostRedirects = 3
/** A compressed download couldn't be resumed. */
const plain = { 'accept-encoding': 'identity' }

/** Follows renamed repositories, up to the reply that contains the checksum. */
const linkedTag = async (url: URL, signal: AbortSignal, redirects = 0): Promise<string | undefined> => {
  const { headers } = await fetch(url, { method: 'HEAD', redirect: 'manual', headers: plain, signal })
  const tag = headers.get('x-linked-etag')
  const location = headers.get('location')
  if (tag !== null || location === null || redirects === mostRedirects) return tag ?? undefined
  const next = new URL(location, url)
  return next.host === url.host ? linkedTag(next, signal, redirects + 1) : undefined
}

/** Whether the hub confirms in time that it has exactly this file. Never rejects. */
export const hubHas = async (address: string, weights: Weights, patience = probeMs): Promise<boolean> => {
  const signal = AbortSignal.timeout(patience)
  const has = async ({ from, sha256 }: WeightsPart): Promise<boolean> =>
    (await linkedTag(new URL(`${address}/${from}`), signal))?.replaceAll('"', '') === sha256
  const each = await Promise.all(weights.parts.map(part => has(part).catch(() => false)))
  return each.every(Boolean)
}

/** A signal that aborts if `touch` isn't called for this long. */
const watchdog = (milliseconds: number) => {
  const control = new AbortController()
  const silent = new Error(`nothing arrived for ${milliseconds / 1_000} seconds`)
  const timer = setTimeout(() => control.abort(silent), milliseconds)
  return { signal: control.signal, touch: () => timer.refresh(), stop: () => clearTimeout(timer) }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Continues after the bytes that are already there. A server without ranges sends the whole file again. */
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
  if (!response.ok || !response.body) throw new Error(`${url.host} replied with status ${response.status}`)
  let bytes = response.status === 206 ? have : 0
  const out = await open(file, bytes > 0 ? 'a' : 'w')
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length
      // An endless reply would fill the disk.
      if (bytes > part.bytes) throw new Error(`${url.host} sent more than the size of the file`)
      await out.appendFile(chunk)
      progress(bytes)
    }
  } finally {
    await out.close()
  }
  if (sizeOf(file) < part.bytes) throw new Error(`${url.host} sent only a part of the file`)
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
      // The message of a `fetch` error is only "fetch failed": its cause says more.
      throw error instanceof TypeError
        ? new Error(networkError(error, url, sizeOf(file) > 0, []).message)
        : error
    } finally {
      dog.stop()
    }
  },
})
