/** The log of a server: one JSON object per line. Keys, tokens and bodies are never logged. */
import { type DestinationStream, pino } from 'pino'
import { traceOf, withoutParameters } from './failure.ts'

/** The part of a pino logger that the server uses. */
export interface ServerLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Fields come from other parts of the program too, which log an error as it is. */
const safe = (value: unknown): unknown => {
  if (typeof value === 'string') return withoutParameters(value)
  if (value instanceof Error) return traceOf(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, safe(inner)]))
}

export const createLog = (verbose: boolean, destination?: DestinationStream): ServerLog =>
  pino(
    {
      level: verbose ? 'debug' : 'info',
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: fields => safe(fields) as Record<string, unknown> },
      redact: ['token', 'key', 'authorization', '*.token', '*.key', '*.authorization'],
    },
    destination ?? pino.destination(2),
  )
