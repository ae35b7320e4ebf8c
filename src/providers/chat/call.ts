/** One call to a chat endpoint. It is repeated only if the server rejected a field of the request. */

import { type Exchange, type HttpHeaders, type HttpRequest, send } from '../http/exchange.ts'
import { retryAfter, statusError } from '../http/http-errors.ts'
import { networkError } from '../http/network-errors.ts'
import { PartQueue } from '../http/part-queue.ts'
import { type ProviderProblem, problemFrom } from '../http/problem.ts'
import { mostErrorBytes, mostReplyBytes } from '../http/reply-size.ts'
import type { ModelCall, ModelPart } from '../provider.ts'
import type { ChatReply } from './reply.ts'

type Body = Readonly<Record<string, unknown>>

/** How requests are written and replies are read. */
export interface ChatFormat {
  body(call: ModelCall, without: ReadonlySet<string>): Body
  /** Reads a reply into `parts`, which it always ends. */
  reply(parts: PartQueue, secrets: readonly string[]): ChatReply
  /** The field that a server rejected, if the request can do without it. */
  refused(sent: Body, status: number, problem: ProviderProblem): string | undefined
}

/** What is needed to call an endpoint, and what earlier calls showed about it. */
export interface Endpoint {
  readonly chat: URL
  readonly headers: Readonly<Record<string, string>>
  /** Removed from everything that is passed on. */
  readonly secrets: readonly string[]
  /** The fields that each model has rejected: sending them again would cost a call each time. */
  readonly refused: Map<string, ReadonlySet<string>>
  readonly format: ChatFormat
  readonly through?: HttpRequest['through']
}

interface RefusedField {
  readonly status: number
  readonly headers: HttpHeaders
  readonly text: string
}

const refusalPart = (
  endpoint: Endpoint,
  { status, headers, text }: RefusedField,
): ModelPart & { type: 'error' } => {
  const problem = problemFrom(text)
  const retryAfterMs = retryAfter(headers, Date.now()) ?? problem.retryAfterMs
  return {
    type: 'error',
    error: statusError(status, headers, problem, endpoint.secrets),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** One request. Its reply goes into `parts`; if the server rejects it, `refused` decides what to do. */
const attempt = (
  endpoint: Endpoint,
  call: ModelCall,
  body: string,
  parts: PartQueue,
  refused: (refusal: RefusedField) => void,
): Exchange => {
  const most = mostReplyBytes(call)
  let reply: ChatReply | undefined
  let refusal: RefusedField = { status: 0, headers: {}, text: '' }
  let bytes = 0
  const { chat: url, headers, secrets, through } = endpoint
  return send(
    { method: 'POST', url, headers, body, through },
    {
      start(status, received) {
        if (status < 300) reply = endpoint.format.reply(parts, secrets)
        else refusal = { status, headers: received, text: '' }
      },
      data(chunk) {
        bytes += chunk.length
        if (reply && bytes > most) parts.add({ type: 'finish', reason: 'length' })
        else if (reply) reply.data(chunk)
        else if (bytes < mostErrorBytes) refusal = { ...refusal, text: refusal.text + chunk.toString('utf8') }
      },
      end: () => (reply ? reply.end() : refused(refusal)),
      fail(failure) {
        const error = networkError(failure, url, reply !== undefined, secrets)
        if (reply) reply.end(error.message)
        else parts.add({ type: 'error', error })
      },
    },
  )
}

/** Starts a call. Its parts always end in `finish` or `error`. */
export const chatCall = (endpoint: Endpoint, call: ModelCall): AsyncIterator<ModelPart> => {
  const { model, signal } = call
  let exchange: Exchange | undefined
  const parts = new PartQueue(left => {
    signal.removeEventListener('abort', abort)
    if (left) exchange?.cancel()
    else exchange?.release()
  })
  const abort = (): void => {
    exchange?.cancel()
    parts.add({ type: 'error', error: { kind: 'cancelled', message: 'the call was cancelled' } })
  }
  const ask = (): void => {
    const without = endpoint.refused.get(model) ?? new Set()
    const body = endpoint.format.body(call, without)
    exchange = attempt(endpoint, call, JSON.stringify(body), parts, refusal => {
      const field = endpoint.format.refused(body, refusal.status, problemFrom(refusal.text))
      if (!field) return parts.add(refusalPart(endpoint, refusal))
      endpoint.refused.set(model, new Set([...(endpoint.refused.get(model) ?? []), field]))
      ask()
    })
  }
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  else ask()
  return parts
}
