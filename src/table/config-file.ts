/** The form of `roundtable.config.json`. A mistake is reported with the file and the place in it. */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { outputNames } from '../agents/list.ts'
import { mostRounds, type SeatInput, seatInputSchema } from '../core/ask.ts'
import { longestDeadline, UsageError } from '../core/basics.ts'
import { pathText } from '../core/form.ts'
import { budgetSchema } from '../core/opening.ts'
import { searchModes } from '../core/question.ts'
import { type Environment, keyVariable, variable } from '../models/endpoints.ts'
import { makers } from '../models/makers.ts'
import type { AwaitedTable, MakerOptions } from './reach.ts'

const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cachedInput: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
  reasoning: z.number().nonnegative().optional(),
})

const factsSchema = z.strictObject({
  name: z.string().optional(),
  maker: z.string().optional(),
  context: z.int().positive().optional(),
  price: priceSchema.optional(),
  reasoning: z.boolean().optional(),
  sees: z.boolean().optional(),
})

/** Settings of any provider. */
const servedSchema = z.strictObject({
  keyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'write the name of an environment variable here')
    .optional(),
  models: z.record(z.string(), factsSchema).optional(),
  limits: z
    .strictObject({
      concurrency: z.int().positive().optional(),
      requestsPerMinute: z.int().positive().optional(),
    })
    .optional(),
})

const endpointSchema = servedSchema.extend({
  id: z.string(),
  baseURL: z.string(),
  label: z.string().optional(),
  sees: z.boolean().optional(),
})

const makerSchema = servedSchema.extend({ baseURL: z.string().optional() })

const variableNames = z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'write names of variables here'))

const agentSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,40}$/i, 'use letters, digits, dots, dashes and underscores'),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  output: z.enum(outputNames),
  env: z.strictObject({ unset: variableNames.optional(), keep: variableNames.optional() }).optional(),
})

const placeSchema = z.strictObject({
  sandbox: z.boolean().optional(),
  reads: z.array(z.string().min(1)).optional(),
  copies: z.array(z.string().min(1)).optional(),
})

const settingsSchema = z.strictObject({
  $schema: z.string().optional(),
  endpoints: z.array(endpointSchema).optional(),
  /** Makers, by their id. */
  providers: z.record(z.string(), makerSchema).optional(),
  house: z
    .strictObject({
      models: z.record(z.string(), z.string()).optional(),
      threads: z.int().positive().optional(),
    })
    .optional(),
  agents: z.array(agentSchema).optional(),
  /** By the command that speaks the Agent Client Protocol. */
  acp: z.record(z.string(), placeSchema).optional(),
  lineups: z.record(z.string(), z.array(seatInputSchema).min(1)).optional(),
  seats: z.array(seatInputSchema).min(1).optional(),
  moderator: z.string().min(1).nullable().optional(),
  protocol: z.string().optional(),
  rounds: z.int().min(0).max(mostRounds, `write a number of open rounds from 0 to ${mostRounds}`).optional(),
  deadline: z.number().positive().max(longestDeadline).optional(),
  budget: z.union([z.number().positive(), budgetSchema]).optional(),
  search: z.enum(searchModes).optional(),
  fetch: z.boolean().optional(),
})

export interface ConfigFile {
  readonly path: string
  readonly settings: Omit<z.infer<typeof settingsSchema>, '$schema'>
}

/** A key in a file ends up in a repository sooner or later. */
const refuseKeys = (path: string, raw: unknown): void => {
  const { endpoints, providers } = (raw ?? {}) as { endpoints?: unknown; providers?: unknown }
  const entries = [
    ...(Array.isArray(endpoints) ? endpoints.map((one, index) => [`endpoints[${index}]`, one] as const) : []),
    ...Object.entries(providers ?? {}).map(([id, one]) => [`providers.${id}`, one] as const),
  ]
  const holder = entries.find(
    ([, one]) => typeof one === 'object' && one !== null && ('key' in one || 'apiKey' in one),
  )
  if (!holder) return
  throw new UsageError(
    `${path}: ${holder[0]} holds a key. Put the key into an environment variable, and write the variable's name here as "keyEnv".`,
  )
}

/** The parser's own message quotes the text around the fault, and that may be a key. */
const faultIn = (error: unknown): string =>
  /line \d+ column \d+/.exec(error instanceof Error ? error.message : '')?.[0] ?? 'somewhere'

const parsed = (path: string): unknown => {
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON (${faultIn(error)}): fix it, or remove it.`)
  }
}

/** A folder may be a stranger's. Its file must not name variables of other programs as keys. */
const refuseOtherVariables = ({ path, settings: { endpoints = [], providers = {} } }: ConfigFile): void => {
  const entries = [
    ...endpoints.map(({ keyEnv }, index) => [`endpoints[${index}]`, keyEnv] as const),
    ...Object.entries(providers).map(([id, { keyEnv }]) => [`providers.${id}`, keyEnv] as const),
  ]
  const [place, name] =
    entries.find(([, keyEnv]) => keyEnv !== undefined && !/^ROUNDTABLE_\w+_KEY$/.test(keyEnv)) ?? []
  if (place === undefined) return
  throw new UsageError(
    `${path}: ${place}.keyEnv: in the file of a folder, only names such as ROUNDTABLE_<NAME>_KEY are allowed. Rename ${name}, or move this setting to your own configuration folder.`,
  )
}

/** A folder may be a stranger's: its file must not say which programs are run. */
const ownFileOnly =
  'programs can be named only in your own configuration folder. Move this setting to the file there.'

/** The file of a working folder; null if it doesn't exist. */
export const readFolderFile = (path: string): ConfigFile | null => {
  const file = readConfigFile(path)
  if (file) refuseOtherVariables(file)
  const named = (['agents', 'acp'] as const).find(name => file?.settings[name])
  if (named) throw new UsageError(`${path}: ${named}: ${ownFileOnly}`)
  return file
}

/** Null if the file doesn't exist. */
export const readConfigFile = (path: string): ConfigFile | null => {
  if (!existsSync(path)) return null
  const raw = parsed(path)
  refuseKeys(path, raw)
  const reading = settingsSchema.safeParse(raw)
  if (!reading.success) {
    const [issue] = reading.error.issues
    throw new UsageError(`${path}: ${pathText(issue!.path) || 'the whole file'}: ${issue!.message}.`)
  }
  const { $schema: _schema, ...settings } = reading.data
  return { path, settings }
}

// folderClaims: What the files of a working folder (`.env`, `roundtable.config.json`) would have that only the person may give: their
// question or their keys for an address that the folder names, seats for their agents and models, and where sessions are.
// A folder may be a stranger's: a cloned repository. Its seats would have briefs of the stranger, and its endpoint would be
// told what they answer. Unfinished sessions of a stranger would be resumed with the person's keys.

export interface FolderClaim {
  readonly type: 'maker' | 'endpoint' | 'sessions' | 'table'
  /** The id of a maker or endpoint; the variable that says where sessions are; who is seated. */
  readonly id: string
  /** Null: the maker's usual one. It may contain a password. For sessions it may be a folder. */
  readonly address: string | null
  /** Each of these may be sent there. */
  readonly variables: readonly string[]
  /** Of a table, as the file has them. */
  readonly seats?: readonly SeatInput[]
}

/** Who sits at a table, as far as the files of a folder say. */
export interface FolderTables {
  readonly seats?: readonly SeatInput[] | undefined
  readonly lineups?: Readonly<Record<string, readonly SeatInput[]>> | undefined
  readonly moderator?: string | null | undefined
}

const tableClaims = ({ seats, lineups = {}, moderator }: FolderTables): FolderClaim[] => {
  const claim = (id: string, who: readonly SeatInput[]): FolderClaim => ({
    ...({ type: 'table', id, address: null, variables: [] } as const),
    seats: who,
  })
  return [
    ...(seats ? [claim('the usual table', seats)] : []),
    ...Object.entries(lineups).map(([name, who]) => claim(`the line-up "${name}"`, who)),
    ...(moderator ? [claim('the moderator', [moderator])] : []),
  ]
}

/** The variables of a folder's `.env`, and of the shell that a command was started in. */
export interface Variables {
  readonly folder: Environment
  readonly shell: Environment
  /** The shell's come first. */
  readonly merged: Environment
}

/** What the folder's files set, as far as nothing else comes first. */
export interface FolderSettings {
  readonly tables: FolderTables
  readonly providers: NonNullable<ConfigFile['settings']['providers']>
  readonly endpoints: readonly { readonly id: string; readonly baseURL: string; readonly keyEnv: string }[]
}

/** The value of a variable that the folder sets and the shell doesn't. */
const ofFolder = ({ folder, shell }: Variables, name: string): string | undefined =>
  shell[name] === undefined ? variable(folder, name) : undefined

const makerClaims = (variables: Variables, providers: FolderSettings['providers']): FolderClaim[] =>
  makers.flatMap(({ id, keys, baseURLVariable: name }): FolderClaim[] => {
    const { baseURL, keyEnv } = providers[id] ?? {}
    const isSet = variable(variables.merged, name) !== undefined
    const address = (isSet ? ofFolder(variables, name) : baseURL) ?? null
    const wanted = keyEnv === undefined ? keys : [keyEnv]
    if ((address === null && keyEnv === undefined) || wanted.length === 0) return []
    return [{ type: 'maker', id, address, variables: wanted }]
  })

const placesOfSessions = ['DATABASE_URL', 'ROUNDTABLE_DATA', 'XDG_DATA_HOME'] as const

export const folderClaims = (
  variables: Variables,
  { providers, endpoints, tables }: FolderSettings,
): FolderClaim[] => [
  ...makerClaims(variables, providers),
  ...endpoints.map(({ id, baseURL, keyEnv }) => ({
    ...({ type: 'endpoint', id, address: baseURL } as const),
    variables: [...new Set([keyEnv, keyVariable(id)])],
  })),
  ...placesOfSessions.flatMap((name): FolderClaim[] => {
    const address = ofFolder(variables, name)
    return address === undefined ? [] : [{ type: 'sessions', id: name, address, variables: [name] }]
  }),
  ...tableClaims(tables),
]

/** The folder's own variables, without those that the shell has emptied. */
const ownVariables = ({ folder, shell }: Variables): Environment =>
  Object.fromEntries(Object.entries(folder).filter(([name]) => shell[name]?.trim() !== ''))

const isHere = (address: string): boolean => {
  const url = URL.parse(address.includes('://') ? address : `http://${address}`)
  return /^(localhost|127(\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])$/.test(url?.hostname ?? '')
}

/** Whoever is at another address reads the question and the answers, also without a key; a server of this machine doesn't. */
const needsAgreement =
  (all: Variables, own: Environment) =>
  ({ type, address, variables }: FolderClaim): boolean =>
    type === 'sessions' ||
    type === 'table' ||
    (address !== null && !isHere(address)) ||
    (variables.every(name => variable(own, name) === undefined) &&
      variables.some(name => variable(all.merged, name) !== undefined))

/** What remains for a folder that the person hasn't agreed to. */
export interface Restriction {
  /** The claims that take something from the person: nothing is sent there. */
  readonly withheld: readonly FolderClaim[]
  readonly env: Environment
  /** Settings of makers that look up their keys among the folder's own variables. */
  readonly makers: Readonly<Record<string, MakerOptions>>
  isWithheld(endpoint: string): boolean
  /** Where the key of an endpoint is looked up. */
  envOf(endpoint: string): Environment
}

/** What a folder's file says about who sits at the table, of which nothing counts yet. */
export const awaitedTable = (
  { seats, lineups = {} }: FolderTables,
  { withheld, declined }: { readonly withheld: readonly FolderClaim[]; readonly declined: boolean },
  folder: string,
): AwaitedTable | undefined => {
  // Whoever said no wants the own table.
  if (declined || !withheld.some(({ type }) => type === 'table')) return undefined
  return {
    ...{ seats: seats !== undefined, lineups: Object.keys(lineups) },
    words: `The files in ${folder} choose who sits at the table, and you have not agreed to that. Ask from a terminal in that folder to see their choice, set ROUNDTABLE_TRUST to the folder, or name the seats yourself.`,
  }
}

export const restricted = (
  claims: readonly FolderClaim[],
  variables: Variables,
  options: Readonly<Record<string, MakerOptions>>,
): Restriction => {
  const own = ownVariables(variables)
  const withheld = claims.filter(needsAgreement(variables, own))
  const has = (among: readonly FolderClaim[], type: FolderClaim['type'], id: string): boolean =>
    among.some(claim => claim.type === type && claim.id === id)
  const claimed = makers.filter(({ id }) => has(claims, 'maker', id))
  return {
    withheld,
    env: Object.fromEntries(
      Object.entries(variables.merged).filter(([name]) => !has(withheld, 'sessions', name)),
    ),
    makers: Object.fromEntries(
      claimed.map(({ id, baseURLVariable: name }) => {
        const { baseURL, ...others } = options[id] ?? {}
        // Without an address and a key, not even a maker that needs no key is called.
        if (has(withheld, 'maker', id)) return [id, { ...others, env: {} }]
        const env = { ...own, [name]: variables.merged[name] }
        return [id, { ...others, ...(baseURL !== undefined && { baseURL }), env }]
      }),
    ),
    isWithheld: id => has(withheld, 'endpoint', id),
    envOf: id => (has(claims, 'endpoint', id) ? own : variables.merged),
  }
}

// trustedFolders: What the person answered for each folder whose files want keys or sessions. An answer holds for exactly the claims that
// the person saw: a folder whose files change afterwards (`git pull`) is asked about again.

/** Where the answers are kept, and the folder that they are about. */
export interface TrustPlace {
  /** The shell's environment alone: a folder's `.env` must not say that the folder is trusted. */
  readonly env: Environment
  readonly cwd: string
  /** The person's configuration folder. */
  readonly own: string
}

const answersSchema = z.record(z.string(), z.object({ claims: z.string(), agreed: z.boolean() }))
type Answers = z.infer<typeof answersSchema>

const fileIn = (own: string): string => join(own, 'trusted-folders.json')

const realPath = (folder: string): string | undefined => {
  try {
    return realpathSync(resolve(folder))
  } catch {
    return undefined
  }
}

const hashOf = (claims: readonly FolderClaim[]): string =>
  createHash('sha256').update(JSON.stringify(claims)).digest('hex')

/** A file that can't be read holds no agreement. */
const answersIn = (own: string): Answers => {
  try {
    return answersSchema.parse(JSON.parse(readFileSync(fileIn(own), 'utf8')))
  } catch {
    return {}
  }
}

const write = (own: string, answers: Answers): void => {
  const file = fileIn(own)
  const draft = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(draft, `${JSON.stringify(answers, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

const isNamed = ({ env, cwd }: TrustPlace): boolean => {
  const folder = realPath(cwd)
  const named = (env.ROUNDTABLE_TRUST ?? '').split(delimiter).filter(path => path.trim() !== '')
  return folder !== undefined && named.some(path => realPath(path.trim()) === folder)
}

/** Undefined if the person hasn't been asked about these claims. */
export const answerFor = (place: TrustPlace, claims: readonly FolderClaim[]): boolean | undefined => {
  if (isNamed(place)) return true
  const folder = realPath(place.cwd) ?? ''
  const answers = answersIn(place.own)
  const answer = Object.hasOwn(answers, folder) ? answers[folder] : undefined
  return answer?.claims === hashOf(claims) ? answer.agreed : undefined
}

export const rememberAnswer = (place: TrustPlace, claims: readonly FolderClaim[], agreed: boolean): void =>
  write(place.own, {
    ...answersIn(place.own),
    [realPath(place.cwd) ?? place.cwd]: { claims: hashOf(claims), agreed },
  })

/** Returns whether there was an answer. */
export const forgetAnswer = (place: TrustPlace): boolean => {
  const { [realPath(place.cwd) ?? place.cwd]: answer, ...others } = answersIn(place.own)
  if (answer) write(place.own, others)
  return answer !== undefined
}
