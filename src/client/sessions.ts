/** Sessions that a server runs: they continue there even if this process ends. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  estimateSchema,
  type ForkBody,
  openedSchema,
  type PersonLink,
  sharpenedSchema,
} from '../api/index.ts'
import type { SessionEvent } from '../core/log/event.ts'
import type { LiveEvent } from '../core/log/live-event.ts'
import { documentOf, type SessionDocument } from '../exports/document.ts'
import type { Running } from '../runtime/runtime.ts'
import type { Sharpened } from '../runtime/sharpen.ts'
import type { ServerAddress } from '../store/shared/messages.ts'
import type { AskInput } from '../table/ask-input.ts'
import type { Estimate } from '../table/estimate.ts'
import { connectTo, ServerGone } from './connection.ts'
import { type WatchOptions, watch } from './watch.ts'

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
