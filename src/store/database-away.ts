/** Tells a database that can't be reached from a statement that it refused, and waits until it is back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../core/errors.ts'

/** Postgres ends or refuses a connection, or a connection breaks. */
const codes: ReadonlySet<string> = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '53300'],
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
])
/** Nobody listens at the address, or its name can't be resolved. */
const systemCalls: ReadonlySet<string> = new Set(['connect', 'getaddrinfo'])
/** The driver gives its own errors no code. */
const words =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/

/** Errors of statements wrap the reason; the one of a connection to several addresses has it in a list. */
const causesOf = (error: unknown): unknown[] => {
  const causes: unknown[] = []
  for (let one = error; one instanceof Error && causes.length < 10; one = one.cause) {
    causes.push(one)
    if (one instanceof AggregateError) causes.push(...one.errors)
  }
  return causes
}

/** Whether the connection failed, so that the same call may succeed on another one. It may also have been carried out. */
export const isDatabaseAway = (error: unknown): boolean =>
  causesOf(error).some(cause => {
    const { code = '', syscall = '', message } = cause as NodeJS.ErrnoException
    return codes.has(code) || code.startsWith('08') || systemCalls.has(syscall) || words.test(message)
  })

const shortest = 50
const longest = 1_000

const isFull = (error: unknown): boolean => UsageError.isInstance(error) && error.kind === 'disk-full'

export interface Wait {
  /** Aborted if nobody waits any more. */
  readonly signal: AbortSignal
  /** Called once, with the reason. */
  readonly begun: (error: unknown) => void
}

/** Tries again while the database is away or its disk is full. `again` is true if an earlier try failed. */
export const untilBack = async <T>(
  work: (again: boolean) => Promise<T>,
  { signal, begun }: Wait,
): Promise<T> => {
  for (let tries = 0; ; tries++) {
    try {
      return await work(tries > 0)
    } catch (error) {
      if (signal.aborted || !(isDatabaseAway(error) || isFull(error))) throw error
      if (tries === 0) begun(error)
      await sleep(Math.min(longest, shortest * 2 ** tries), undefined, { signal }).catch(() => {})
    }
  }
}
