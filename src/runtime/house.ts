/** The house as a person has it on this machine: where its weights are kept, and which other files it knows. */
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { floor, type House, house } from '../providers/house/index.ts'
import { npmParts } from '../providers/house/part-source.ts'
import { type Cache, ensureWeights, type Fetching } from '../providers/house/weights.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface HouseConfig {
  /** Names for files of weights, `{ phi: 'models/phi.gguf' }`; relative ones start at the working folder. */
  readonly models?: Readonly<Record<string, string>>
  readonly threads?: number
}

/** `ROUNDTABLE_CACHE`, or a folder of ours in the person's cache folder. */
export const weightsFolder = (env: Environment, home = homedir()): string => {
  const own = env.ROUNDTABLE_CACHE?.trim()
  if (own) return join(resolve(own), 'models')
  const shared = env.XDG_CACHE_HOME?.trim()
  return join(shared && isAbsolute(shared) ? shared : join(home, '.cache'), 'roundtable', 'models')
}

export const weightsCache = (env: Environment, home?: string): Cache => ({
  folder: weightsFolder(env, home),
  source: npmParts(),
})

/** Consent that was given beforehand. */
export const hasConsent = (env: Environment): boolean =>
  /^(yes|1|true)$/i.test(env.ROUNDTABLE_HOUSE?.trim() ?? '')

/** What can be found is used; what must be fetched needs a consent that only the environment can give here. */
const quietly = (env: Environment): Fetching => ({ consent: async () => hasConsent(env) })

export const openHouse = (
  config: HouseConfig,
  { env, cwd, home }: { readonly env: Environment; readonly cwd: string; readonly home?: string },
): House => {
  const paths = Object.entries(config.models ?? {}).map(([name, path]) => [name, resolve(cwd, path)])
  let ready: Promise<string> | undefined
  return house({
    models: Object.fromEntries(paths),
    ...(config.threads !== undefined && { threads: config.threads }),
    // Seats that ask at the same time wait for one fetch; one that failed may be tried again.
    weights() {
      ready ??= ensureWeights(weightsCache(env, home), floor, quietly(env)).catch(error => {
        ready = undefined
        throw error
      })
      return ready
    },
  })
}

/** `house:model.gguf`, as people write it, with the whole path; any other name as it is. */
export const withWholePath = (name: string, cwd: string): string =>
  name.startsWith('house:') ? `house/${resolve(cwd, name.slice('house:'.length))}` : name
