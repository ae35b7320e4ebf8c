/** Watches a session on a server until it ends, even if the connection breaks or the server restarts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { LiveEvent } from '../core/log/live-event.ts'
import { type ServerConnection, ServerGone } from './connection.ts'

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
