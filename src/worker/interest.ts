/** What other processes watch: pieces of answers are sent only where somebody reads them. */
import type { LocalBus } from './bus.ts'
import type { Message } from './notify-channel.ts'

/** Said again so often; a process that has not said it for longer is gone. */
const sayEvery = 10_000
const lease = 25_000

export interface Interest {
  /** Whether a session that runs here is watched elsewhere. The first time, it has to ask. */
  wanted(session: string): boolean
  heard(sessions: readonly string[]): void
  runsHere(session: string): boolean
  /** Somebody runs the session, or watches it here from now on. */
  asked(session: string): void
  forget(session: string): void
  close(): void
}

export const interestIn = (local: LocalBus, say: (message: Message) => void): Interest => {
  const until = new Map<string, number>()
  const watchedHere = (): string[] => local.sessions().filter(local.watched)
  const repeating = setInterval(() => {
    const watching = watchedHere()
    // Few enough for one message.
    for (let from = 0; from < watching.length; from += 50) say({ watching: watching.slice(from, from + 50) })
  }, sayEvery)
  repeating.unref()
  return {
    wanted(session) {
      const time = until.get(session)
      if (time === undefined) {
        until.set(session, 0)
        say({ asks: session })
      }
      return (time ?? 0) > Date.now()
    },
    heard(sessions) {
      for (const session of sessions) if (until.has(session)) until.set(session, Date.now() + lease)
    },
    runsHere: session => until.has(session),
    asked(session) {
      if (local.watched(session)) say({ joins: session })
    },
    forget: session => void until.delete(session),
    close: () => clearInterval(repeating),
  }
}
