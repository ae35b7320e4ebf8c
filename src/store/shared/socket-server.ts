/**
 * A socket in the folder of an archive, through which other processes of the same person use the archive while this
 * process holds it. It asks for no password, because whoever can open the socket could open the folder too. Pages in
 * a browser can't reach it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { SessionEvent } from '../../core/log/event.ts'
import type { Archive } from '../archive/archive.ts'
import { type ArchiveMethod, callOn, isArchiveMethod } from '../archive/methods.ts'
import { failureOf, type Hello, unpackedArguments } from './messages.ts'
import type { RunOwners } from './run-owners.ts'

export interface SocketServerOptions {
  readonly archive: Archive
  readonly owners: RunOwners
  readonly hello: Hello
  /** Called with events that came over the socket, once they are stored. */
  readonly appended?: (session: string, events: readonly SessionEvent[]) => void
}

export interface SocketServer {
  readonly path: string
  /** Waits for calls that are under way. */
  close(): Promise<void>
}

const send = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

const answering = ({ archive, owners, hello, appended }: SocketServerOptions) => {
  const use = async (method: ArchiveMethod, request: IncomingMessage): Promise<unknown> => {
    const given = unpackedArguments(await json(request))
    const result = await callOn(archive, method, given)
    if (method === 'append') appended?.(given[0] as string, given[1] as readonly SessionEvent[])
    return result
  }
  /** Owned for as long as the connection is open, so that a process that dies owns nothing. */
  const ownRun = (id: string, response: ServerResponse): void => {
    const release = owners.own(id)
    response.once('close', release)
    response.writeHead(200).flushHeaders()
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [kind = '', name = ''] = (request.url ?? '').slice(1).split('/')
    try {
      if (kind === 'hello') send(response, 200, hello)
      else if (kind === 'running') send(response, 200, owners.running())
      else if (kind === 'runs') ownRun(decodeURIComponent(name), response)
      else if (kind === 'archive' && isArchiveMethod(name))
        send(response, 200, { result: await use(name, request) })
      else
        send(
          response,
          404,
          failureOf(new Error(`The process that holds the archive can't do ${kind} ${name}.`)),
        )
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

/** The system silently cuts off longer paths. */
const longestPath = 100

/** In the folder itself, unless its path is too long or its file system has no sockets. */
const listenIn = async (server: Server, folder: string, token: string): Promise<string> => {
  if (process.platform === 'win32') {
    const pipe = `\\\\.\\pipe\\roundtable-${token}`
    await listening(server, pipe)
    return pipe
  }
  const path = join(folder, 'socket')
  if (Buffer.byteLength(path) <= longestPath) {
    try {
      // A crash may have left one behind. The lock is ours, so nobody listens there.
      await rm(path, { force: true })
      await listening(server, path)
      return path
    } catch {}
  }
  const elsewhere = join(await mkdtemp(join(tmpdir(), 'roundtable-')), 'socket')
  await listening(server, elsewhere)
  return elsewhere
}

export const openSocketServer = async (
  folder: string,
  options: SocketServerOptions,
): Promise<SocketServer> => {
  const server = createServer(answering(options))
  const ownedRuns = new Set<ServerResponse>()
  server.on('request', ({ url = '' }, response) => {
    if (!url.startsWith('/runs/')) return
    ownedRuns.add(response)
    response.once('close', () => ownedRuns.delete(response))
  })
  const path = await listenIn(server, folder, options.hello.token)
  server.unref()
  return {
    path,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const response of ownedRuns) response.destroy()
      await closed
      if (dirname(path) !== folder && process.platform !== 'win32')
        await rm(dirname(path), { recursive: true, force: true })
    },
  }
}
