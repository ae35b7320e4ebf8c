/** The sessions of a server over its HTTP API. If the server is gone, another one takes its place and the call goes on. */
import { findingsSchema, openedSchema, sessionSchema } from '../api/sessions.ts'
import { modelsSchema } from '../api/table.ts'
import { connectTo, type ServerConnection, ServerGone, watch } from '../client/client.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { TableHost } from './host.ts'
import type { Tables } from './server.ts'

const mostTries = 4

const queryOf = (fields: object): string => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}

export const remoteTables = (host: TableHost): Tables => {
  const connected = async (): Promise<ServerConnection> => connectTo(await host.server())
  const asked = async <T>(ask: (connection: ServerConnection) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await ask(await connected())
      } catch (error) {
        if (!(error instanceof ServerGone) || tries === mostTries) throw error
        host.lost()
      }
    }
  }
  const read = async (path: string): Promise<unknown> =>
    asked(async connection => (await connection.get(path)).json())

  const logOf = async (id: string): Promise<readonly SessionEvent[]> =>
    sessionSchema.parse(await read(`/api/sessions/${id}`)).events

  /** What is in the log first: a session that was over may have been reopened. Then what a server tells, old or new. */
  async function* follow(id: string, signal: AbortSignal): AsyncGenerator<SessionEvent> {
    const log = await logOf(id)
    yield* log
    if (fold(log).outcome) return
    let last = log.length - 1
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        const options = { signal, patience: 1_000, beyond: last }
        for await (const event of watch(await connected(), id, options)) {
          if (!('position' in event) || event.position <= last) continue
          last = event.position
          yield event
        }
        return
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof ServerGone) || tries === mostTries) throw error
        host.lost()
      }
    }
  }

  return {
    open: async (input, key) =>
      openedSchema.parse(await asked(connection => connection.post('/api/sessions', input, key))).id,
    log: logOf,
    follow,
    async stop(id) {
      await asked(connection => connection.post(`/api/sessions/${id}/cancel`))
    },
    async handIn(id, seat, body) {
      await asked(connection => connection.post(`/api/sessions/${id}/seats/${seat}/answer`, body))
    },
    find: async query => findingsSchema.parse(await read(`/api/sessions?${queryOf(query)}`)),
    models: async query => modelsSchema.parse(await read(`/api/models?${queryOf(query)}`)),
    origin: async () => (await host.server()).address,
  }
}
