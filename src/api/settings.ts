/** Requests and replies about the configuration and the built-in model. */
import { z } from 'zod'
import { keySchema, savedDefaultNames, savedDefaultsSchema } from '../core/question/saved-defaults.ts'
import { seatInputSchema } from '../core/question/seat-input.ts'
import { flagSchema, list } from './common.ts'

const houseModelSchema = z.object({
  model: z.string(),
  name: z.string(),
  licence: z.string(),
  bytes: z.number(),
  state: z.enum(['absent', 'fetching', 'whole', 'damaged']),
})

/** The built-in model: the best one that is downloaded, or else the smallest one. */
export const houseSchema = houseModelSchema
  .extend({
    label: z.string(),
    /** Bytes so far, during a download. */
    fetched: z.number().nullable(),
    /** Why the last download failed. */
    problem: z.string().nullable(),
    /** Every model that can be downloaded, best first. */
    choices: list(houseModelSchema),
  })
  .meta({ id: 'House' })
export type HouseReply = z.infer<typeof houseSchema>

/** Nothing is downloaded without consent. Without a name, the smallest model is downloaded. */
export const houseFetchBodySchema = z
  .strictObject({ consent: z.literal(true), model: z.string().optional() })
  .meta({ id: 'Consent' })

const findingSchema = z.object({
  subject: z.string(),
  state: z.enum(['good', 'bad', 'note']),
  /** The variable that holds the key of a provider, never the key. */
  key: z.string().optional(),
  words: z.string(),
  advice: z.string().optional(),
})

export const settingsQuerySchema = z.object({
  /** Also checks every provider and says what is wrong, which takes seconds. */
  check: flagSchema.optional(),
})

const providerSchema = z.object({
  id: z.string(),
  label: z.string(),
  configured: z.boolean(),
  /** Variables that can hold its key; its address, if it needs no key. Of an endpoint, the one that does hold its key. */
  variables: list(z.string()),
  keyPage: z.string().optional(),
  local: z.boolean(),
  kind: z.enum(['maker', 'endpoint']),
  /** Where its key or address comes from. `settings` can be changed here; the others can't. Null: it isn't configured. */
  from: z.enum(['settings', 'environment', 'found', 'account']).nullable(),
  /** Of an endpoint, without its query. */
  address: z.string().optional(),
  /** The last four characters of a key that was entered here, never more. */
  keyEnding: z.string().optional(),
  /** Why a key that was entered here isn't used. */
  unused: z.string().optional(),
})
export type ProviderReply = z.infer<typeof providerSchema>

/** The command-line agents of this machine. */
const agentsSchema = z.object({
  installed: list(
    z.object({
      /** The name to seat it with. */
      seat: z.string(),
      label: z.string(),
      /** It is logged in, as far as it says. */
      ready: z.boolean(),
      /** What the person types to log in. */
      logIn: z.string(),
      /** From the configuration. */
      own: z.boolean(),
    }),
  ),
  /** Whether they may be the default table. Absent: the person hasn't been asked. */
  agreed: z.boolean().optional(),
  /** Why none is seated here. */
  refusal: z.string().optional(),
})
export type AgentsReply = z.infer<typeof agentsSchema>

/** Without a key or a server, the agents that are logged in are the default table, if the person agrees once. */
export const agreementBodySchema = z.strictObject({ agreed: z.boolean() }).meta({ id: 'AgentAgreement' })
export type AgreementBody = z.input<typeof agreementBodySchema>

export const settingsSchema = z
  .object({
    version: z.string(),
    providers: list(providerSchema),
    localServers: list(z.object({ id: z.string(), label: z.string(), models: list(z.string()) })),
    agents: agentsSchema,
    house: houseSchema,
    exports: list(z.object({ id: z.string(), label: z.string(), extension: z.string() })),
    /** The defaults of a question. */
    usual: z.object({
      seats: list(seatInputSchema).nullable(),
      moderator: z.string().nullable().optional(),
      protocol: z.string(),
      rounds: z.number().optional(),
      deadline: z.number().optional(),
      /** In dollars. */
      budget: z.number().optional(),
      /** Set by the environment or a configuration file: these can't be changed here. */
      fixed: list(z.enum(savedDefaultNames)),
    }),
    /** Whether this request could change the settings; if not, why. */
    changes: z.object({ allowed: z.boolean(), reason: z.string().optional() }),
    limits: z.object({
      bodyBytes: z.number(),
      questionCharacters: z.number(),
      attachmentCharacters: z.number(),
      seats: z.number(),
      writesPerMinute: z.number(),
    }),
    /** Requests need a token. */
    guarded: z.boolean(),
    findings: list(findingSchema).nullable(),
  })
  .meta({ id: 'Settings' })
export type SettingsReply = z.infer<typeof settingsSchema>

/** Kept in a file of the data folder that only its owner can read. No reply ever repeats it. */
export const keyBodySchema = z.strictObject({ key: keySchema }).meta({ id: 'ProviderKey' })
export type KeyBody = z.input<typeof keyBodySchema>

/** Without a key, an endpoint keeps the key it has, unless its address changes. */
export const endpointBodySchema = z
  .strictObject({ baseURL: z.string().trim().min(1).max(2_000), key: keySchema.optional() })
  .meta({ id: 'Endpoint' })
export type EndpointBody = z.input<typeof endpointBodySchema>

/** What a question that doesn't say otherwise gets. A field that is left out goes back to the program's default. */
export const defaultsBodySchema = savedDefaultsSchema.meta({ id: 'Defaults' })
export type DefaultsBody = z.input<typeof defaultsBodySchema>

/** What a provider says to the smallest request there is. */
export const tryOutSchema = findingSchema.meta({ id: 'TryOut' })
export type TryOutReply = z.infer<typeof tryOutSchema>
