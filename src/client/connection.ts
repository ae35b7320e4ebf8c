/** Requests to a Roundtable server. If it refuses one, the error has the server's own words. */
import { problemSchema } from '../api/index.ts'
import { UsageError } from '../core/errors.ts'
import type { ServerAddress } from '../store/shared/messages.ts'

/** The server does not answer, or the connection broke. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone'
  /** The session that was being watched. */
  readonly session: string | undefined

  constructor(message: string, { session, ...options }: ErrorOptions & { readonly session?: string } = {}) {
    super(message, options)
    this.session = session
  }
}

export interface ServerConnection {
  readonly address: string
  get(path: string, signal?: AbortSignal): Promise<Response>
  /** With a key, the server carries the request out only once, however often it is sent. */
  post(path: string, body?: object, key?: string, signal?: AbortSignal): Promise<unknown>
}

const refusalOf = async (response: Response, address: string): Promise<Error> => {
  const target = response.headers.get('location')
  if (response.status < 400 && target !== null) {
    const origin = URL.parse(target, response.url)?.origin ?? 'another address'
    return new Error(`The server at ${address} redirects to ${origin}. That isn't followed.`)
  }
  const problem = problemSchema.safeParse(await response.json().catch(() => undefined))
  if (!problem.success) return new Error(`The server at ${address} answered with status ${response.status}.`)
  const { detail, status, kind } = problem.data
  // The name of the server is part of the message, because its configuration counts and not that of this terminal.
  return status < 500
    ? new UsageError(`The server at ${address} says: ${detail}`, kind)
    : new Error(`The server at ${address} failed: ${detail}`)
}

export const connectTo = ({ address, token }: ServerAddress): ServerConnection => {
  const authorization: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` }
  const send = async (
    path: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> },
  ): Promise<Response> => {
    const headers = { ...authorization, ...init.headers }
    // A redirect that is followed would take the token or the question to another address.
    const sent = fetch(`${address}${path}`, { ...init, headers, redirect: 'manual' })
    const response = await sent.catch((error: unknown) => {
      throw new ServerGone(`The server at ${address} does not answer.`, { cause: error })
    })
    if (response.ok) return response
    throw await refusalOf(response, address)
  }
  return {
    address,
    get: (path, signal) => send(path, signal ? { signal } : {}),
    async post(path, body = {}, key, signal) {
      const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
      const init = { method: 'POST', body: JSON.stringify(body), headers, ...(signal && { signal }) }
      const response = await send(path, init)
      return response.json()
    },
  }
}
