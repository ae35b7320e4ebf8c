/** The wire of what is configured, and of the house model. */
import { z } from 'zod'
import { seatInputSchema } from '../core/question/seat-input.ts'
import { flagSchema, list } from './common.ts'

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
