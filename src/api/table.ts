/** Replies about tables: models, line-ups, protocols, estimates, track records. */

import { z } from 'zod'
import {
  keySchema,
  savedDefaultNames,
  savedDefaultsSchema,
  seatInputSchema,
  templateNameSchema,
  templateSchema,
} from '../core/ask.ts'
import { roles } from '../core/basics.ts'
import { usageSchema } from '../core/event.ts'
import { flagSchema, list, mayDelete, plainText, rangeSchema } from './common.ts'

// settings: Requests and replies about the configuration and the built-in model.

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

export const estimateSchema = z
  .object({
    calls: rangeSchema,
    inputTokens: rangeSchema,
    outputTokens: rangeSchema,
    /** Part of the input that a model has read before in the session. */
    repeatedInput: rangeSchema,
    /** Null: the price of a model is unknown. */
    costUsd: rangeSchema.nullable(),
    /** The person's subscription to an agent pays for a part of it. */
    subscription: z.literal(true).optional(),
    seconds: rangeSchema,
    seatUsd: z.record(z.string(), rangeSchema.nullable()),
    moderatorUsd: rangeSchema.nullable().optional(),
    /** The passages that seats get, or would get with `excerpts`, of attachments that don't fit a model. Absent: everything fits. */
    excerpts: z.object({ given: z.number(), of: z.number(), wanted: z.boolean() }).optional(),
    /** The names of seats that probably can't see the attached pictures. Absent: all see them, or there are none. */
    unseen: list(z.string()).optional(),
    notes: list(z.string()),
  })
  .meta({ id: 'Estimate' })
export type EstimateReply = z.infer<typeof estimateSchema>

/** Sharper wordings of a question; none if it is clear as it is. Nothing was asked of the table. */
export const sharpenedSchema = z
  .object({
    moderator: z.string(),
    unclear: z.string(),
    wordings: list(z.object({ settles: z.string(), wording: z.string() })),
    usage: usageSchema.nullable(),
  })
  .meta({ id: 'Sharpened' })
export type SharpenedReply = z.infer<typeof sharpenedSchema>

export const priceSchema = z.object({
  input: z.number(),
  output: z.number(),
  cachedInput: z.number().optional(),
  cacheWrite: z.number().optional(),
  reasoning: z.number().optional(),
  search: z.number().optional(),
})

export const modelSchema = z
  .object({
    /** The name to seat this model with. */
    id: z.string(),
    name: z.string(),
    maker: z.string(),
    makerLabel: z.string(),
    context: z.number().nullable(),
    /** Dollars per million tokens; null: unknown. */
    price: priceSchema.nullable(),
    /** It can be seated now. */
    configured: z.boolean(),
    /** Variables of which one must be set; for a built-in model, what it needs. */
    missing: list(z.string()),
    local: z.boolean(),
    house: z.boolean(),
    /** A command-line agent on this machine, which the person's subscription pays. */
    agent: z.literal(true).optional(),
    openWeights: z.boolean(),
  })
  .meta({ id: 'Model' })
export type ModelReply = z.infer<typeof modelSchema>

/** Models of line-ups that their providers are about to turn off. */
export const retiringSchema = z
  .object({
    models: list(
      z.object({
        model: z.string(),
        name: z.string(),
        /** The day that the provider's own list says: 2026-12-31. */
        retires: z.string(),
        /** The next model of the same family. */
        successor: z.object({ id: z.string(), name: z.string() }).optional(),
        lineups: list(z.string()),
      }),
    ),
  })
  .meta({ id: 'Retiring' })
export type RetiringReply = z.infer<typeof retiringSchema>

export const modelsQuerySchema = z.object({
  search: z.string().max(200).optional(),
  maker: z.string().max(100).optional(),
  configured: flagSchema.optional(),
  local: flagSchema.optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
})
export type ModelsQuery = z.input<typeof modelsQuerySchema>

export const modelsSchema = z.object({ models: list(modelSchema), total: z.int() }).meta({ id: 'Models' })
export type ModelsReply = z.infer<typeof modelsSchema>

/** What a table sets; the defaults apply to everything else. */
const brings = {
  seats: list(seatInputSchema),
  moderator: z.string().optional(),
  rounds: z.int().optional(),
  protocol: z.string().optional(),
}

export const lineupSchema = z
  .object({
    name: z.string(),
    label: z.string(),
    ...brings,
    origin: z.enum(['saved', 'configuration', 'built-in']),
    /** What the empty seats need, in words. */
    missing: list(z.string()),
    mayDelete,
  })
  .meta({ id: 'Lineup' })
export type LineupReply = z.infer<typeof lineupSchema>

export const lineupsSchema = z
  .object({
    lineups: list(lineupSchema),
    /** The default table. It has no seats if no model can be reached yet. */
    usual: z.object(brings),
  })
  .meta({ id: 'Lineups' })
export type LineupsReply = z.infer<typeof lineupsSchema>

export const lineupBodySchema = z
  .strictObject({ seats: z.array(seatInputSchema).min(1).max(200) })
  .meta({ id: 'LineupSeats' })
export type LineupBody = z.input<typeof lineupBodySchema>

export const protocolsSchema = z
  .object({
    protocols: list(
      z.object({
        id: z.string(),
        label: z.string(),
        summary: z.string(),
        rounds: z.object({ usual: z.number(), most: z.number() }),
        /** The default protocol. */
        usual: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Protocols' })
export type ProtocolsReply = z.infer<typeof protocolsSchema>

const scoreSchema = z.object({ right: z.number(), of: z.number() })

const modelRecordSchema = z
  .object({
    model: z.string(),
    name: z.string(),
    sessions: z.number(),
    /** Counts resolved questions only, as does everything else about right and wrong. */
    sealed: scoreSchema,
    final: scoreSchema,
    brier: z.number().nullable(),
    calibration: list(
      z.object({
        from: z.number(),
        to: z.number(),
        count: z.number(),
        said: z.number(),
        right: z.number(),
      }),
    ),
    rightToWrong: z.number(),
    wrongToRight: z.number(),
    persuasion: z.object({ adopters: z.number(), exposures: z.number() }),
    stubbornness: z.object({ stayed: z.number(), opposed: z.number() }),
    answers: z.number(),
    silent: z.number(),
    costUsd: z.number().nullable(),
    latency: z.number().nullable(),
  })
  .meta({ id: 'ModelRecord' })

export const statsQuerySchema = z.object({
  /** How many of the newest sessions are read. */
  limit: z.coerce.number().int().min(1).max(10_000).default(2_000),
})

export const statsSchema = z
  .object({
    sessions: z.number(),
    resolved: z.number(),
    models: list(modelRecordSchema),
    agreement: list(z.object({ one: z.string(), other: z.string(), same: z.number(), of: z.number() })),
    splits: z.record(z.string(), z.object({ right: z.number(), of: z.number() })),
  })
  .meta({ id: 'Stats' })
export type StatsReply = z.infer<typeof statsSchema>

// team: Requests and replies about the people of a server with accounts, for its admins.

export const waysIn = ['password', 'passkey', 'provider'] as const

const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: z.enum(roles),
  since: z.string(),
  disabled: z.boolean(),
  /** How they can log in. */
  ways: list(z.enum(waysIn)),
  lastSignIn: z.string().nullable(),
  /** In how many browsers they are logged in. */
  signedIn: z.int().nonnegative(),
})
export const membersSchema = z.object({ people: list(memberSchema) }).meta({ id: 'Members' })
export type MemberReply = z.infer<typeof memberSchema>
export type MembersReply = z.infer<typeof membersSchema>

export const roleBodySchema = z.strictObject({ role: z.enum(roles) }).meta({ id: 'RoleChange' })
export type RoleBody = z.input<typeof roleBodySchema>

export const disabledBodySchema = z.strictObject({ disabled: z.boolean() }).meta({ id: 'Disabled' })
export type DisabledBody = z.input<typeof disabledBodySchema>

export const invitationBodySchema = z
  .strictObject({
    role: z.enum(roles),
    /** For whom it is. They may choose another name. */
    name: plainText(100).trim().min(1).optional(),
    email: z.email().max(200).optional(),
  })
  .meta({ id: 'NewInvitation' })
export type InvitationBody = z.input<typeof invitationBodySchema>

/** The link is shown only here. */
export const invitedSchema = z.object({ path: z.string() }).meta({ id: 'Invited' })
export type InvitedReply = z.infer<typeof invitedSchema>

const invitationSchema = z.object({
  id: z.string(),
  role: z.enum(roles),
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Who made it. */
  by: z.string(),
  until: z.string(),
})
export const invitationsSchema = z.object({ invitations: list(invitationSchema) }).meta({ id: 'Invitations' })
export type InvitationReply = z.infer<typeof invitationSchema>
export type InvitationsReply = z.infer<typeof invitationsSchema>

/** A key without its secret, which nobody can read again. */
const newKeySchema = z.object({
  id: z.string(),
  person: z.string(),
  name: z.string(),
  label: z.string(),
  scope: z.string(),
  until: z.string(),
  /** The day of its last use. */
  used: z.string().nullable(),
})
export const keysSchema = z.object({ keys: list(newKeySchema) }).meta({ id: 'TeamKeys' })
export type TeamKeyReply = z.infer<typeof newKeySchema>
export type TeamKeysReply = z.infer<typeof keysSchema>

const mostAmount = 1e12
const amount = z.number().nonnegative().max(mostAmount).nullable()
const wholeAmount = z.int().nonnegative().max(mostAmount).nullable()

/** In dollars and tokens; null: no limit. */
const limitSchema = z.strictObject({ usd: amount, tokens: wholeAmount })
export const budgetBodySchema = z
  .strictObject({ day: limitSchema, month: limitSchema })
  .meta({ id: 'Budget' })
export type BudgetBody = z.input<typeof budgetBodySchema>

/** Counts and sums alone: what was asked is nobody else’s business. */
const usedSchema = z.object({
  usd: z.number(),
  tokens: z.number(),
  calls: z.int().nonnegative(),
  /** Sessions that were opened and still exist. */
  asked: z.int().nonnegative(),
})
export type UsedReply = z.infer<typeof usedSchema>

const payerSchema = z.object({
  /** A person’s id, or `team` for everybody together. */
  id: z.string(),
  name: z.string(),
  today: usedSchema,
  month: usedSchema,
  /** The days of this month on which something was asked or used. */
  days: list(usedSchema.extend({ day: z.string() })),
  budget: budgetBodySchema,
})
export const teamSpendingSchema = z
  .object({
    /** In UTC, such as 2026-11-18. */
    today: z.string(),
    /** The team first, then everybody by name. */
    payers: list(payerSchema),
  })
  .meta({ id: 'TeamSpending' })
export type TeamPayerReply = z.infer<typeof payerSchema>
export type TeamSpendingReply = z.infer<typeof teamSpendingSchema>

export const auditQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** The `next` of the previous page. */
  before: plainText(100).optional(),
})

const auditLineSchema = z.object({
  at: z.string(),
  /** A name, or `terminal` for a command on the server’s machine. */
  who: z.string(),
  what: z.string(),
  /** A name, or the id of a session. */
  whose: z.string().nullable(),
  /** What it was set to, or which one of several. */
  detail: z.string().nullable(),
  from: z.string(),
})
export const auditSchema = z
  .object({ entries: list(auditLineSchema), next: z.string().nullable() })
  .meta({ id: 'Audit' })
export type AuditLineReply = z.infer<typeof auditLineSchema>
export type AuditReply = z.infer<typeof auditSchema>

export const retentionSchema = z
  .object({
    /** Seconds after which a finished session is removed; null: sessions are kept. */
    keepSeconds: z.number().nullable(),
  })
  .meta({ id: 'Retention' })
export type RetentionReply = z.infer<typeof retentionSchema>

// templates: Requests and replies about templates.

export const templateParams = z.object({ name: templateNameSchema })

export const templateBodySchema = templateSchema.meta({ id: 'Template' })
export type TemplateBody = z.input<typeof templateBodySchema>

export const listedTemplateSchema = z
  .object({
    name: z.string(),
    /** One that was saved here takes the place of a built-in one of the same name. */
    origin: z.enum(['saved', 'built-in']),
    template: templateSchema,
    /** The names of its blanks, which `fill` fills in. */
    blanks: list(z.string()),
    mayDelete,
  })
  .meta({ id: 'ListedTemplate' })
export type TemplateReply = z.infer<typeof listedTemplateSchema>

export const templatesSchema = z
  .object({
    templates: list(listedTemplateSchema),
    /** Files of the folder that aren't templates, and why. */
    problems: list(z.string()),
  })
  .meta({ id: 'Templates' })
export type TemplatesReply = z.infer<typeof templatesSchema>
