/** Tells watchers what happens in sessions, in whichever process the sessions run. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Pool } from 'pg'
import type { Delta, LiveEvent, Retrying } from '../core/event.ts'
import { type Draft, endedBy, piecesOf, written } from '../core/session.ts'
import type { Store } from '../store/store.ts'

// drafts: What the seats of sessions are writing now, as far as this process knows, for watchers who come later.

export interface Drafts {
  take(session: string, event: LiveEvent): void
  /** The pieces that make up every draft, for a new watcher. */
  of(session: string): readonly (Delta | Retrying)[]
}

/** A model may think at the length of a book: only the end of each field is kept, and a page shows that the rest is missing. */
const mostCharacters = 20_000
/** Some sessions never end here, because they were deleted or their process died. They must not be kept forever. */
const mostSessions = 1_000

const bounded = (draft: Draft, field: Delta['field']): Draft => {
  const text = draft[field]
  // Cut rarely and a lot: a cut at every piece would copy the whole text each time.
  if (text.length <= 2 * mostCharacters) return draft
  return { ...draft, [field]: text.slice(-mostCharacters).replace(/^[\uDC00-\uDFFF]/, '') }
}

export const keepDrafts = (): Drafts => {
  const sessions = new Map<string, Map<string, Draft>>()

  const seatsOf = (session: string): Map<string, Draft> => {
    const known = sessions.get(session)
    if (known) return known
    const [oldest] = sessions.keys()
    if (sessions.size >= mostSessions && oldest !== undefined) sessions.delete(oldest)
    const seats = new Map<string, Draft>()
    sessions.set(session, seats)
    return seats
  }

  const drop = (session: string, seat: string): void => {
    const seats = sessions.get(session)
    seats?.delete(seat)
    if (seats?.size === 0) sessions.delete(session)
  }

  return {
    take(session, event) {
      if (event.type === 'delta' || event.type === 'retrying') {
        const seats = seatsOf(session)
        const draft = written(seats.get(event.seat), event)
        seats.set(event.seat, event.type === 'delta' ? bounded(draft, event.field) : draft)
      } else if (event.type === 'session-stopped' || event.type === 'session-finished') {
        sessions.delete(session)
      } else {
        const seat = endedBy(event)
        if (seat !== undefined) drop(session, seat)
      }
    },
    of: session => [...(sessions.get(session) ?? [])].flatMap(([seat, draft]) => piecesOf(seat, draft)),
  }
}

export type BusListener = (event: LiveEvent) => void

export interface Bus {
  /**
   * Tells everybody who watches the session. A committed event is published after it is stored. It may arrive twice or
   * get lost: watchers compare positions, and read the store if one is missing.
   */
  publish(session: string, event: LiveEvent): void
  /** Returns the function that unsubscribes. If nobody wants more than committed events, the rest isn't sent. */
  subscribe(session: string, listener: BusListener, wants?: 'all' | 'committed'): () => void
  /** What seats are writing, as far as this process knows: with it, a new watcher misses nothing. */
  drafts(session: string): readonly (Delta | Retrying)[]
  close(): Promise<void>
}

export interface LocalBus extends Bus {
  /** Whether anybody in this process wants events that are not stored. */
  watched(session: string): boolean
  /** The sessions that are watched or subscribed to in this process. */
  sessions(): readonly string[]
}

/** Within one process. Enough for an embedded database, which no other process can open. */
export const localBus = (): LocalBus => {
  const audiences = new Map<string, Map<symbol, { readonly listener: BusListener; readonly all: boolean }>>()
  const drafts = keepDrafts()
  return {
    publish(session, event) {
      drafts.take(session, event)
      const committed = 'position' in event
      for (const { listener, all } of audiences.get(session)?.values() ?? []) {
        if (all || committed) listener(event)
      }
    },
    subscribe(session, listener, wants = 'all') {
      const audience = audiences.get(session) ?? new Map()
      const subscription = Symbol(session)
      audiences.set(session, audience.set(subscription, { listener, all: wants === 'all' }))
      return () => {
        audience.delete(subscription)
        if (audience.size === 0 && audiences.get(session) === audience) audiences.delete(session)
      }
    },
    drafts: drafts.of,
    watched: session => [...(audiences.get(session)?.values() ?? [])].some(({ all }) => all),
    sessions: () => [...audiences.keys()],
    async close() {
      audiences.clear()
    },
  }
}

// coalesce: Joins the pieces of answers before they are sent: a session sends about thirty frames a second.

const frame = 33

const joined = (pending: Map<string, Delta>, { text, ...piece }: Delta): void => {
  const key = `${piece.round} ${piece.turn} ${piece.seat} ${piece.field}`
  pending.set(key, { ...piece, text: (pending.get(key)?.text ?? '') + text })
}

export const coalescing = (bus: Bus): Bus => {
  const waiting = new Map<string, Map<string, Delta>>()
  let timer: NodeJS.Timeout | undefined
  const flush = (session: string): void => {
    const pending = waiting.get(session)
    waiting.delete(session)
    for (const delta of pending?.values() ?? []) bus.publish(session, delta)
  }
  const tick = (): void => {
    timer = undefined
    for (const session of [...waiting.keys()]) flush(session)
  }
  return {
    ...bus,
    publish(session, event) {
      if (event.type !== 'delta') {
        // The pieces of an answer must arrive before the answer.
        flush(session)
        bus.publish(session, event)
      } else {
        const pending = waiting.get(session) ?? new Map<string, Delta>()
        waiting.set(session, pending)
        joined(pending, event)
        timer ??= setTimeout(tick, frame)
      }
    },
    async close() {
      clearTimeout(timer)
      waiting.clear()
      await bus.close()
    },
  }
}

/** The log of a process: fields first, then a sentence, as in pino. */
export interface Logger {
  debug(fields: object, words: string): void
  info(fields: object, words: string): void
  warn(fields: object, words: string): void
  error(fields: object, words: string): void
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

// notifyChannel: Short messages between the processes on one database, by LISTEN and NOTIFY. A message may get lost.

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

// interest: Which sessions other processes watch: pieces of answers are sent only if somebody reads them.

/** Milliseconds between two reminders. A process that has sent none for the length of the lease is gone. */
const remindEvery = 10_000
const lease = 25_000

export interface Interest {
  /** Whether a session that runs here is watched elsewhere. The first call asks the other processes. */
  wanted(session: string): boolean
  /** Another process watches these sessions. */
  heard(sessions: readonly string[]): void
  runsHere(session: string): boolean
  /** Another process asks who watches the session, or somebody has begun to watch it here. */
  asked(session: string): void
  forget(session: string): void
  close(): void
}

export const interestIn = (local: LocalBus, send: (message: Message) => void): Interest => {
  const until = new Map<string, number>()
  const watchedHere = (): string[] => local.sessions().filter(local.watched)
  const repeating = setInterval(() => {
    const watching = watchedHere()
    // As many as fit into one message.
    for (let from = 0; from < watching.length; from += 50) send({ watching: watching.slice(from, from + 50) })
  }, remindEvery)
  repeating.unref()
  return {
    wanted(session) {
      const time = until.get(session)
      if (time === undefined) {
        until.set(session, 0)
        send({ asks: session })
      }
      return (time ?? 0) > Date.now()
    },
    /** Another process watches these sessions. */
    heard(sessions) {
      for (const session of sessions) if (until.has(session)) until.set(session, Date.now() + lease)
    },
    runsHere: session => until.has(session),
    asked(session) {
      if (local.watched(session)) send({ joins: session })
    },
    forget: session => void until.delete(session),
    close: () => clearInterval(repeating),
  }
}

// sharedBus: The bus between processes: small events are sent whole, large ones only by their position in the store.

/** Leaves room for what is sent around it. */
const longestMessage = 7_500

export interface SharedBus extends Bus {
  /** Tells every process that there is a session to run. */
  work(): void
}

/** The second half is appended to the first, also if the first replaces what was there (`whole`). */
const halves = ({ text, whole, ...piece }: Delta): Delta[] => {
  const middle = Math.ceil(text.length / 2)
  return [
    { ...piece, text: text.slice(0, middle), ...(whole && { whole }) },
    { ...piece, text: text.slice(middle) },
  ]
}

/** The messages for an event: the event itself, its position in the store, or its pieces. */
export const messagesOf = (session: string, event: LiveEvent): string[] => {
  const message = JSON.stringify({ session, event } satisfies Message)
  if (Buffer.byteLength(message) <= longestMessage) return [message]
  if ('position' in event) return [JSON.stringify({ session, position: event.position } satisfies Message)]
  return event.type === 'delta' ? halves(event).flatMap(half => messagesOf(session, half)) : []
}

/** Delivers in order within each session: an event that has to be read first delays only later ones of its session. */
const inOrder = () => {
  const tails = new Map<string, Promise<void>>()
  return (session: string, deliver: () => void | Promise<void>): void => {
    const before = tails.get(session)
    const now = before ? before.then(deliver) : deliver()
    if (!now) return
    const tail = now.finally(() => {
      if (tails.get(session) === tail) tails.delete(session)
    })
    tails.set(session, tail)
  }
}

export const openSharedBus = async (
  options: Omit<NotifyChannelOptions, 'receive' | 'reconnected'> & { store: Store; onWork: () => void },
): Promise<SharedBus> => {
  const { store, logger, onWork } = options
  const local = localBus()
  const deliver = inOrder()

  const readAgain = async (session: string, after: number): Promise<void> => {
    try {
      for (const event of await store.read(session, after)) local.publish(session, event)
    } catch (error) {
      logger.warn({ session, error: String(error) }, 'Events could not be read again.')
    }
  }
  /** Pieces that nobody watches here are dropped: some of them were never sent, and the rest would make no sense. */
  const hear = (session: string, event: LiveEvent): void => {
    if ('position' in event || local.watched(session)) local.publish(session, event)
  }
  /** A new watcher of a session that runs here has missed the beginning of every answer under way. */
  const tellDrafts = (session: string): void => {
    if (!interest.runsHere(session)) return
    interest.heard([session])
    for (const piece of local.drafts(session)) messagesOf(session, piece).forEach(channel.send)
  }
  const receive = (message: Message): void => {
    if ('work' in message) onWork()
    else if ('watching' in message) interest.heard(message.watching)
    else if ('joins' in message) tellDrafts(message.joins)
    else if ('asks' in message) interest.asked(message.asks)
    else if ('event' in message) deliver(message.session, () => hear(message.session, message.event))
    else if (local.sessions().includes(message.session))
      deliver(message.session, () => readAgain(message.session, message.position - 1))
  }
  /** Publishes the whole log again: watchers skip positions that they have, and miss nothing. */
  const reconnected = (): void => {
    onWork()
    for (const session of local.sessions()) deliver(session, () => readAgain(session, -1))
  }
  const channel = await openNotifyChannel({ ...options, receive, reconnected })
  const interest = interestIn(local, message => channel.send(JSON.stringify(message)))
  return {
    drafts: local.drafts,
    publish(session, event) {
      local.publish(session, event)
      if (event.type === 'session-finished') interest.forget(session)
      if ('position' in event || interest.wanted(session)) messagesOf(session, event).forEach(channel.send)
    },
    subscribe(session, listener, wants = 'all') {
      const leave = local.subscribe(session, listener, wants)
      if (wants === 'all') interest.asked(session)
      return leave
    },
    work: () => channel.send(JSON.stringify({ work: true } satisfies Message)),
    async close() {
      interest.close()
      await channel.close()
      await local.close()
    },
  }
}
