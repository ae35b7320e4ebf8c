/**
 * Errors of queries without the values of the query. The driver puts them into the message, and Postgres into its details:
 * questions, answers, tokens of share links. From there they would get into logs, replies and terminals.
 */
import { DrizzleQueryError } from 'drizzle-orm'
import type { Database } from './database.ts'

/** Where the drivers and Postgres repeat values. */
const telling = ['query', 'params', 'queryOptions', 'detail', 'where', 'internalQuery'] as const

/** Class 22 of Postgres' codes, data exceptions: a message about a value that it can't read repeats the value. */
const isAboutValue = ({ code }: NodeJS.ErrnoException): boolean => /^22[0-9A-Z]{3}$/.test(code ?? '')

/** The cause stays, because its code tells what to do. */
const quietCause = (cause: NodeJS.ErrnoException | undefined): NodeJS.ErrnoException | undefined => {
  if (!cause) return undefined
  if (isAboutValue(cause))
    return Object.assign(new Error(`the database can't take a value (code ${cause.code})`), {
      code: cause.code,
    })
  for (const name of telling) Reflect.deleteProperty(cause, name)
  return cause
}

/** A query that failed, without its values. The cause is the database's, or that of the connection. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed'
}

const quietError = (error: unknown): unknown => {
  if (!(error instanceof DrizzleQueryError)) return error
  const cause = quietCause(error.cause as NodeJS.ErrnoException | undefined)
  return new QueryFailed(`A query failed: ${cause?.message || cause?.code || 'no reason given'}`, { cause })
}

const quieted = new WeakSet<object>()

/** Changes the database that it is given, and every transaction on it: all queries of both go through their session. */
export const quietQueries = <D extends Pick<Database, '_'>>(database: D): D => {
  const { session } = database._
  if (quieted.has(session)) return database
  quieted.add(session)
  const prepareQuery = session.prepareQuery.bind(session)
  const transaction = session.transaction.bind(session)
  Object.assign(session, {
    prepareQuery(...given: Parameters<typeof prepareQuery>) {
      const prepared = prepareQuery(...given)
      const execute = prepared.execute.bind(prepared)
      prepared.execute = async values => {
        try {
          return await execute(values)
        } catch (error) {
          throw quietError(error)
        }
      }
      return prepared
    },
    transaction: ((work, config) =>
      transaction(inner => work(quietQueries(inner)), config)) satisfies typeof session.transaction,
  })
  return database
}
