/** The bus between processes: small events are sent whole, large ones only by their position in the store. */
import type { Delta, LiveEvent } from '../core/log/live-event.ts'
import type { Store } from '../store/store.ts'
import { type Bus, localBus } from './bus.ts'
import { interestIn } from './interest.ts'
import { type Message, type NotifyChannelOptions, openNotifyChannel } from './notify-channel.ts'

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
