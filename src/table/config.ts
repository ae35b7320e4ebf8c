/**
 * What is configured: the environment, then `.env` of the working folder, then the first of
 * `roundtable.config.json` there and `roundtable/config.json` in the person's configuration folder.
 * Last comes what the person set on the settings page. What a request says itself counts over all of it. The files of a
 * working folder get no keys of the person, no question, no seats and no sessions, until the person agrees.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { commandIn } from '../agents/agents.ts'
import type { OwnAgent } from '../agents/list.ts'
import {
  keySchema,
  type SavedDefaults,
  savedDefaultNames,
  savedDefaultsSchema,
  seatInputSchema,
} from '../core/ask.ts'
import { located, UsageError } from '../core/basics.ts'
import { searchKeyVariable, searchVariable } from '../evidence/search.ts'
import type { EndpointSettings } from '../models/chat.ts'
import {
  type Environment,
  endpointsFrom,
  keyVariable,
  parseEndpoints,
  variable,
} from '../models/endpoints.ts'
import { makers } from '../models/makers.ts'
import type { Archive } from '../store/archive.ts'
import { lockFolder } from '../store/folder-lock.ts'
import { modelOf } from './ask.ts'
import {
  answerFor,
  awaitedTable,
  type ConfigFile,
  type FolderClaim,
  type FolderSettings,
  type FolderTables,
  folderClaims,
  readConfigFile,
  readFolderFile,
  restricted,
  type TrustPlace,
  type Variables,
} from './config-file.ts'
import type { HouseConfig, Lineups, MakerOptions, Usual } from './reach.ts'

// savedSettings: What a person set on the settings page: keys, endpoints and defaults, in one file of the data folder that only they
// can read. A key belongs to the address that it was entered for: with another address it isn't sent.

const savedKeySchema = z.strictObject({
  key: keySchema,
  /** The address that it was entered for. Null: the maker's own. */
  address: z.string().nullable(),
})
export type SavedKey = z.infer<typeof savedKeySchema>

const savedEndpointSchema = z.strictObject({
  id: z.string(),
  baseURL: z.string(),
  key: keySchema.optional(),
})
export type SavedEndpoint = z.infer<typeof savedEndpointSchema>

const savedSchema = z.strictObject({
  /** Of makers, by their id. */
  keys: z.record(z.string(), savedKeySchema).default({}),
  endpoints: z.array(savedEndpointSchema).default([]),
  defaults: savedDefaultsSchema.default({}),
  /** Whether command-line agents may be the default table. Absent: the person hasn't been asked. */
  agents: z.boolean().optional(),
})
export type SavedSettings = z.infer<typeof savedSchema>

export const settingsPath = (data: string): string => join(data, 'settings.json')

/** What is wrong with the file isn't quoted: it may be a key. */
export const readSettings = (data: string): SavedSettings & { readonly exists: boolean } => {
  const path = settingsPath(data)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { ...savedSchema.parse({}), exists: false }
    throw error
  }
  try {
    return { ...savedSchema.parse(JSON.parse(text)), exists: true }
  } catch {
    throw new UsageError(`${path} can't be read: fix it, or remove it and enter the settings again.`)
  }
}

/** A new file takes the place of the old one: nobody reads half of it, and its mode is right whatever it was before. */
const write = (data: string, settings: SavedSettings): void => {
  const path = settingsPath(data)
  const draft = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

/** Why a saved key of a maker isn't used. */
export const unusedKey = 'its key was entered for another address, so it is not sent'

const makerNamed = (id: string) => {
  const maker = makers.find(one => one.id === id)
  if (maker && maker.keys.length > 0) return maker
  throw new UsageError(`There is no provider "${id}" that takes a key.`)
}

/** The query of an address may hold a key, and addresses are shown. */
const checkedEndpoint = (id: string, baseURL: string): SavedEndpoint => {
  if (makers.some(maker => maker.id === id.toLowerCase()))
    throw new UsageError(`"${id}" is the name of a provider. Give the endpoint another name.`)
  const [endpoint] = endpointsFrom([{ id, baseURL: baseURL.trim() }], {})
  if (new URL(endpoint!.baseURL).search !== '')
    throw new UsageError('Leave out the "?" in the address and what follows it. A key has its own field.')
  return { id, baseURL: endpoint!.baseURL }
}

export interface SettingsEditor {
  /** For the address that the maker has now. */
  saveKey(maker: string, key: string, address: string | null): Promise<void>
  /** False if none was saved. */
  removeKey(maker: string): Promise<boolean>
  /** Without a key, the endpoint keeps the one it has, but not at another address. */
  saveEndpoint(id: string, baseURL: string, key: string | undefined): Promise<void>
  /** False if none was saved. */
  removeEndpoint(id: string): Promise<boolean>
  saveDefaults(defaults: SavedDefaults): Promise<void>
  /** The person's answer whether agents may be the default table. */
  saveAgreement(agents: boolean): Promise<void>
}

/** Milliseconds that a change waits for those of other processes. */
const patience = 10_000

/** Each change reads the file anew, and alone: another process may have written it, or be about to. */
export const settingsEditor = (data: string): SettingsEditor => {
  const change = async (edit: (before: SavedSettings) => Partial<SavedSettings>): Promise<void> => {
    const release = await lockFolder(data, patience)
    try {
      const { exists: _exists, ...before } = readSettings(data)
      write(data, { ...before, ...edit(before) })
    } finally {
      await release()
    }
  }
  return {
    async saveKey(maker, key, address) {
      const { id } = makerNamed(maker)
      await change(({ keys }) => ({ keys: { ...keys, [id]: { key: keySchema.parse(key), address } } }))
    },
    async removeKey(maker) {
      if (!Object.hasOwn(readSettings(data).keys, maker)) return false
      await change(({ keys: { [maker]: _key, ...keys } }) => ({ keys }))
      return true
    },
    async saveEndpoint(id, baseURL, key) {
      const endpoint = checkedEndpoint(id, baseURL)
      await change(({ endpoints }) => {
        const before = endpoints.find(one => one.id === id)
        const kept = key ?? (before?.baseURL === endpoint.baseURL ? before.key : undefined)
        const saved = { ...endpoint, ...(kept !== undefined && { key: keySchema.parse(kept) }) }
        const others = endpoints.filter(one => one.id !== id)
        endpointsFrom([...others, saved], {})
        return { endpoints: [...others, saved] }
      })
    },
    async removeEndpoint(id) {
      if (!readSettings(data).endpoints.some(one => one.id === id)) return false
      await change(({ endpoints }) => ({ endpoints: endpoints.filter(one => one.id !== id) }))
      return true
    },
    async saveDefaults(defaults) {
      await change(() => ({ defaults: savedDefaultsSchema.parse(defaults) }))
    },
    async saveAgreement(agents) {
      await change(() => ({ agents }))
    },
  }
}

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
  /** What that file says about the sandbox of a command. */
  readonly places?: NonNullable<ConfigFile['settings']['acp']>
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
 * Code is loaded from the first two folders, the third deletes, two send questions and a key to an address, and the last says
 * whose word counts: the files of a folder never set them.
 */
const onlyInShell: ReadonlySet<string> = new Set([
  ...['ROUNDTABLE_ENGINE', 'ROUNDTABLE_CACHE', 'ROUNDTABLE_KEEP'],
  ...[searchVariable, searchKeyVariable, 'ROUNDTABLE_PROXY'],
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
  variables: Variables,
  file: ConfigFile | null,
  endpoints: readonly ConfiguredEndpoint[],
): FolderSettings => ({
  providers: file?.settings.providers ?? {},
  endpoints: endpoints.filter(({ from }) =>
    from === endpointsVariable ? variables.shell[endpointsVariable] === undefined : from === file?.path,
  ),
  tables: tablesOf(variables, file),
})

const moderatorVariable = 'ROUNDTABLE_MODERATOR'

/** The shell's moderator comes before that of the folder's `.env`, and this one before that of its file. */
const tablesOf = ({ folder, shell }: Variables, file: ConfigFile | null): FolderTables => {
  const { seats, lineups, moderator } = file?.settings ?? {}
  const named = variable(shell, moderatorVariable) === undefined
  return { seats, lineups, moderator: named ? (variable(folder, moderatorVariable) ?? moderator) : undefined }
}

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

const settingsWithout = (tables: boolean, file: ConfigFile | null): ConfigFile['settings'] => {
  const { seats, lineups, moderator, ...others } = file?.settings ?? {}
  return tables ? others : (file?.settings ?? {})
}

export const loadConfig = (surroundings: Surroundings): Config => {
  const variables = variablesOf(surroundings)
  const { file: envFile } = variables
  const home = surroundings.home ?? homedir()
  const folderFile = readFolderFile(join(surroundings.cwd, 'roundtable.config.json'))
  const file = folderFile ?? readConfigFile(join(ownFolder(surroundings), 'config.json'))
  const allowed = permitted(surroundings, variables, folderFile, file)
  const { env, request } = allowed
  const awaitsTable = request?.withheld.some(({ type }) => type === 'table') === true
  const awaiting = request && awaitedTable(tablesOf(variables, folderFile), request, surroundings.cwd)
  const {
    endpoints: _endpoints,
    providers: _providers,
    moderator,
    lineups = {},
    agents: own = [],
    acp: places = {},
    ...rest
  } = settingsWithout(awaitsTable, file)
  const data =
    variable(env, 'ROUNDTABLE_DATA') ?? folderFor(env, home, 'XDG_DATA_HOME', join('.local', 'share'))
  const saved = readSettings(data)
  const moderating = variable(awaitsTable ? surroundings.env : env, moderatorVariable) ?? moderator
  const usual = { ...rest, ...moderatorOf(moderating), ...(awaiting && { awaiting }) }
  return {
    ...saved.defaults,
    ...usual,
    ...allowed,
    providers: withSavedKeys(allowed.providers, saved, request),
    endpoints: [...allowed.endpoints, ...savedEndpoints(saved.endpoints, allowed.endpoints, data)],
    lineups,
    shell: surroundings.env,
    agents: { own, places, commands: folderFile ? [] : commandsNamedIn(file), agreed: saved.agents },
    data,
    files: [envFile, file?.path, saved.exists ? settingsPath(data) : null].filter(
      path => typeof path === 'string',
    ),
    fixed: savedDefaultNames.filter(name => usual[name] !== undefined),
  }
}

// savedLineups: Line-ups that people saved on a page, as the archive keeps them.

/** One that an older version saved in another form is left out. */
export const savedLineups = async (archive: Pick<Archive, 'lineups'>): Promise<Lineups> => {
  const saved = z.record(z.string(), z.array(seatInputSchema).catch([])).parse(await archive.lineups())
  return Object.fromEntries(Object.entries(saved).filter(([, seats]) => seats.length > 0))
}
