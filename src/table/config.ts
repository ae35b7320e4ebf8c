/**
 * What is configured: the environment, then `.env` of the working folder, then the first of
 * `roundtable.config.json` there and `roundtable/config.json` in the person's configuration folder.
 * Last comes what the person set on the settings page. What a request says itself counts over all of it. The files of a working folder get no keys of the person, and no
 * sessions, until the person agrees.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { located } from '../core/errors.ts'
import { type SavedDefaults, savedDefaultNames } from '../core/question/saved-defaults.ts'
import { commandIn } from '../providers/agents/names.ts'
import type { OwnAgent } from '../providers/agents/own.ts'
import type { EndpointSettings } from '../providers/chat/openai-compatible.ts'
import {
  type Environment,
  endpointsFrom,
  keyVariable,
  parseEndpoints,
  variable,
} from '../providers/endpoints.ts'
import { searchKeyVariable, searchVariable } from '../providers/search/index.ts'
import { modelOf } from './ask-input.ts'
import { type ConfigFile, readConfigFile, readFolderFile } from './config-file.ts'
import {
  type FolderClaim,
  type FolderSettings,
  folderClaims,
  restricted,
  type Variables,
} from './folder-claims.ts'
import type { HouseConfig } from './house.ts'
import type { Lineups, MakerOptions, Usual } from './reach.ts'
import { readSettings, type SavedEndpoint, type SavedSettings, settingsPath } from './saved-settings.ts'
import { answerFor, type TrustPlace } from './trusted-folders.ts'

export type { Environment } from '../providers/endpoints.ts'

export interface Surroundings {
  readonly env: Environment
  readonly cwd: string
  readonly home?: string
}

/** An endpoint, and where its key comes from: what `doctor` shows in place of the key. */
/** Where an endpoint comes from that is one person's own. */
export const ownersPage = 'your account'

export type ConfiguredEndpoint = EndpointSettings & {
  /** Empty if its key isn't looked up in a variable. */
  readonly keyEnv: string
  readonly from: string
}

export interface Config extends Usual {
  /** The environment, and what `.env` adds to it; without what the person hasn't agreed to. */
  readonly env: Environment
  readonly endpoints: readonly ConfiguredEndpoint[]
  /** Settings of makers, by their id. */
  readonly providers: Readonly<Record<string, MakerOptions>>
  /** Names for files of weights, and how many cores they may use. */
  readonly house?: HouseConfig
  readonly lineups: Lineups
  /** The environment without what `.env` adds: agents get a part of it. Absent: `env`. */
  readonly shell?: Environment
  readonly agents?: AgentConfig
  /** The folder that sessions are kept under. */
  readonly data: string
  /** The files that were read. */
  readonly files: readonly string[]
  /** Defaults that the environment or a configuration file sets: the settings page can't change them. */
  readonly fixed?: readonly (keyof SavedDefaults)[]
  /** What the folder's files want of the person: everything that an agreement covers. */
  readonly claims?: readonly FolderClaim[]
  /** What they don't get, because the person hasn't agreed. */
  readonly request?: FolderRequest
}

/** Agents of the person's own, and their answer whether agents may be the default table. */
export interface AgentConfig {
  readonly own: readonly OwnAgent[]
  /** Commands that the person's own file names as seats. */
  readonly commands: readonly string[]
  readonly agreed?: boolean | undefined
}

export interface FolderRequest {
  readonly claims: readonly FolderClaim[]
  /** The claims that have something to get now. */
  readonly withheld: readonly FolderClaim[]
  /** The person was asked, and said no. */
  readonly declined: boolean
}

/**
 * Code is loaded from the first two folders, the third deletes, and the others send questions and a key to an address: the
 * files of a folder never set them.
 */
const onlyInShell: ReadonlySet<string> = new Set([
  ...['ROUNDTABLE_ENGINE', 'ROUNDTABLE_CACHE', 'ROUNDTABLE_KEEP'],
  ...[searchVariable, searchKeyVariable],
])

const variablesIn = (path: string): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(parseEnv(readFileSync(path, 'utf8'))).filter(([name]) => !onlyInShell.has(name)),
  )

const variablesOf = ({ env: shell, cwd }: Surroundings): Variables & { readonly file: string | null } => {
  const path = join(cwd, '.env')
  const file = existsSync(path) ? path : null
  const folder = file === null ? {} : variablesIn(path)
  return { folder, shell, merged: { ...folder, ...shell }, file }
}

/** Adds to a message where the mistake is. */
const within = <T>(place: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw located(place, error)
  }
}

const endpointsVariable = 'ROUNDTABLE_ENDPOINTS'

/** Endpoints of the settings page, as far as nothing else has their name or their variable. */
const savedEndpoints = (
  saved: readonly SavedEndpoint[],
  others: readonly ConfiguredEndpoint[],
  data: string,
): ConfiguredEndpoint[] => {
  const taken = others.map(({ id }) => keyVariable(id))
  return saved
    .filter(({ id }) => !taken.includes(keyVariable(id)))
    .map(one => ({ ...one, ownKeyOnly: true, keyEnv: '', from: settingsPath(data) }))
}

/** The environment's endpoints come before those of the file with the same name. Keys are added later. */
const endpointsIn = (env: Environment, file: ConfigFile | null): ConfiguredEndpoint[] => {
  const named = within(endpointsVariable, () => parseEndpoints(variable(env, endpointsVariable) ?? '', {}))
  const listed = (file?.settings.endpoints ?? []).filter(one => !named.some(({ id }) => id === one.id))
  const bare = listed.map(({ keyEnv: _keyEnv, ...endpoint }) => endpoint)
  const all = within(file?.path ?? '', () => endpointsFrom([...named, ...bare], {}))
  return all.map(endpoint => {
    const own = listed.find(({ id }) => id === endpoint.id)
    const keyEnv = own?.keyEnv ?? keyVariable(endpoint.id)
    return { ...endpoint, keyEnv, from: own ? file!.path : endpointsVariable }
  })
}

const withKey = (endpoint: ConfiguredEndpoint, env: Environment): ConfiguredEndpoint => {
  const key = variable(env, endpoint.keyEnv) ?? variable(env, keyVariable(endpoint.id))
  return { ...endpoint, ...(key !== undefined && { key }) }
}

const folderFor = (env: Environment, home: string, name: string, usual: string): string => {
  const folder = variable(env, name)
  return join(folder?.startsWith('/') ? folder : join(home, usual), 'roundtable')
}

const moderatorOf = (word: string | null | undefined): { moderator?: string | null } => {
  if (word === undefined) return {}
  return { moderator: word === 'none' ? null : word }
}

/** The person's own folder; what a working folder's `.env` says about it doesn't count. */
const ownFolder = ({ env, home = homedir() }: Surroundings): string =>
  folderFor(env, home, 'XDG_CONFIG_HOME', '.config')

export const trustPlace = (surroundings: Surroundings): TrustPlace => ({
  ...{ env: surroundings.env, cwd: surroundings.cwd },
  own: ownFolder(surroundings),
})

/** What the folder's files set, as opposed to the shell and the person's own file. */
const settingsOfFolder = (
  { shell }: Variables,
  file: ConfigFile | null,
  endpoints: readonly ConfiguredEndpoint[],
): FolderSettings => ({
  providers: file?.settings.providers ?? {},
  endpoints: endpoints.filter(({ from }) =>
    from === endpointsVariable ? shell[endpointsVariable] === undefined : from === file?.path,
  ),
})

/** Keys of the settings page, for makers that a folder's files don't redirect without the person's agreement. */
const withSavedKeys = (
  providers: Config['providers'],
  { keys }: SavedSettings,
  request: FolderRequest | undefined,
): Config['providers'] => {
  const withheld = request?.withheld.filter(({ type }) => type === 'maker').map(({ id }) => id) ?? []
  const usable = Object.entries(keys).filter(([id]) => !withheld.includes(id))
  return {
    ...providers,
    ...Object.fromEntries(usable.map(([id, saved]) => [id, { ...providers[id], saved }])),
  }
}

/** The part of a configuration that the files of the folder may not decide alone. */
const permitted = (
  surroundings: Surroundings,
  variables: Variables,
  folderFile: ConfigFile | null,
  file: ConfigFile | null,
): Pick<Config, 'env' | 'providers' | 'endpoints' | 'claims' | 'request'> => {
  const { merged: env } = variables
  const { providers = {} } = file?.settings ?? {}
  const endpoints = endpointsIn(env, file)
  const claims = folderClaims(variables, settingsOfFolder(variables, folderFile, endpoints))
  const answer = claims.length === 0 ? true : answerFor(trustPlace(surroundings), claims)
  if (answer === true) return { env, claims, providers, endpoints: endpoints.map(one => withKey(one, env)) }
  const { withheld, ...restriction } = restricted(claims, variables, providers)
  return {
    env: restriction.env,
    claims,
    providers: { ...providers, ...restriction.makers },
    endpoints: endpoints
      .filter(({ id }) => !restriction.isWithheld(id))
      .map(one => withKey(one, restriction.envOf(one.id))),
    ...(withheld.length > 0 && { request: { claims, withheld, declined: answer === false } }),
  }
}

/** Only the person's own file may name commands: that of a working folder may be a stranger's. */
const commandsNamedIn = (file: ConfigFile | null): string[] => {
  const { seats = [], lineups = {}, moderator } = file?.settings ?? {}
  const names = [...seats, ...Object.values(lineups).flat()].map(modelOf)
  return [...names, ...(moderator ? [moderator] : [])].flatMap(name => commandIn(name) ?? [])
}

export const loadConfig = (surroundings: Surroundings): Config => {
  const variables = variablesOf(surroundings)
  const { file: envFile } = variables
  const home = surroundings.home ?? homedir()
  const folderFile = readFolderFile(join(surroundings.cwd, 'roundtable.config.json'))
  const file = folderFile ?? readConfigFile(join(ownFolder(surroundings), 'config.json'))
  const {
    endpoints: _endpoints,
    providers: _providers,
    moderator,
    lineups = {},
    agents: own = [],
    ...rest
  } = file?.settings ?? {}
  const allowed = permitted(surroundings, variables, folderFile, file)
  const { env } = allowed
  const data =
    variable(env, 'ROUNDTABLE_DATA') ?? folderFor(env, home, 'XDG_DATA_HOME', join('.local', 'share'))
  const saved = readSettings(data)
  const usual = { ...rest, ...moderatorOf(variable(env, 'ROUNDTABLE_MODERATOR') ?? moderator) }
  return {
    ...saved.defaults,
    ...usual,
    ...allowed,
    providers: withSavedKeys(allowed.providers, saved, allowed.request),
    endpoints: [...allowed.endpoints, ...savedEndpoints(saved.endpoints, allowed.endpoints, data)],
    lineups,
    shell: surroundings.env,
    agents: { own, commands: folderFile ? [] : commandsNamedIn(file), agreed: saved.agents },
    data,
    files: [envFile, file?.path, saved.exists ? settingsPath(data) : null].filter(
      path => typeof path === 'string',
    ),
    fixed: savedDefaultNames.filter(name => usual[name] !== undefined),
  }
}
