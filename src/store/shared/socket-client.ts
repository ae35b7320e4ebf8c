/** An archive that another process on this machine holds, used through that process's socket. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import type { Archive } from '../archive/archive.ts'
import { archiveFrom } from '../archive/methods.ts'
import { errorFrom, type Hello, helloSchema, packedArguments } from './messages.ts'

/** The process that held the archive closed it or is gone. The call may have been carried out, or not. */
export class SocketClosed extends Error {
  override readonly name = 'SocketClosed'
}

const closed = (error: unknown): SocketClosed =>
  new SocketClosed('The process that held the archive is gone.', { cause: error })

interface SocketRequest {
  readonly path: string
  readonly body?: unknown
  readonly agent?: Agent
  readonly timeout?: number
}

const send = (socketPath: string, { path, body, agent, timeout }: SocketRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { socketPath, path, method: 'POST', agent: agent ?? false, ...(timeout && { timeout }) },
      resolve,
    )
    sent.on('timeout', () => sent.destroy(new Error('It does not answer.')))
    sent.on('error', error => reject(closed(error)))
    sent.end(body === undefined ? '' : JSON.stringify(body))
  })

const replyTo = async (socketPath: string, sent: SocketRequest): Promise<unknown> => {
  const response = await send(socketPath, sent)
  const value: unknown = await json(response).catch(error => {
    throw closed(error)
  })
  if (response.statusCode === 200) return value
  throw errorFrom(value)
}

export interface SocketClient {
  readonly archive: Archive
  readonly hello: Hello
  running(): Promise<readonly string[]>
  ownRun(id: string): Promise<() => void>
}

const archiveAt = (socketPath: string): Archive => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  return archiveFrom(
    async (method, given) => {
      const body = packedArguments(given)
      const reply = await replyTo(socketPath, { path: `/archive/${method}`, body, agent })
      return (reply as { readonly result?: unknown }).result
    },
    async () => agent.destroy(),
  )
}

/** Milliseconds that a holder has to say who it is: it may be busy with a large session. */
const helloTime = 5_000

/** Undefined if nobody answers, or if whoever answers did not write the lock. */
export const connect = async (socketPath: string, token: string): Promise<SocketClient | undefined> => {
  const reply = await replyTo(socketPath, { path: '/hello', timeout: helloTime }).catch(() => undefined)
  const hello = helloSchema.safeParse(reply)
  if (!hello.success || hello.data.token !== token) return undefined
  return {
    archive: archiveAt(socketPath),
    hello: hello.data,
    running: async () => z.array(z.string()).parse(await replyTo(socketPath, { path: '/running' })),
    async ownRun(id) {
      const response = await send(socketPath, { path: `/runs/${encodeURIComponent(id)}` })
      if (response.statusCode !== 200) throw errorFrom(await json(response))
      // The run is owned for as long as this connection is open. If the holder is gone, the next call finds out.
      response.on('error', () => {}).resume()
      response.socket.unref()
      return () => void response.destroy()
    },
  }
}
