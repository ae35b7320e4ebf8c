/**
 * The weights in the person's cache folder: found, fetched once with consent, checked, removed. A file
 * under its real name is whole: it is written under another one, checked, and then renamed.
 */
import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../../core/errors.ts'
import type { Weights, WeightsPart } from './floor.ts'
import type { PartSource } from './part-source.ts'

export interface Cache {
  /** The folder that holds the weights. */
  readonly folder: string
  readonly source: PartSource
}

export interface Fetching {
  /** Nothing is fetched without it. */
  consent(): Promise<boolean>
  /** Bytes so far, of all. */
  progress?(bytes: number, of: number): void
  readonly signal?: AbortSignal
}

export type Condition = 'absent' | 'whole' | 'damaged'

export const weightsFile = (folder: string, { id }: Weights): string => join(folder, `${id}.gguf`)
const stampFile = (folder: string, weights: Weights): string => `${weightsFile(folder, weights)}.checked`

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e5) / 10} MB`

const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Says of a file that it was checked as it is now; a change of it shows in its time or size. */
const stampOf = (path: string, { sha256 }: Weights): string => {
  const { size, mtimeMs } = statSync(path)
  return `${sha256} ${size} ${mtimeMs}`
}

const isStamped = (folder: string, weights: Weights): boolean => {
  const stamp = stampFile(folder, weights)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(weightsFile(folder, weights), weights)
}

/** Reads the whole file only where it changed since it was last checked, or where told to. */
export const conditionOf = async (folder: string, weights: Weights, thorough = false): Promise<Condition> => {
  const path = weightsFile(folder, weights)
  if (!existsSync(path)) return 'absent'
  if (statSync(path).size !== weights.bytes) return 'damaged'
  if (!thorough && isStamped(folder, weights)) return 'whole'
  if ((await sha256Of(path)) !== weights.sha256) return 'damaged'
  writeFileSync(stampFile(folder, weights), stampOf(path, weights))
  return 'whole'
}

/** Removes the weights and whatever a fetch has left; gives back whether there was anything. */
export const removeWeights = async (folder: string, weights: Weights): Promise<boolean> => {
  const names = existsSync(folder) ? await readdir(folder) : []
  const own = names.filter(name => name.startsWith(`${weights.id}.`))
  for (const name of own) await rm(join(folder, name), { recursive: true })
  return own.length > 0
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What went wrong, as a line that says what to do. */
const explained = (error: unknown, weights: Weights, folder: string, signal?: AbortSignal): Error => {
  if (error instanceof UsageError) return error
  const words = wordsOf(error)
  if (signal?.aborted)
    return new UsageError(
      `Fetching ${weights.name} was interrupted. Parts that were complete are kept: ask again, and only the rest is fetched.`,
    )
  if (/ENOSPC|EDQUOT|no space left|quota exceeded/i.test(words)) return noRoom(weights, folder)
  if (/EACCES|EPERM|EROFS/.test(words))
    return new UsageError(
      `${folder} cannot be written to (${words}): set ROUNDTABLE_CACHE to another folder.`,
    )
  return new UsageError(
    `${weights.name} could not be fetched: ${words}. Check that \`npm ping\` works, or name a .gguf file of your own with --seats house:/path/model.gguf.`,
  )
}

const noRoom = (weights: Weights, folder: string): UsageError =>
  new UsageError(
    `There is not enough room for ${weights.name} in ${folder}: it takes ${megabytes(roomFor(weights))} while it is fetched. Free some, or set ROUNDTABLE_CACHE to a folder on another disk.`,
  )

/** The parts, one of them once more in the npm client's hands, and the whole. */
const roomFor = ({ bytes, parts }: Weights): number => 2 * bytes + (parts[0]?.bytes ?? 0)

const checkRoom = async (folder: string, weights: Weights): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < roomFor(weights)) throw noRoom(weights, folder)
}

const isPart = async (path: string, part: WeightsPart): Promise<boolean> =>
  existsSync(path) && statSync(path).size === part.bytes && (await sha256Of(path)) === part.sha256

/** Fetches what is missing; a part that is complete is not fetched again. */
const fetchParts = async (
  { source }: Cache,
  weights: Weights,
  folder: string,
  { progress, signal = new AbortController().signal }: Fetching,
): Promise<string[]> => {
  const files: string[] = []
  let before = 0
  for (const [index, part] of weights.parts.entries()) {
    const file = join(folder, `part${index + 1}`)
    const report = (bytes: number): void => progress?.(before + Math.min(bytes, part.bytes), weights.bytes)
    if (!(await isPart(file, part))) {
      const partial = `${file}.partial`
      await source.fetch(part, partial, report, signal)
      if (!(await isPart(partial, part))) throw wrongChecksum(weights)
      await rename(partial, file)
    }
    before += part.bytes
    report(0)
    files.push(file)
  }
  return files
}

const wrongChecksum = (weights: Weights): UsageError =>
  new UsageError(
    `What was fetched is not ${weights.name}: its checksum is wrong, and it was thrown away. Try again; if that does not help, the registry serves something else under this name.`,
  )

/** What is half-made goes, complete parts stay. At once: whoever interrupted us may not wait. */
const clearPartials = (work: string): void => {
  const names = existsSync(work) ? readdirSync(work) : []
  const parts = names.filter(name => /^part\d+$/.test(name))
  for (const name of names)
    if (!parts.includes(name)) rmSync(join(work, name), { recursive: true, force: true })
  if (parts.length === 0) rmSync(work, { recursive: true, force: true })
}

const joined = async (files: readonly string[], whole: string, signal?: AbortSignal): Promise<void> => {
  const out = createWriteStream(whole)
  for (const [index, file] of files.entries())
    await pipeline(createReadStream(file), out, { end: index === files.length - 1, signal })
}

/** The path of the weights, fetched first if they are not there. Throws UsageError where they cannot be had. */
export const ensureWeights = async (cache: Cache, weights: Weights, fetching: Fetching): Promise<string> => {
  const { folder } = cache
  const path = weightsFile(folder, weights)
  const condition = await conditionOf(folder, weights)
  if (condition === 'whole') return path
  if (condition === 'damaged')
    throw new UsageError(
      `${path} is damaged: its checksum is wrong. Remove it with \`roundtable house remove\`, and it is fetched anew.`,
    )
  if (!(await fetching.consent()))
    throw new UsageError(
      `${weights.name} (${megabytes(weights.bytes)}, ${weights.licence}) is not fetched without your consent: give it with --yes or ROUNDTABLE_HOUSE=yes, or set a key (OPENAI_API_KEY, ANTHROPIC_API_KEY, …) or ROUNDTABLE_ENDPOINTS to seat other models, or see it first with \`roundtable tour\`.`,
    )
  const work = join(folder, `${weights.id}.fetching`)
  try {
    clearPartials(work)
    await mkdir(work, { recursive: true })
    await checkRoom(folder, weights)
    const whole = join(work, 'whole')
    await joined(await fetchParts(cache, weights, work, fetching), whole, fetching.signal)
    if ((await sha256Of(whole)) !== weights.sha256) throw wrongChecksum(weights)
    await rename(whole, path)
    writeFileSync(stampFile(folder, weights), stampOf(path, weights))
    await rm(work, { recursive: true })
    return path
  } catch (error) {
    clearPartials(work)
    throw explained(error, weights, folder, fetching.signal)
  }
}
