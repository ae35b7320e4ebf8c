/** Stand-ins on loopback for search endpoints and for the web. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { AddressRules } from '../../src/evidence/web.ts'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface StandIn {
  readonly address: string
  readonly port: number
  readonly received: Received[]
}

type Reply = (request: Received, response: ServerResponse) => void

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** Closed when the test is over. */
export const standIn = async (reply: Reply): Promise<StandIn> => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: await bodyOf(request) }
    received.push(one)
    reply(one, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, port, received }
}

export const json =
  (value: unknown, status = 200): Reply =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** Pages by their path: their type and what they hold. Everything else is not there. */
export const site = (
  pages: Readonly<Record<string, readonly [type: string, body: string | Uint8Array]>>,
): Promise<StandIn> =>
  standIn(({ url }, response) => {
    const page = pages[url]
    if (!page) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': page[0] }).end(page[1])
  })

/** Every name leads to this machine, and that is allowed. */
export const loopback: AddressRules = {
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  allows: address => address === '127.0.0.1',
}
