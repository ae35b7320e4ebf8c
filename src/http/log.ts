/** The log of a server: one JSON object per line. Keys, tokens and bodies are never logged. */

import { STATUS_CODES } from 'node:http'
import type { HonoRequest } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { type DestinationStream, pino } from 'pino'
import type { z } from 'zod'
import type { Problem } from '../api/common.ts'
import { UsageError, type UsageKind } from '../core/basics.ts'
import { deepest, pathText } from '../core/form.ts'
import type { AttachedFile } from '../evidence/files.ts'
import { isDatabaseAway, QueryFailed } from '../store/postgres.ts'

// failure: What may be logged and shown about a failure.

/** A failed query repeats its parameters: questions, answers, tokens of share links. */
const isFailedQuery = (error: Error): boolean => 'query' in error && 'params' in error

const chainOf = (error: unknown): Error[] => {
  const chain: Error[] = []
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one)
  return chain
}

const linesOf = ({ stack = '', message }: Error): string => {
  const from = stack.indexOf(message)
  return from < 0 ? '' : stack.slice(from + message.length)
}

/** The cause of a failure in one line, without the parameters of a query. */
export const causeOf = (error: unknown): string => {
  const chain = chainOf(error)
  const cause = chain.find(one => !isFailedQuery(one))
  if (cause) return withoutParameters(String(cause))
  return chain.length > 0 ? 'A query failed.' : withoutParameters(String(error))
}

/** The same, and where in the code it happened. */
export const traceOf = (error: unknown): string => causeOf(error) + chainOf(error).map(linesOf).join('')

/** Other parts of the program, and packages, log errors as text. Parameters may have several lines: all of them go. */
export const withoutParameters = (text: string): string => {
  const query = text.indexOf('Failed query:')
  const from = query < 0 ? -1 : text.indexOf('\nparams:', query)
  return from < 0 ? text : `${text.slice(0, from)}\nparams: …`
}

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

// problem: Errors as RFC 9457 problem documents that say what to do.

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

// multipart: Forms with files, as `curl -F` and browsers send them.

export const isMultipart = (request: Pick<HonoRequest, 'header'>): boolean =>
  request.header('content-type')?.toLowerCase().startsWith('multipart/form-data') ?? false

export interface MultipartForm {
  readonly files: readonly AttachedFile[]
  /** The field of that name, if it has one. */
  field(name: string): string | undefined
}

/** What was read for a route's schema is there at once, and no promise: so this awaits, and chains nothing. */
const formIn = async (request: HonoRequest): Promise<FormData> => {
  try {
    return await request.formData()
  } catch {
    throw new Refusal(400, 'The body is not a form that can be read (multipart/form-data).')
  }
}

export const multipartOf = async (request: HonoRequest): Promise<MultipartForm> => {
  const form = await formIn(request)
  const files: AttachedFile[] = []
  for (const [, value] of form)
    if (typeof value !== 'string')
      files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  return {
    files,
    field(name) {
      const value = form.get(name)
      return typeof value === 'string' ? value : undefined
    },
  }
}
