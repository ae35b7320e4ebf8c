/** The form of `roundtable.config.json`. A mistake is reported with the file and the place in it. */
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import { longestDeadline } from '../core/log/bounds.ts'
import { budgetSchema } from '../core/log/event.ts'
import { mostRounds } from '../core/question/ask-input.ts'
import { pathText } from '../core/question/schema-issue.ts'
import { seatInputSchema } from '../core/question/seat-input.ts'
import { searchModes } from '../core/question/source.ts'
import { outputNames } from '../providers/agents/own.ts'

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
  if (file?.settings.agents) throw new UsageError(`${path}: agents: ${ownFileOnly}`)
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
