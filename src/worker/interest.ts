/** Which sessions other processes watch: pieces of answers are sent only if somebody reads them. */
import type { LocalBus } from './bus.ts'
import type { Message } from './notify-channel.ts'

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
