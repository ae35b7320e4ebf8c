/** Errors as RFC 9457 problem documents that say what to do. */
import { STATUS_CODES } from 'node:http'
import { HTTPException } from 'hono/http-exception'
import type { z } from 'zod'
import type { Problem } from '../api/index.ts'
import { UsageError, type UsageKind } from '../core/errors.ts'
import { deepest, pathText } from '../core/question/schema-issue.ts'
import { isDatabaseAway } from '../store/database-away.ts'
import { QueryFailed } from '../store/quiet-queries.ts'

/** The reason why a request was not carried out. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly kind: Problem['kind']
  readonly errors: Problem['errors']
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    detail: string,
    more: Pick<Problem, 'kind' | 'errors'> & { headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail)
    this.status = status
    this.kind = more.kind
    this.errors = more.errors
    this.headers = more.headers ?? {}
  }
}

export const unknownSession = (id: string): Refusal =>
  new Refusal(404, `There is no session "${id}". It may have been deleted.`)

/** What a person can do here about a mistake of this kind. */
const adviceFor: Partial<Record<UsageKind, string>> = {
  'no-consent': 'Agree to its download first, or add a key or a server in the settings.',
}

/** The request is right, but it is too early for it, or there is no room. */
const statusFor: Partial<Record<UsageKind, number>> = {
  'no-consent': 409,
  'disk-full': 507,
  'not-allowed': 403,
}

/** For input that has the right form and still can't be used. */
export const misused = (status: 404 | 409 | 422, error: unknown): unknown => {
  if (!UsageError.isInstance(error)) return error
  const { message, kind } = error
  const advice = adviceFor[kind]
  return new Refusal(statusFor[kind] ?? status, advice ? `${message} ${advice}` : message, {
    ...(kind !== 'invalid' && { kind }),
  })
}

/** A mistake in the body gets 422, one in the URL 400. */
export const refusalOf = (target: string, error: z.core.$ZodError): Refusal => {
  const errors = error.issues.map(issue => {
    const { path, message } = deepest(issue)
    return { path: pathText(path), message }
  })
  const lines = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return new Refusal(target === 'json' ? 422 : 400, lines.join('\n'), { errors })
}

const words: Readonly<Record<number, string>> = {
  400: 'The body is not valid JSON.',
  413: 'The request is too large.',
  415: 'Send the body as JSON, with the Content-Type application/json.',
}

/** What a guard refuses, for pages: an API would send it as JSON. */
export const refusedBy = (guard: () => void): Refusal | undefined => {
  try {
    guard()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

export const refusalFrom = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  const misuse = misused(422, error)
  if (misuse instanceof Refusal) return misuse
  if (error instanceof HTTPException && error.status < 500)
    return new Refusal(error.status, words[error.status] ?? error.message)
  if (error instanceof QueryFailed && isDatabaseAway(error))
    return new Refusal(503, 'The database can’t be reached at the moment. Try again in a few seconds.', {
      headers: { 'retry-after': '2' },
    })
  return new Refusal(500, 'The server failed, and your request is not the cause. Its log has the details.')
}

export const problemOf = (error: unknown): Response => {
  const { status, message: detail, kind, errors, headers } = refusalFrom(error)
  const problem: Problem = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    ...(kind && { kind }),
    ...(errors && { errors }),
  }
  return new Response(JSON.stringify(problem), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  })
}
