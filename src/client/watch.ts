/** A session on a server, watched to its end: over cuts of the connection, and over a restart of the server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { LiveEvent } from '../core/log/event.ts'
import { type ServerConnection, ServerGone } from './connection.ts'

/** The server says something every 15 seconds; after three times that, nobody is there. */
const silence = 45_000
/** How long a server may be away: it may just be started anew. */
const usualPatience = 20_000
const pause = 250

/** What one connection brings. The server is this same program: its events are taken as they are. */
async function* stream(
  connection: ServerConnection,
  session: string,
  after: number,
  heard: () => void,
): AsyncGenerator<LiveEvent> {
  const given = new AbortController()
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
    given.abort()
  }
}

/** A connection that breaks is no more than an end: what was missed comes with the next one. */
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
  /** The end of the session is one after this position: one that goes on again has ended before. */
  readonly beyond?: number
  /** Hears that the server is away. */
  readonly away?: (words: string) => void
  readonly patience?: number
}

/** Every event of the log once, in order, and the deltas in between; ends after the session has. */
export async function* watch(
  connection: ServerConnection,
  session: string,
  { away, patience = usualPatience, beyond = -1 }: WatchOptions = {},
): AsyncGenerator<LiveEvent> {
  let last = -1
  /** A session may be silent for longer than a server is away: what counts is when the connection broke. */
  let awaySince: number | undefined
  const heard = (): void => {
    awaySince = undefined
  }
  for (;;) {
    for await (const event of untilCut(connection, session, last, heard)) {
      if ('position' in event) {
        if (event.position <= last) continue
        last = event.position
      }
      yield event
      if (event.type === 'session-finished' && event.position > beyond) return
    }
    if (awaySince === undefined) away?.('The connection to the server broke; trying again.')
    awaySince ??= Date.now()
    if (Date.now() - awaySince >= patience) throw gone(connection.address, session)
    await sleep(pause)
  }
}
