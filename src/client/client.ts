/** Requests to a Roundtable server. If it refuses one, the error has the server's own words. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { problemSchema } from '../api/common.ts'
import { type ForkBody, openedSchema, type PersonLink } from '../api/sessions.ts'
import { estimateSchema, sharpenedSchema } from '../api/table.ts'
import { UsageError } from '../core/basics.ts'
import type { LiveEvent, SessionEvent } from '../core/event.ts'
import { documentOf, type SessionDocument } from '../exports/json.ts'
import type { Running, Sharpened } from '../run/runtime.ts'
import type { ServerAddress } from '../store/shared.ts'
import type { AskInput } from '../table/ask.ts'
import type { Estimate } from '../table/estimate.ts'

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

// watch: Watches a session on a server until it ends, even if the connection breaks or the server restarts.

/** Milliseconds without a word from the server, which sends a heartbeat every 15 seconds: then the connection is dead. */
const silence = 45_000
/** Milliseconds that a server may be away, for example to restart. */
const usualPatience = 20_000
const pause = 250

/** The events of one connection. They are not checked, because the server is this same program. */
async function* stream(
  connection: ServerConnection,
  session: string,
  after: number,
  heard: () => void,
  ended?: AbortSignal,
): AsyncGenerator<LiveEvent> {
  const given = new AbortController()
  const end = (): void => given.abort()
  ended?.addEventListener('abort', end)
  const timer = setTimeout(() => given.abort(), silence)
  try {
    const { body } = await connection.get(`/api/sessions/${session}/events?after=${after}`, given.signal)
    const listening = new TransformStream<string, string>({
      transform(chunk, controller) {
        timer.refresh()
        heard()
        controller.enqueue(chunk)
      },
    })
    const text = body!.pipeThrough(new TextDecoderStream()).pipeThrough(listening)
    for await (const { data } of text.pipeThrough(new EventSourceParserStream()))
      yield JSON.parse(data) as LiveEvent
  } finally {
    clearTimeout(timer)
    ended?.removeEventListener('abort', end)
    given.abort()
  }
}

/** Treats a broken connection as the end of the stream: the next connection brings what was missed. */
async function* untilCut(...given: Parameters<typeof stream>): AsyncGenerator<LiveEvent> {
  try {
    yield* stream(...given)
  } catch (error) {
    const isCut =
      error instanceof ServerGone || error instanceof TypeError || (error as Error).name === 'AbortError'
    if (!isCut) throw error
  }
}

const gone = (address: string, session: string): ServerGone =>
  new ServerGone(
    `The server at ${address} is gone. Session ${session} continues when the server is started again, or when it is resumed.`,
    { session },
  )

export interface WatchOptions {
  /** Only an end after this position counts: a session that was resumed has ended before. */
  readonly beyond?: number
  /** Called when the connection breaks. */
  readonly away?: (words: string) => void
  readonly patience?: number
  /** Ends the watching. */
  readonly signal?: AbortSignal
}

/** Yields every event of the log once and in order, with the deltas in between, until the session ends. */
export async function* watch(
  connection: ServerConnection,
  session: string,
  { away, patience = usualPatience, beyond = -1, signal }: WatchOptions = {},
): AsyncGenerator<LiveEvent> {
  let last = -1
  /** When the connection broke. A session may be silent for longer than the patience with a server that is away. */
  let awaySince: number | undefined
  const heard = (): void => {
    awaySince = undefined
  }
  while (!signal?.aborted) {
    for await (const event of untilCut(connection, session, last, heard, signal)) {
      if ('position' in event) {
        if (event.position <= last) continue
        last = event.position
      }
      yield event
      if (event.type === 'session-finished' && event.position > beyond) return
    }
    if (signal?.aborted) return
    if (awaySince === undefined) away?.('Lost the connection to the server. Reconnecting.')
    awaySince ??= Date.now()
    if (Date.now() - awaySince >= patience) throw gone(connection.address, session)
    await sleep(pause)
  }
}

// sessions: Sessions that a server runs: they continue there even if this process ends.

/** How the person at this terminal hands in the answers of their own seat. */
export interface OwnAnswers {
  hand(session: { readonly id: string }, seat: string, round: number, answer: object): Promise<void>
  leave(): void
}

export interface RemoteOptions extends WatchOptions {
  /** Gets the links of the people at a table that was just asked. */
  people?(links: readonly PersonLink[]): void
}

export interface RemoteSessions {
  estimate(input: AskInput): Promise<Estimate>
  sharpen(input: AskInput): Promise<Sharpened>
  ask(input: AskInput): Pick<Running, 'events' | 'result'>
  /** Shows a session from its beginning, until it ends after the given position. */
  follow(id: string, beyond: number, signal: AbortSignal): Pick<Running, 'events' | 'result'>
  /** Forks a session, and shows the fork from its beginning. */
  fork(id: string, body: ForkBody, signal: AbortSignal): Pick<Running, 'events' | 'result'>
  /** The seat of the person at this terminal. */
  readonly own: OwnAnswers
  /** Resumes a session that was stopped, and shows it in the same way. */
  resume(id: string, beyond: number, signal: AbortSignal): Pick<Running, 'events' | 'result'>
}

/** Tries again with the same key: the server may have carried the request out before the connection broke. */
const withRetries = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ServerGone) || tries === 4) throw error
    }
    await sleep(tries * 250)
  }
}

export const remoteSessions = (server: ServerAddress, options: RemoteOptions = {}): RemoteSessions => {
  const connection = connectTo(server)

  const shown = (
    begin: () => Promise<string>,
    beyond: number,
    signal: AbortSignal,
  ): Pick<Running, 'events' | 'result'> => {
    const { promise: result, resolve, reject } = Promise.withResolvers<SessionDocument>()
    // The reader of the events gets the error; without this, it would also be an unhandled rejection.
    result.catch(() => {})
    async function* events(): AsyncGenerator<LiveEvent> {
      const log: SessionEvent[] = []
      try {
        const id = await begin()
        const cancel = (): void => {
          // Refused only if the session is ending anyway or the server is gone: watching it shows both.
          connection.post(`/api/sessions/${id}/cancel`).catch(() => {})
        }
        signal.addEventListener('abort', cancel, { once: true })
        if (signal.aborted) cancel()
        for await (const event of watch(connection, id, { ...options, beyond })) {
          if ('position' in event) log.push(event)
          yield event
        }
        resolve(documentOf(log))
      } catch (error) {
        reject(error)
        throw error
      }
    }
    return { events: events(), result }
  }

  return {
    estimate: async ({ signal: _signal, ...wish }) =>
      estimateSchema.parse(await connection.post('/api/estimate', wish)),
    sharpen: async ({ signal, ...wish }) =>
      sharpenedSchema.parse(await connection.post('/api/sharpen', wish, undefined, signal)),
    ask({ signal = new AbortController().signal, ...wish }) {
      const key = randomUUID()
      const open = (): Promise<unknown> => connection.post('/api/sessions', wish, key)
      const begin = async (): Promise<string> => {
        const { id, people } = openedSchema.parse(await withRetries(open))
        if (people) options.people?.(people)
        return id
      }
      return shown(begin, -1, signal)
    },
    own: {
      // The server goes on without this terminal.
      leave() {},
      async hand({ id }, seat, round, answer) {
        await connection.post(`/api/sessions/${id}/seats/${seat}/answer`, { round, answer })
      },
    },
    fork(id, body, signal) {
      const key = randomUUID()
      const open = (): Promise<unknown> => connection.post(`/api/sessions/${id}/fork`, body, key)
      return shown(async () => openedSchema.parse(await withRetries(open)).id, -1, signal)
    },
    follow: (id, beyond, signal) => shown(async () => id, beyond, signal),
    resume: (id, beyond, signal) =>
      shown(
        async () => {
          await connection.post(`/api/sessions/${id}/resume`)
          return id
        },
        beyond,
        signal,
      ),
  }
}
