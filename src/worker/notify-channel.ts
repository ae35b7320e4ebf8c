/** Short messages between the processes on one database, by LISTEN and NOTIFY. A message may get lost. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Pool } from 'pg'
import type { LiveEvent } from '../core/log/live-event.ts'
import type { Logger } from './logger.ts'

export type Message =
  | { readonly session: string; readonly event: LiveEvent }
  /** An event that is too large to send: it is in the store. */
  | { readonly session: string; readonly position: number }
  /** There is a session to run. */
  | { readonly work: true }
  /** The sender watches these sessions. */
  | { readonly watching: readonly string[] }
  /** The sender has begun to watch this session. */
  | { readonly joins: string }
  /** Does anybody watch this session? */
  | { readonly asks: string }

/** Postgres takes less than 8,000 bytes at a time, including the name of the sender. */
export const mostBytes = 7_900
const channelName = 'roundtable'
const pause = 500

export interface NotifyChannel {
  /** Takes a message as JSON, at most `mostBytes` long together with the name of its sender. */
  send(message: string): void
  close(): Promise<void>
}

export interface NotifyChannelOptions {
  readonly pool: Pool
  readonly address: string
  readonly logger: Logger
  /** Gets the messages of other processes. */
  readonly receive: (message: Message) => void
  /** Called when the connection is back after a break. Messages sent in the meantime are lost. */
  readonly reconnected: () => void
}

/** Puts as many messages into one notification as fit. */
export const packed = (messages: readonly string[], most: number): string[] => {
  const payloads: string[] = []
  let payload = ''
  for (const message of messages) {
    const longer = payload === '' ? message : `${payload}\n${message}`
    if (payload !== '' && Buffer.byteLength(longer) > most) {
      payloads.push(payload)
      payload = message
    } else payload = longer
  }
  return payload === '' ? payloads : [...payloads, payload]
}

/** Listens until it is closed, on its own connection, and reconnects when that breaks. */
const listening = async (
  { address, logger, reconnected }: NotifyChannelOptions,
  hear: (payload: string) => void,
): Promise<() => Promise<void>> => {
  let closed = false
  let client: Client | undefined
  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: address, keepAlive: true })
    client = next
    next.on('notification', ({ payload = '' }) => hear(payload))
    next.on('error', () => {})
    try {
      await next.connect()
      await next.query(`LISTEN ${channelName}`)
    } catch (error) {
      void next.end().catch(() => {})
      throw error
    }
    if (closed) return next.end()
    // Not earlier: a connection that could not be made ends too, and each would begin one more row of tries.
    next.once('end', () => {
      if (!closed) void reconnect()
    })
  }
  const reconnect = async (): Promise<void> => {
    while (!closed) {
      await sleep(pause)
      try {
        await connect()
        reconnected()
        return
      } catch (error) {
        logger.warn({ error: String(error) }, 'The connection to other processes is down.')
      }
    }
  }
  await connect()
  return async () => {
    closed = true
    await client?.end().catch(() => {})
  }
}

export const openNotifyChannel = async (options: NotifyChannelOptions): Promise<NotifyChannel> => {
  const { pool, logger, receive } = options
  const name = randomUUID()
  const outbox: string[] = []
  let sending: Promise<void> | undefined

  const hear = (payload: string): void => {
    const [sender, ...messages] = payload.split('\n')
    if (sender === name) return
    for (const message of messages) receive(JSON.parse(message) as Message)
  }
  const sendAll = async (): Promise<void> => {
    // Messages of the same moment go out together.
    await sleep(1)
    while (outbox.length > 0) {
      const payloads = packed(outbox.splice(0), mostBytes - name.length - 1)
      const texts = payloads.map(payload => `${name}\n${payload}`)
      await pool
        .query(`SELECT pg_notify('${channelName}', text) FROM unnest($1::text[]) AS said(text)`, [texts])
        .catch(error =>
          logger.warn({ error: String(error) }, 'A notification could not be sent to other processes.'),
        )
    }
    sending = undefined
  }
  const close = await listening(options, hear)
  return {
    send(message) {
      outbox.push(message)
      sending ??= sendAll()
    },
    async close() {
      await sending
      await close()
    },
  }
}
