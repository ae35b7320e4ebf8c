/** Replies about tables: models, line-ups, protocols, estimates, track records. */
import { z } from 'zod'
import { usageSchema } from '../core/log/spent.ts'
import { seatInputSchema } from '../core/question/seat-input.ts'
import { flagSchema, list, mayDelete, rangeSchema } from './common.ts'

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
