/** Reads a stream of server-sent events, for tests. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'

export interface Stream {
  readonly status: number
  readonly messages: EventSourceMessage[]
  /** Waits until the messages satisfy `done`, or the stream ends. */
  until(done: (messages: readonly EventSourceMessage[]) => boolean): Promise<EventSourceMessage[]>
  /** Waits until this many heartbeats came, or the stream ends. */
  beats(count: number): Promise<void>
  /** Fulfilled when the server ends it. */
  readonly ended: Promise<void>
  cut(): void
}

export const openStream = async (url: string, headers: Record<string, string> = {}): Promise<Stream> => {
  const control = new AbortController()
  const response = await fetch(url, { headers, signal: control.signal })
  const messages: EventSourceMessage[] = []
  let beats = 0
  let changed = (): void => {}
  const parser = createParser({
    onEvent: message => {
      messages.push(message)
      changed()
    },
    onComment: () => {
      beats++
      changed()
    },
  })
  let over = false
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
    } catch {
      // This side closed the connection.
    }
    over = true
    changed()
  }
  const ended = read()
  return {
    status: response.status,
    messages,
    ended,
    async until(done) {
      while (!done(messages) && !over) await new Promise<void>(resolve => (changed = resolve))
      return messages
    },
    async beats(count) {
      while (beats < count && !over) await new Promise<void>(resolve => (changed = resolve))
    },
    cut: () => control.abort(),
  }
}

export const positionsIn = (messages: readonly EventSourceMessage[]): number[] =>
  messages.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]))
