/** One HTTP request whose reply arrives piece by piece, with as little overhead as possible. */
import type { Dispatcher } from 'undici'
import { agent } from '../sdk/on-demand.ts'
import { ReplyTooLarge } from './reply-size.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** How the connection is made; in the usual way if left out. */
  readonly through?: Dispatcher | undefined
}

export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Is called as a reply arrives. Nothing follows `end` or `fail`, and nothing at all follows a cancellation. */
export interface Receiver {
  start(status: number, headers: HttpHeaders): void
  data(chunk: Buffer): void
  end(): void
  fail(error: Error): void
}

export interface Exchange {
  /** Closes the connection at once. */
  cancel(): void
  /** The reply is complete, but the server hasn't ended it yet: the connection is kept if it soon does. */
  release(): void
}

/** How long a server may take to end a complete reply. */
const lingerMs = 1_000

class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

export const send = (request: HttpRequest, receiver: Receiver): Exchange => {
  let controller: Dispatcher.DispatchController | undefined
  let lingering: NodeJS.Timeout | undefined
  let over = false
  const cancel = (): void => {
    over = true
    clearTimeout(lingering)
    controller?.abort(new Cancelled())
  }
  const fail = (error: Error): void => {
    clearTimeout(lingering)
    if (over) return
    over = true
    receiver.fail(error)
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      if (over) started.abort(new Cancelled())
    },
    onResponseStart(_controller, status, headers) {
      if (!over && status >= 200) receiver.start(status, headers)
    },
    onResponseData(_controller, chunk) {
      if (!over) receiver.data(chunk)
    },
    onResponseEnd() {
      clearTimeout(lingering)
      if (over) return
      over = true
      receiver.end()
    },
    onResponseError: (_controller, error) => fail(error),
  }
  const { method, url, headers, body, through = agent() } = request
  try {
    through.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body }, handler)
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)))
  }
  return {
    cancel,
    release() {
      if (over) return
      over = true
      lingering = setTimeout(cancel, lingerMs).unref()
    },
  }
}

export type Collected =
  | { readonly status: number; readonly headers: HttpHeaders; readonly text: string }
  | { readonly failure: Error }

/** The whole of a reply of at most so many bytes. Never rejects; an aborted request is a failure like any other. */
export const collect = (request: HttpRequest, signal: AbortSignal, most: number): Promise<Collected> =>
  new Promise(resolve => {
    const chunks: Buffer[] = []
    let bytes = 0
    let status = 0
    let headers: HttpHeaders = {}
    const settle = (result: Collected): void => {
      signal.removeEventListener('abort', abort)
      resolve(result)
    }
    const giveUp = (failure: Error): void => {
      exchange.cancel()
      settle({ failure })
    }
    const abort = (): void => giveUp(new Error('no reply in time'))
    const exchange = send(request, {
      start(code, received) {
        status = code
        headers = received
      },
      data(chunk) {
        bytes += chunk.length
        if (bytes > most) giveUp(new ReplyTooLarge(most))
        else chunks.push(chunk)
      },
      end: () => settle({ status, headers, text: Buffer.concat(chunks).toString('utf8') }),
      fail: failure => settle({ failure }),
    })
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })
