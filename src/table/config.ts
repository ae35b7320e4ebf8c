/**
 * What is configured: the environment, then `.env` of the working folder, then the first of
 * `roundtable.config.json` there and `roundtable/config.json` in the person's configuration folder.
 * What a request says itself counts over all of it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { located } from '../core/errors.ts'
import type { EndpointSettings } from '../providers/chat/openai-compatible.ts'
import { type Environment, endpointsFrom, keyVariable, parseEndpoints } from '../providers/endpoints.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import type { HouseConfig } from './house.ts'
import type { Lineups, MakerOptions, Usual } from './reach.ts'

export type { Environment } from '../providers/endpoints.ts'

export interface Surroundings {
  readonly env: Environment
  readonly cwd: string
  readonly home?: string
}

/** An endpoint, and where its key comes from: what `doctor` shows in place of the key. */
export type ConfiguredEndpoint = EndpointSettings & { readonly keyEnv: string; readonly from: string }

export interface Config extends Usual {
  /** The environment, and what `.env` adds to it. */
  readonly env: Environment
  readonly endpoints: readonly ConfiguredEndpoint[]
  /** Settings of makers, by their id. */
  readonly providers: Readonly<Record<string, MakerOptions>>
  /** Names for files of weights, and how many cores they may use. */
  readonly house?: HouseConfig
  readonly lineups: Lineups
  /** The folder that sessions are kept under. */
  readonly data: string
  /** The files that were read. */
  readonly files: readonly string[]
}

const environmentOf = (
  surroundings: Surroundings,
): { readonly env: Environment; readonly file: string | null } => {
  const path = join(surroundings.cwd, '.env')
  if (!existsSync(path)) return { env: surroundings.env, file: null }
  return { env: { ...parseEnv(readFileSync(path, 'utf8')), ...surroundings.env }, file: path }
}

/** Empty variables count as unset: an empty ROUNDTABLE_MODERATOR removes it. */
const variable = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined

/** Adds to a message where the mistake is. */
const within = <T>(place: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw located(place, error)
  }
}

type FiledEndpoint = NonNullable<ConfigFile['settings']['endpoints']>[number]

const filedEndpoint = ({ keyEnv, ...endpoint }: FiledEndpoint, env: Environment): EndpointSettings => {
  const key = keyEnv === undefined ? undefined : variable(env, keyEnv)
  return { ...endpoint, ...(key !== undefined && { key }) }
}

/** The environment's endpoints come before those of the file with the same name. */
const endpointsIn = (env: Environment, file: ConfigFile | null): ConfiguredEndpoint[] => {
  const source = 'ROUNDTABLE_ENDPOINTS'
  const named = within(source, () => parseEndpoints(variable(env, source) ?? '', env))
  const listed = (file?.settings.endpoints ?? []).filter(one => !named.some(({ id }) => id === one.id))
  const filed = within(file?.path ?? '', () =>
    endpointsFrom([...named, ...listed.map(endpoint => filedEndpoint(endpoint, env))], env),
  )
  return filed.map(endpoint => {
    const own = listed.find(({ id }) => id === endpoint.id)
    const keyEnv = own?.keyEnv ?? keyVariable(endpoint.id)
    return { ...endpoint, keyEnv, from: own ? file!.path : source }
  })
}

const folderFor = (env: Environment, home: string, name: string, usual: string): string => {
  const folder = variable(env, name)
  return join(folder?.startsWith('/') ? folder : join(home, usual), 'roundtable')
}

const moderatorOf = (word: string | null | undefined): { moderator?: string | null } => {
  if (word === undefined) return {}
  return { moderator: word === 'none' ? null : word }
}

export const loadConfig = (surroundings: Surroundings): Config => {
  const { env, file: envFile } = environmentOf(surroundings)
  const home = surroundings.home ?? homedir()
  const file =
    readConfigFile(join(surroundings.cwd, 'roundtable.config.json')) ??
    readConfigFile(join(folderFor(env, home, 'XDG_CONFIG_HOME', '.config'), 'config.json'))
  const { endpoints: _endpoints, moderator, lineups = {}, providers = {}, ...rest } = file?.settings ?? {}
  return {
    ...rest,
    ...moderatorOf(variable(env, 'ROUNDTABLE_MODERATOR') ?? moderator),
    env,
    lineups,
    providers,
    endpoints: endpointsIn(env, file),
    data: variable(env, 'ROUNDTABLE_DATA') ?? folderFor(env, home, 'XDG_DATA_HOME', join('.local', 'share')),
    files: [envFile, file?.path].filter(path => typeof path === 'string'),
  }
}
