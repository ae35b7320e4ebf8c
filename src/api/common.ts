/** Schemas that several requests and replies share. */
import { z } from 'zod'
import { usageKinds } from '../core/errors.ts'

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
/** The database stores positions in 32 bits. */
export const latestPosition = 2 ** 31 - 1
export const rangeSchema = z.object({ low: z.number(), high: z.number() })
/** Postgres can't store NUL in text. */
export const plainText = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\0]*$/, 'Remove the NUL character.')
/** Only with accounts, and of what was saved: whether whoever asks may delete it. */
export const mayDelete = z.boolean().optional()
export const flagSchema = z.enum(['true', 'false']).transform(word => word === 'true')

/** RFC 9457: the body of every reply that is not a success. `detail` says what to do. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    /** What kind of mistake it is, if there is more to say about it than `detail`. */
    kind: z.enum(usageKinds).optional(),
    /** Which parts of the request are wrong, if that is known. */
    errors: list(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof problemSchema>
