/** An archive that another process on this machine holds, used through its door. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import type { Archive } from '../archive/archive.ts'
import { errorFrom, type Hello, helloSchema, type Method } from './messages.ts'

/** Whoever held the archive has closed it, or is gone. What was asked may have been done, or not. */
export class SocketClosed extends Error {
  override readonly name = 'DoorClosed'
}

const gone = (error: unknown): SocketClosed =>
  new SocketClosed('The process that held the archive is gone.', { cause: error })

interface Knock {
  readonly path: string
  readonly body?: unknown
  readonly agent?: Agent
  readonly timeout?: number
}

const responseTo = (door: string, { path, body, agent, timeout }: Knock): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { socketPath: door, path, method: 'POST', agent: agent ?? false, ...(timeout && { timeout }) },
      resolve,
    )
    sent.on('timeout', () => sent.destroy(new Error('It does not answer.')))
    sent.on('error', error => reject(gone(error)))
    sent.end(body === undefined ? '' : JSON.stringify(body))
  })

const answerTo = async (door: string, knock: Knock): Promise<unknown> => {
  const response = await responseTo(door, knock)
  const value: unknown = await json(response).catch(error => {
    throw gone(error)
  })
  if (response.statusCode === 200) return value
  throw errorFrom(value)
}

export interface SocketClient {
  readonly archive: Archive
  readonly hello: Hello
  running(): Promise<readonly string[]>
  claim(id: string): Promise<() => void>
}

const archiveAt = (door: string): Archive => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const call = async <T>(method: Method, ...body: readonly unknown[]): Promise<T> =>
    ((await answerTo(door, { path: `/archive/${method}`, body, agent })) as { readonly result: T }).result
  return {
    append: (id, events) => call('append', id, events),
    read: (id, after = -1) => call('read', id, after),
    list: () => call('list'),
    remove: id => call('remove', id),
    find: (filter = {}, page = {}) => call('find', filter, page),
    tags: id => call('tags', id),
    tag: (id, tags) => call('tag', id, tags),
    lineups: () => call('lineups'),
    saveLineup: (name, seats) => call('saveLineup', name, seats),
    removeLineup: name => call('removeLineup', name),
    settings: () => call('settings'),
    setting: name => call('setting', name),
    saveSetting: (name, value) => call('saveSetting', name, value),
    claimSetting: (name, value) => call('claimSetting', name, value),
    removeSetting: name => call('removeSetting', name),
    close: async () => agent.destroy(),
  }
}

/** How long a holder may take to say who it is; it may be busy with somebody's large question. */
const helloTime = 5_000

/** Undefined where nobody answers, or somebody else than who wrote the lock. */
export const connect = async (door: string, token: string): Promise<SocketClient | undefined> => {
  const said = await answerTo(door, { path: '/hello', timeout: helloTime }).catch(() => undefined)
  const hello = helloSchema.safeParse(said)
  if (!hello.success || hello.data.token !== token) return undefined
  return {
    archive: archiveAt(door),
    hello: hello.data,
    running: async () => z.array(z.string()).parse(await answerTo(door, { path: '/running' })),
    async claim(id) {
      const response = await responseTo(door, { path: `/claims/${encodeURIComponent(id)}` })
      if (response.statusCode !== 200) throw errorFrom(await json(response))
      // The connection is the claim; that its other end is gone shows at the next call.
      response.on('error', () => {}).resume()
      response.socket.unref()
      return () => void response.destroy()
    },
  }
}
