/** Requests and replies about the configuration and the built-in model. */
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

export const settingsSchema = z
  .object({
    version: z.string(),
    providers: list(
      z.object({
        id: z.string(),
        label: z.string(),
        configured: z.boolean(),
        /** Variables that can hold its key; its address, if it needs no key. */
        variables: list(z.string()),
        keyPage: z.string().optional(),
        local: z.boolean(),
      }),
    ),
    localServers: list(z.object({ id: z.string(), label: z.string(), models: list(z.string()) })),
    house: houseSchema,
    exports: list(z.object({ id: z.string(), label: z.string(), extension: z.string() })),
    /** The defaults of a question. */
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
    /** Requests need a token. */
    guarded: z.boolean(),
    findings: list(findingSchema).nullable(),
  })
  .meta({ id: 'Settings' })
export type SettingsReply = z.infer<typeof settingsSchema>
