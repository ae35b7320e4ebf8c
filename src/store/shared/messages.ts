/** What goes through the door of an archive: calls as JSON, and failures that keep their kind. */
import { z } from 'zod'
import { UsageError, usageKinds } from '../../core/errors.ts'
import type { Archive } from '../archive/archive.ts'
import { PositionTaken } from '../store.ts'

export type Method = Exclude<keyof Archive, 'close'>

/** Every call there is: one that is missing here does not compile. */
const methods: Readonly<Record<Method, true>> = {
  append: true,
  read: true,
  list: true,
  remove: true,
  find: true,
  tags: true,
  tag: true,
  lineups: true,
  saveLineup: true,
  removeLineup: true,
  settings: true,
  setting: true,
  saveSetting: true,
  claimSetting: true,
  removeSetting: true,
}

export const isMethod = (name: string): name is Method => Object.hasOwn(methods, name)

/** A server that runs sessions for other processes, and what it asks of them. */
export const serverSchema = z.object({ address: z.string(), token: z.string().optional() })
export type ServerAddress = z.infer<typeof serverSchema>

export const helloSchema = z.object({
  /** The lock's own: who answers with it is who wrote the lock. */
  token: z.string(),
  server: serverSchema.optional(),
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
