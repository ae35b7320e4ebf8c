/** Errors in OpenAI's form, so that its clients show the words and know whether to try again. */
import { refusalFrom } from '../problem.ts'

interface OpenAIErrorFields {
  readonly status: number
  readonly code?: string
  /** Which field of the request is wrong. */
  readonly param?: string
}

/** A request to the OpenAI-compatible endpoint that was not carried out. */
export class OpenAIError extends Error {
  override readonly name = 'OpenAIError'
  readonly status: number
  readonly code: string | null
  readonly param: string | null

  constructor(message: string, { status, code, param }: OpenAIErrorFields) {
    super(message)
    this.status = status
    this.code = code ?? null
    this.param = param ?? null
  }
}

export const wrongField = (param: string, message: string): OpenAIError =>
  new OpenAIError(message, { status: 400, param, code: 'invalid_value' })

const typeFor = (status: number): string => {
  if (status === 401) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

/** What stands in a body, and in a stream that has begun. */
export const errorBody = (
  error: unknown,
): { readonly status: number; readonly body: object; readonly headers: Readonly<Record<string, string>> } => {
  if (error instanceof OpenAIError) {
    const { status, message, param, code } = error
    return { status, headers: {}, body: { error: { message, type: typeFor(status), param, code } } }
  }
  const refusal = refusalFrom(error)
  // OpenAI answers every mistake in a body with 400.
  const status = refusal.status === 422 ? 400 : refusal.status
  const param = refusal.errors?.[0]?.path || null
  const code = refusal.kind ?? null
  return {
    status,
    headers: refusal.headers,
    body: { error: { message: refusal.message, type: typeFor(status), param, code } },
  }
}

export const errorResponse = (error: unknown): Response => {
  const { status, body, headers } = errorBody(error)
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}
