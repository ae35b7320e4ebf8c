/**
 * The wire: the form of every request and response of the HTTP API. Pure, for pages and command lines read it too;
 * the routes and the OpenAPI document are made from it.
 */
import { z } from 'zod'
import { wishSchema } from '../core/ask-input.ts'
import { eventSchema, outcomes } from '../core/event.ts'
import { seatInputSchema } from '../core/seat-input.ts'
import { levels } from '../core/tally.ts'
import { documentSchema } from '../exports/document-schema.ts'

const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
/** Databases count positions in 32 bits. */
export const latestPosition = 2 ** 31 - 1
const rangeSchema = z.object({ low: z.number(), high: z.number() })
/** Databases hold no NUL in text. */
const plainText = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\0]*$/, 'There is a NUL in it.')
const flagSchema = z.enum(['true', 'false']).transform(word => word === 'true')

/** RFC 9457: every answer that is not a success. `detail` says what to do. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    /** Which parts of the request are wrong, where it can be told. */
    errors: list(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof problemSchema>

/** What nobody knows is refused: a misspelt field would be left out silently. */
export const askBodySchema = z.strictObject(wishSchema.shape).meta({ id: 'Ask' })
export type AskBody = z.input<typeof askBodySchema>

/** The same question, and whatever should be different. */
export const forkBodySchema = askBodySchema.partial().meta({ id: 'Fork' })
export type ForkBody = z.input<typeof forkBodySchema>

export const replaceBodySchema = z.strictObject({ seat: seatInputSchema }).meta({ id: 'Replace' })
export type ReplaceBody = z.input<typeof replaceBodySchema>

/** The right answer: a value, the id or the words of a camp, or `none` where nobody had it. */
export const resolveBodySchema = z
  .strictObject({ answer: z.string().trim().min(1).max(10_000) })
  .meta({ id: 'Resolution' })
export type ResolveBody = z.input<typeof resolveBodySchema>

export const tagsBodySchema = z
  .strictObject({ tags: z.array(plainText(100).trim().min(1)).max(50) })
  .meta({ id: 'Tags' })
export type TagsBody = z.input<typeof tagsBodySchema>

/** Of a session that was opened, forked or imported. */
export const openedSchema = z.object({ id: z.string() }).meta({ id: 'Opened' })
export type Opened = z.infer<typeof openedSchema>

/** Of an act on a session: the place that it has in the log. */
export const acceptedSchema = z.object({ position: z.int().nonnegative() }).meta({ id: 'Accepted' })
export type Accepted = z.infer<typeof acceptedSchema>

/** `path` is the page that anybody may open; `/api/shared/<token>` is the same for programs. */
export const shareSchema = z.object({ token: z.string(), path: z.string() }).meta({ id: 'Share' })
export type Share = z.infer<typeof shareSchema>

/** The document that an export to JSON gives, and what is kept beside the log. */
export const sessionSchema = documentSchema
  .extend({ tags: list(z.string()), share: shareSchema.nullable() })
  .meta({ id: 'Session' })
export type SessionReply = z.infer<typeof sessionSchema>

/** What a share link shows: the session, and not how its owner files it. */
export const sharedSchema = documentSchema.meta({ id: 'SharedSession' })
export type SharedReply = z.infer<typeof sharedSchema>

export const foundSchema = z
  .object({
    id: z.string(),
    question: z.string(),
    openedAt: z.string(),
    /** Null while the session is under way. */
    outcome: z.enum(outcomes).nullable(),
    level: z.enum(levels).nullable(),
    line: z.string().nullable(),
    protocol: z.string(),
    models: list(z.string()),
    tags: list(z.string()),
  })
  .meta({ id: 'Found' })
export type FoundReply = z.infer<typeof foundSchema>

export const findQuerySchema = z.object({
  /** Words that must all stand in the session. */
  words: plainText(1_000).optional(),
  model: plainText(300).optional(),
  protocol: plainText(100).optional(),
  level: z.enum(levels).optional(),
  outcome: z.enum(outcomes).optional(),
  tag: plainText(100).optional(),
  /** Opened at this time or later; ISO 8601. */
  from: z.union([z.iso.datetime(), z.iso.date()]).optional(),
  before: z.union([z.iso.datetime(), z.iso.date()]).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** The `next` of the page before. */
  cursor: z.string().max(1_000).optional(),
})
export type FindQuery = z.input<typeof findQuerySchema>

export const findingsSchema = z
  .object({ sessions: list(foundSchema), next: z.string().nullable() })
  .meta({ id: 'Findings' })
export type FindingsReply = z.infer<typeof findingsSchema>

export const estimateSchema = z
  .object({
    calls: rangeSchema,
    inputTokens: rangeSchema,
    outputTokens: rangeSchema,
    /** Null: the price of a model is unknown. */
    costUsd: rangeSchema.nullable(),
    seconds: rangeSchema,
    seatUsd: z.record(z.string(), rangeSchema.nullable()),
    moderatorUsd: rangeSchema.nullable().optional(),
    notes: list(z.string()),
  })
  .meta({ id: 'Estimate' })
export type EstimateReply = z.infer<typeof estimateSchema>

export const eventsQuerySchema = z.object({
  /** The last position that the watcher has; the header Last-Event-ID counts over it. */
  after: z.coerce.number().int().min(-1).max(latestPosition).optional(),
})

/** The data of one event of the stream. Those of the log have a position, and it is their `id:`. */
export const liveEventSchema = z
  .union([
    eventSchema,
    z.object({
      type: z.literal('delta'),
      round: z.number(),
      seat: z.string(),
      field: z.enum(['headline', 'reasoning', 'thinking']),
      text: z.string(),
    }),
    z.object({
      type: z.literal('retrying'),
      round: z.number(),
      seat: z.string(),
      attempt: z.number(),
      why: z.string(),
    }),
  ])
  .meta({ id: 'LiveEvent' })

export const exportQuerySchema = z.object({ compact: flagSchema.optional() })

export const priceSchema = z.object({
  input: z.number(),
  output: z.number(),
  cachedInput: z.number().optional(),
  cacheWrite: z.number().optional(),
  reasoning: z.number().optional(),
})

export const modelSchema = z
  .object({
    /** What a seat is given to be this model. */
    id: z.string(),
    name: z.string(),
    maker: z.string(),
    makerLabel: z.string(),
    context: z.number().nullable(),
    /** Dollars for a million tokens; null: unknown. */
    price: priceSchema.nullable(),
    /** It can be seated now. */
    configured: z.boolean(),
    /** Variables of which one must be set. */
    missing: list(z.string()),
    local: z.boolean(),
    house: z.boolean(),
    openWeights: z.boolean(),
  })
  .meta({ id: 'Model' })
export type ModelReply = z.infer<typeof modelSchema>

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

export const lineupSchema = z
  .object({
    name: z.string(),
    label: z.string(),
    seats: list(seatInputSchema),
    origin: z.enum(['saved', 'configuration', 'built-in']),
    /** What would fill the seats that stay empty, in words. */
    missing: list(z.string()),
  })
  .meta({ id: 'Lineup' })
export type LineupReply = z.infer<typeof lineupSchema>

export const lineupsSchema = z.object({ lineups: list(lineupSchema) }).meta({ id: 'Lineups' })
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
        /** The one that is taken where nobody names one. */
        usual: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Protocols' })
export type ProtocolsReply = z.infer<typeof protocolsSchema>

const houseModelSchema = z.object({
  model: z.string(),
  name: z.string(),
  licence: z.string(),
  bytes: z.number(),
  state: z.enum(['absent', 'fetching', 'whole', 'damaged']),
})

/** The model that answers where nobody else can: the best that is here, or the smallest that could be. */
export const houseSchema = houseModelSchema
  .extend({
    label: z.string(),
    /** Bytes that are there, while it is fetched. */
    fetched: z.number().nullable(),
    /** Why the last fetch ended without it. */
    problem: z.string().nullable(),
    /** Every model that can be fetched, best first. */
    choices: list(houseModelSchema),
  })
  .meta({ id: 'House' })
export type HouseReply = z.infer<typeof houseSchema>

/** Nothing is fetched without it. Of several models, the smallest is meant unless one is named. */
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
  /** Asks every provider for its list, and says what is wrong; takes seconds. */
  check: flagSchema.optional(),
})

export const settingsSchema = z
  .object({
    version: z.string(),
    providers: list(
      z.object({
        id: z.string(),
        label: z.string(),
        configured: z.boolean(),
        /** Variables that may hold its key, or its address where it takes none. */
        variables: list(z.string()),
        keyPage: z.string().optional(),
        local: z.boolean(),
      }),
    ),
    localServers: list(z.object({ id: z.string(), label: z.string(), models: list(z.string()) })),
    house: houseSchema,
    exports: list(z.object({ id: z.string(), label: z.string(), extension: z.string() })),
    /** What is taken where a question does not say. */
    usual: z.object({
      seats: list(seatInputSchema).nullable(),
      moderator: z.string().nullable().optional(),
      protocol: z.string(),
      rounds: z.number().optional(),
      deadline: z.number().optional(),
    }),
    limits: z.object({
      bodyBytes: z.number(),
      questionCharacters: z.number(),
      attachmentCharacters: z.number(),
      seats: z.number(),
      writesPerMinute: z.number(),
    }),
    /** A token is asked for. */
    guarded: z.boolean(),
    findings: list(findingSchema).nullable(),
  })
  .meta({ id: 'Settings' })
export type SettingsReply = z.infer<typeof settingsSchema>

const scoreSchema = z.object({ right: z.number(), of: z.number() })

const modelRecordSchema = z
  .object({
    model: z.string(),
    name: z.string(),
    sessions: z.number(),
    /** Of resolved questions only, as is all that speaks of right and wrong. */
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
  /** How many sessions, newest first, are read. */
  limit: z.coerce.number().int().min(1).max(10_000).default(2_000),
})

export const statsSchema = z
  .object({
    sessions: z.number(),
    resolved: z.number(),
    models: list(modelRecordSchema),
    agreement: list(z.object({ one: z.string(), other: z.string(), same: z.number(), of: z.number() })),
  })
  .meta({ id: 'Stats' })
export type StatsReply = z.infer<typeof statsSchema>
