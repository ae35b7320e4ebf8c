/**
 * Downloads the engine that runs local models once, with consent, into the cache. npm installs it from a list of
 * packages with their checksums, under another name; then the folder is renamed, so a folder with its final name is
 * complete.
 */
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import type { Weights } from './built-in.ts'
import {
  engineMegabytes,
  engineName,
  enginePackages,
  nativeBuildFor,
  thisPlatform,
} from './engine-packages.ts'
import { explained } from './fetch-problems.ts'
import { ensureWeights, type Fetching, lockedFor } from './fetch-weights.ts'
import { npmPatience, runNpm } from './npm-client.ts'
import { type Cache, type Condition, conditionOf } from './weights.ts'

type EngineCache = Pick<Cache, 'folder' | 'engine' | 'lock'>

const isEngine = (folder: string): boolean => existsSync(join(folder, 'node_modules', engineName))

/** Where the engine is, or will be: beside the weights, or in the folder that the person named. */
export const engineFolder = ({ folder, engine }: EngineCache): string => {
  if (engine !== undefined) return engine
  const platform = thisPlatform()
  const { version } = enginePackages(platform)
  return join(dirname(folder), 'engine', `${version}-${platform.os}-${platform.cpu}`)
}

export const hasEngine = (cache: EngineCache): boolean => isEngine(engineFolder(cache))

/** Weights without the engine can't answer: they count as absent until it is downloaded too. */
export const modelCondition = async (cache: EngineCache, weights: Weights): Promise<Condition> => {
  const condition = await conditionOf(cache.folder, weights)
  return condition === 'whole' && !hasEngine(cache) ? 'absent' : condition
}

export const aboutEngine = `the engine that runs models here (${engineName}, MIT, about ${engineMegabytes} MB, from the npm registry)`

const noConsent = (): UsageError =>
  new UsageError(
    `To run a model on this machine, Roundtable needs an engine (${engineName}, MIT, about ${engineMegabytes} MB). It isn't downloaded without your consent. To agree, set ROUNDTABLE_HOUSE=yes.`,
    'no-consent',
  )

const notThere = (folder: string): UsageError =>
  new UsageError(
    `ROUNDTABLE_ENGINE is ${folder}, but there is no engine there (node_modules/${engineName}). Correct it, or unset it to download the engine.`,
  )

const install = async (
  folder: string,
  { signal = new AbortController().signal }: Fetching,
): Promise<void> => {
  const { manifest, lock } = enginePackages(thisPlatform())
  const work = `${folder}.fetching`
  try {
    await rm(work, { recursive: true, force: true })
    await mkdir(work, { recursive: true })
    await writeFile(join(work, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(work, 'package-lock.json'), JSON.stringify(lock))
    await runNpm(['ci', ...npmPatience, '--prefer-offline', '--prefix', work], work, signal)
    await rename(work, folder)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Returns the folder of the engine, and downloads it first if necessary. Throws a UsageError if it can't. */
export const ensureEngine = async (cache: EngineCache, fetching: Fetching): Promise<string> => {
  const folder = engineFolder(cache)
  if (isEngine(folder)) return folder
  if (cache.engine !== undefined) throw notThere(folder)
  if (!(await fetching.consent('engine'))) throw noConsent()
  let unlock = async (): Promise<void> => undefined
  try {
    unlock = await lockedFor({ folder: dirname(folder), lock: cache.lock }, fetching)
    if (!isEngine(folder)) await install(folder, fetching)
    return folder
  } catch (error) {
    const engine = { name: `The engine ${engineName}`, origin: 'npm' as const, room: 2e6 * engineMegabytes }
    throw explained(error, engine, dirname(folder), fetching.signal)
  } finally {
    await unlock()
  }
}

/** The weights and the engine. One consent is enough for both. */
export const ensureModel = async (cache: Cache, weights: Weights, fetching: Fetching): Promise<string> => {
  // Nobody should download a model that can't run here.
  if (cache.engine === undefined) nativeBuildFor(thisPlatform())
  let agreed = false
  const path = await ensureWeights(cache, weights, {
    ...fetching,
    async consent(what) {
      agreed = await fetching.consent(what)
      return agreed
    },
  })
  await ensureEngine(cache, { ...fetching, consent: async what => agreed || fetching.consent(what) })
  return path
}

export const removeEngine = async (cache: EngineCache): Promise<boolean> => {
  const folder = engineFolder(cache)
  if (cache.engine !== undefined || !existsSync(folder)) return false
  const unlock = await cache.lock(dirname(folder))
  try {
    await rm(folder, { recursive: true, force: true })
  } finally {
    await unlock()
  }
  return true
}
