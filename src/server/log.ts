/** The log of a server: one JSON object a line. Nothing that is logged holds a key, a token or a body. */
import { type DestinationStream, pino } from 'pino'

/** A logger of pino's has this form. */
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
