/** The log of a server: one JSON object per line. Keys, tokens and bodies are never logged. */
import { type DestinationStream, pino } from 'pino'

/** The part of a pino logger that the server uses. */
export interface ServerLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const createLog = (verbose: boolean, destination?: DestinationStream): ServerLog =>
  pino(
    {
      level: verbose ? 'debug' : 'info',
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['token', 'key', 'authorization', '*.token', '*.key', '*.authorization'],
    },
    destination ?? pino.destination(2),
  )
