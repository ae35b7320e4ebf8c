/**
 * The door of an archive: a socket in its folder through which other processes of the same person use it while
 * this one holds it. Whoever can open the socket could open the folder, so nobody is asked for a password; and
 * no page in a browser can reach it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { SessionEvent } from '../../core/log/event.ts'
import type { Archive } from '../archive/archive.ts'
import { failureOf, type Hello, isMethod, type Method } from './messages.ts'
import type { RunOwners } from './run-owners.ts'

export interface SocketServerOptions {
  readonly archive: Archive
  readonly claims: RunOwners
  readonly hello: Hello
  /** Hears of events that came through the door, once they are stored. */
  readonly appended?: (session: string, events: readonly SessionEvent[]) => void
}

export interface SocketServer {
  readonly path: string
  /** Lets calls under way come to their end. */
  close(): Promise<void>
}

const send = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** The arguments are what a process of the same program sent: a method's own checks are all that they need. */
const call = async (archive: Archive, method: Method, given: readonly unknown[]): Promise<unknown> =>
  (archive[method] as (...given: readonly unknown[]) => Promise<unknown>)(...given)

const answering = ({ archive, claims, hello, appended }: SocketServerOptions) => {
  const use = async (method: Method, request: IncomingMessage): Promise<unknown> => {
    const given = (await json(request)) as readonly unknown[]
    const result = await call(archive, method, given)
    if (method === 'append') appended?.(given[0] as string, given[1] as readonly SessionEvent[])
    return result
  }
  /** Held for as long as the connection is: a runner that dies lets go by dying. */
  const claim = (id: string, response: ServerResponse): void => {
    const release = claims.take(id)
    response.once('close', release)
    response.writeHead(200).flushHeaders()
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [kind = '', name = ''] = (request.url ?? '').slice(1).split('/')
    try {
      if (kind === 'hello') send(response, 200, hello)
      else if (kind === 'running') send(response, 200, claims.all())
      else if (kind === 'claims') claim(decodeURIComponent(name), response)
      else if (kind === 'archive' && isMethod(name)) send(response, 200, { result: await use(name, request) })
      else
        send(response, 404, failureOf(new Error(`The holder of the archive does not know ${kind} ${name}.`)))
    } catch (error) {
      send(response, 422, failureOf(error))
    }
  }
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** Longer paths are cut off by the system without a word. */
const longestPath = 100

/** In the folder itself; elsewhere only where its name is too long, or its file system has no sockets. */
const listenIn = async (server: Server, folder: string, token: string): Promise<string> => {
  if (process.platform === 'win32') {
    const pipe = `\\\\.\\pipe\\roundtable-${token}`
    await listening(server, pipe)
    return pipe
  }
  const path = join(folder, 'door')
  if (Buffer.byteLength(path) <= longestPath) {
    try {
      // One that a crash left behind: the lock is ours, so nobody listens there.
      await rm(path, { force: true })
      await listening(server, path)
      return path
    } catch {}
  }
  const elsewhere = join(await mkdtemp(join(tmpdir(), 'roundtable-door-')), 'door')
  await listening(server, elsewhere)
  return elsewhere
}

export const openSocketServer = async (
  folder: string,
  options: SocketServerOptions,
): Promise<SocketServer> => {
  const server = createServer(answering(options))
  const waiting = new Set<ServerResponse>()
  server.on('request', ({ url = '' }, response) => {
    if (!url.startsWith('/claims/')) return
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
  })
  const path = await listenIn(server, folder, options.hello.token)
  server.unref()
  return {
    path,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const response of waiting) response.destroy()
      await closed
      if (dirname(path) !== folder && process.platform !== 'win32')
        await rm(dirname(path), { recursive: true, force: true })
    },
  }
}
