/** What goes over the socket of an archive: the arguments of calls, and errors that keep their kind. */
import { z } from 'zod'
import { UsageError, usageKinds } from '../../core/errors.ts'
import { PositionTaken } from '../store.ts'

/** Each argument in an array of its own: JSON would turn an `undefined` into a `null`, which is another value. */
export const packedArguments = (given: readonly unknown[]): unknown[][] =>
  given.map(one => (one === undefined ? [] : [one]))

export const unpackedArguments = (packed: unknown): unknown[] =>
  z
    .array(z.array(z.unknown()).max(1))
    .parse(packed)
    .map(([one]) => one)

/** A server that runs sessions for other processes. */
export const serverAddressSchema = z.object({
  /** `http://127.0.0.1:4317` */
  address: z.string(),
  /** What it asks of clients, if it asks for anything. */
  token: z.string().optional(),
})
export type ServerAddress = z.infer<typeof serverAddressSchema>

export const helloSchema = z.object({
  /** The token in the lock file: only the process that wrote the lock knows it. */
  token: z.string(),
  server: serverAddressSchema.optional(),
})
export type Hello = z.infer<typeof helloSchema>

const failureSchema = z.object({
  name: z.string(),
  message: z.string(),
  kind: z.enum(usageKinds).catch('invalid').optional(),
  data: z.record(z.string(), z.string()).optional(),
  session: z.string().optional(),
  position: z.number().optional(),
})

export const failureOf = (error: unknown): z.infer<typeof failureSchema> => {
  if (PositionTaken.isInstance(error)) return { ...error, name: error.name, message: error.message }
  if (UsageError.isInstance(error))
    return { name: error.name, message: error.message, kind: error.kind, data: error.data }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}

export const errorFrom = (value: unknown): Error => {
  const { name, message, kind, data, session, position } = failureSchema.parse(value)
  if (session !== undefined && position !== undefined) return new PositionTaken(session, position)
  return name === 'UsageError' ? new UsageError(message, kind, data) : new Error(message)
}
