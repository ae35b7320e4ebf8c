/** A local server for makers' own wire formats: it sends the given answers and records requests. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WireRequest {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  /** `closed`: the client closed the connection before the reply was complete. */
  state: 'open' | 'done' | 'closed'
  /** Resolves when this request's connection is done. */
  readonly over: Promise<void>
}

export type WireReply =
  /** Events in their final form; `cut` breaks the connection after them, `hang` leaves it open. */
  | { readonly events: readonly string[]; readonly ending?: 'cut' | 'hang' }
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }

export interface Wire {
  /** The address without a path. */
  readonly origin: string
  readonly requests: WireRequest[]
  stop(): Promise<void>
}

/** One server-sent event, with its name if the format has names. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

const send = (response: ServerResponse, reply: WireReply): void => {
  if ('status' in reply) {
    const { status, body, headers } = reply
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  for (const one of reply.events) response.write(one)
  if (reply.ending === undefined) response.end()
  else if (reply.ending === 'cut') response.socket?.destroySoon()
}

/** `undefined` never answers the request. */
export type Answering = (request: WireRequest) => WireReply | undefined

export const startWire = async (answer: Answering): Promise<Wire> => {
  const requests: WireRequest[] = []
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = message
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const request: WireRequest = { method, path, headers, body: await bodyOf(message), state: 'open', over }
    requests.push(request)
    response.once('close', () => {
      request.state = response.writableFinished ? 'done' : 'closed'
      resolve()
    })
    const reply = answer(request)
    if (reply) send(response, reply)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
