/**
 * Finds, checks and removes weights in the user's cache folder. A file with its final name is complete:
 * it is written under another name, checked, and then renamed.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Weights, WeightsOrigin } from './built-in.ts'
import type { PartSource } from './part-source.ts'

export interface Cache {
  /** The folder that holds the weights. */
  readonly folder: string
  /** The folder of an engine that is already there. Without it, the engine is downloaded beside the weights. */
  readonly engine?: string
  readonly sources: Readonly<Record<WeightsOrigin, PartSource>>
  /** Locks a folder for this process and returns the unlock, or throws a UsageError that names the process that has it. */
  lock(folder: string, patience?: number): Promise<() => Promise<void>>
}

export type Condition = 'absent' | 'whole' | 'damaged'

export const weightsFile = (folder: string, { id }: Weights): string => join(folder, `${id}.gguf`)
const stampFile = (folder: string, weights: Weights): string => `${weightsFile(folder, weights)}.checked`

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e5) / 10} MB`

export const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Identifies the checked state of a file: a change to the file changes its time or size. */
const stampOf = (path: string, { sha256 }: Weights): string => {
  const { size, mtimeMs } = statSync(path)
  return `${sha256} ${size} ${mtimeMs}`
}

export const stamp = (folder: string, weights: Weights): void =>
  writeFileSync(stampFile(folder, weights), stampOf(weightsFile(folder, weights), weights))

const isStamped = (folder: string, weights: Weights): boolean => {
  const path = stampFile(folder, weights)
  return existsSync(path) && readFileSync(path, 'utf8') === stampOf(weightsFile(folder, weights), weights)
}

/** Reads the whole file only if it changed since the last check, or if `thorough` is set. */
export const conditionOf = async (folder: string, weights: Weights, thorough = false): Promise<Condition> => {
  const path = weightsFile(folder, weights)
  if (!existsSync(path)) return 'absent'
  if (statSync(path).size !== weights.bytes) return 'damaged'
  if (!thorough && isStamped(folder, weights)) return 'whole'
  if ((await sha256Of(path)) !== weights.sha256) return 'damaged'
  stamp(folder, weights)
  return 'whole'
}

/** Removes the weights and what an unfinished download left. Returns whether there was anything. */
export const removeWeights = async ({ folder, lock }: Cache, weights: Weights): Promise<boolean> => {
  if (!existsSync(folder)) return false
  // Another process may be downloading into this folder.
  const unlock = await lock(folder)
  try {
    const own = (await readdir(folder)).filter(name => name.startsWith(`${weights.id}.`))
    for (const name of own) await rm(join(folder, name), { recursive: true })
    return own.length > 0
  } finally {
    await unlock()
  }
}
