/**
 * The archive in a folder, for any number of processes of one person. The first process opens it and listens on a
 * socket, and the others use it through that. When the holder ends or dies, one of the others opens the archive.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { UsageError, usageKinds } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import {
  type Archive,
  type ArchiveMethod,
  archiveFrom,
  archiveThrough,
  callOn,
  isArchiveMethod,
} from './archive.ts'
import { announceSocket, FolderHeld, type Holder, holderOf } from './folder-lock.ts'
import { PositionTaken, wasAppended } from './store.ts'

// messages: What goes over the socket of an archive: the arguments of calls, and errors that keep their kind.

/** Each argument in an array of its own: JSON would turn an `undefined` into a `null`, which is another value. */
export const packedArguments = (given: readonly unknown[]): unknown[][] =>
  given.map(one => (one === undefined ? [] : [one]))

export const unpackedArguments = (packed: unknown): unknown[] =>
  z
    .array(z.array(z.unknown()).max(1))
    .parse(packed)
    .map(([one]) => one)

/** A server that runs sessions for other processes. */
export const serverAddressSchema = z.object({
  /** `http://127.0.0.1:4317` */
  address: z.string(),
  /** What it asks of clients, if it asks for anything. */
  token: z.string().optional(),
})
export type ServerAddress = z.infer<typeof serverAddressSchema>

export const helloSchema = z.object({
  /** The token in the lock file: only the process that wrote the lock knows it. */
  token: z.string(),
  server: serverAddressSchema.optional(),
})
export type Hello = z.infer<typeof helloSchema>

const failureSchema = z.object({
  name: z.string(),
  message: z.string(),
  kind: z.enum(usageKinds).catch('invalid').optional(),
  data: z.record(z.string(), z.string()).optional(),
  session: z.string().optional(),
  position: z.number().optional(),
})

export const failureOf = (error: unknown): z.infer<typeof failureSchema> => {
  if (PositionTaken.isInstance(error)) return { ...error, name: error.name, message: error.message }
  if (UsageError.isInstance(error))
    return { name: error.name, message: error.message, kind: error.kind, data: error.data }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}

export const errorFrom = (value: unknown): Error => {
  const { name, message, kind, data, session, position } = failureSchema.parse(value)
  if (session !== undefined && position !== undefined) return new PositionTaken(session, position)
  return name === 'UsageError' ? new UsageError(message, kind, data) : new Error(message)
}

// runOwners: Which sessions are being run, as far as the process that holds the archive knows.

export interface RunOwners {
  /** Makes the caller the owner of a session's run until it calls the returned function. Refused if it has one. */
  own(id: string): () => void
  running(): readonly string[]
}

/** `runHere` lists the sessions that the holder itself runs without owning them here. */
export const runOwners = (runHere: () => readonly string[] = () => []): RunOwners => {
  const owned = new Set<string>()
  return {
    own(id) {
      if (owned.has(id) || runHere().includes(id)) {
        throw new UsageError(`Session ${id} is already running.`, 'already-running', { session: id })
      }
      owned.add(id)
      return () => owned.delete(id)
    },
    running: () => [...new Set([...owned, ...runHere()])],
  }
}

// socketClient: An archive that another process on this machine holds, used through that process's socket.

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

// socketServer: A socket in the folder of an archive, through which other processes of the same person use the archive while this
// process holds it. It asks for no password, because whoever can open the socket could open the folder too. Pages in
// a browser can't reach it.

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

const sendReply = (response: ServerResponse, status: number, value: unknown): void => {
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
      if (kind === 'hello') sendReply(response, 200, hello)
      else if (kind === 'running') sendReply(response, 200, owners.running())
      else if (kind === 'runs') ownRun(decodeURIComponent(name), response)
      else if (kind === 'archive' && isArchiveMethod(name))
        sendReply(response, 200, { result: await use(name, request) })
      else
        sendReply(
          response,
          404,
          failureOf(new Error(`The process that holds the archive can't do ${kind} ${name}.`)),
        )
    } catch (error) {
      sendReply(response, 422, failureOf(error))
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

export interface Shared extends Archive {
  /** The server that holds the archive, if one does. Opens nothing to find out. */
  server(): Promise<ServerAddress | undefined>
  /** Sessions that any process is running now; undefined if nobody can know. */
  running(): Promise<readonly string[] | undefined>
  /** Tells other processes that this one runs the session, until the returned function is called. Refused if another does. */
  ownRun(id: string): Promise<() => void>
}

export interface SharedOptions {
  readonly folder: string
  /** Milliseconds to wait for a holder without a socket. */
  readonly patience: number
  /** Opens the archive itself; fails with FolderHeld if another process has it. */
  open(): Promise<Archive>
  /** Let other processes in while this one holds the archive: worth it for commands that take longer than a moment. */
  readonly listen?: boolean
  /** Called when another process keeps this one waiting. */
  readonly waiting?: (words: string) => void
  /** Called when the holder went away and this process or another one has taken the archive over. */
  readonly moved?: (words: string) => void
}

interface ArchiveConnection extends SocketClient {
  readonly mine: boolean
  close(): Promise<void>
}

/** If no socket can be made, other processes wait until this one ends. */
const listenFor = async (
  folder: string,
  archive: Archive,
  owners: RunOwners,
): Promise<SocketServer | undefined> => {
  let server: SocketServer | undefined
  try {
    await announceSocket(folder, async token => {
      server = await openSocketServer(folder, { archive, owners, hello: { token } })
      return server.path
    })
  } catch {}
  return server
}

const openHere = async (options: SharedOptions, owners: RunOwners): Promise<ArchiveConnection> => {
  const archive = await options.open()
  const server = options.listen ? await listenFor(options.folder, archive, owners) : undefined
  return {
    mine: true,
    archive,
    hello: { token: '' },
    running: async () => owners.running(),
    ownRun: async id => owners.own(id),
    async close() {
      await server?.close()
      await archive.close()
    },
  }
}

const connectionTo = async ({ socket, token }: Holder): Promise<ArchiveConnection | undefined> => {
  const client = socket === undefined ? undefined : await connect(socket, token)
  return client && { ...client, mine: false, close: () => client.archive.close() }
}

/** Milliseconds to wait before saying so. */
const quietly = 2_000

/** Through the holder's socket if it has one; otherwise the archive itself, as soon as nobody holds it. */
const connectionFor = async (options: SharedOptions, owners: RunOwners): Promise<ArchiveConnection> => {
  const until = Date.now() + options.patience
  const toldAt = Date.now() + quietly
  let told = false
  for (;;) {
    const holder = await holderOf(options.folder)
    const connection = holder && (await connectionTo(holder))
    if (connection) return connection
    if (!holder || Date.now() >= until) {
      try {
        return await openHere(options, owners)
      } catch (error) {
        if (!(error instanceof FolderHeld) || Date.now() >= until) throw error
      }
    }
    if (holder && !told && Date.now() >= toldAt) {
      told = true
      options.waiting?.(
        `Waiting for process ${holder.pid}, which has used the archive since ${holder.since}.`,
      )
    }
    await sleep(25)
  }
}

export const sharedArchive = (options: SharedOptions): Shared => {
  const owners = runOwners()
  /** The runs that this process owns. Every new holder is told of them; the function releases one at the current holder. */
  const ownedRuns = new Map<string, () => void>()
  let current: Promise<ArchiveConnection> | undefined
  const connection = (): Promise<ArchiveConnection> => {
    current ??= connectionFor(options, owners)
    return current
  }
  const reconnect = async (): Promise<ArchiveConnection> => {
    const next = await connectionFor(options, owners)
    for (const id of ownedRuns.keys()) ownedRuns.set(id, await next.ownRun(id).catch(() => () => {}))
    const who = next.mine ? 'This process' : 'Another process'
    options.moved?.(`The process that held the archive is gone. ${who} has taken over.`)
    return next
  }
  const use = async <T>(call: (connection: ArchiveConnection, again: boolean) => Promise<T>): Promise<T> => {
    for (let again = false; ; again = true) {
      const used = connection()
      try {
        return await call(await used, again)
      } catch (error) {
        if (!(error instanceof SocketClosed)) throw error
        // If several calls fail at once, the first one reconnects.
        if (current === used) current = reconnect()
      }
    }
  }
  return {
    ...archiveThrough(
      call => use(({ archive }) => call(archive)),
      async () => {
        const last = await current?.catch(() => undefined)
        current = undefined
        for (const release of ownedRuns.values()) release()
        ownedRuns.clear()
        await last?.close()
      },
    ),
    append: (id, events, ownership) =>
      use(async ({ archive }, again) => {
        try {
          await archive.append(id, events, ownership)
        } catch (error) {
          const taken = again && PositionTaken.isInstance(error)
          if (!taken || !(await wasAppended(archive, id, events))) throw error
        }
      }),
    async server() {
      const isHeld = current !== undefined || (await holderOf(options.folder))?.socket !== undefined
      return isHeld ? (await connection()).hello.server : undefined
    },
    running: () => use(({ running }) => running()),
    async ownRun(id) {
      ownedRuns.set(id, await use(({ ownRun }) => ownRun(id)))
      return () => {
        ownedRuns.get(id)?.()
        ownedRuns.delete(id)
      }
    },
  }
}
