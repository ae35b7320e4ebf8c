/** Kills: of the server for an embedded database, of connections for a database server. */
import { Client } from 'pg'
import { between } from './pick.ts'
import type { Running } from './running.ts'
import type { Span } from './spans.ts'
import { pause, type Stage } from './stage.ts'

export interface Kills {
  readonly counts: { kills: number }
  readonly done: Promise<void>
}

/** Only in the first quarter of the time: afterwards memory has to stay flat in one process. */
export const killServer = (stage: Stage, server: Running, quarter: number): Kills => {
  const random = stage.random('kills')
  const counts = { kills: 0 }
  const until = Date.now() + quarter
  const often = async (): Promise<void> => {
    for (;;) {
      await pause(between(random, 3_000, 15_000), stage.signal)
      if (stage.signal.aborted || Date.now() > until) return
      await server.kill()
      counts.kills++
    }
  }
  return { counts, done: often() }
}

const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT $1`

/** One connection, some, or all of them. `killed` gets the times. */
export const killConnections = (stage: Stage, database: string, killed: Span[]): Kills => {
  const random = stage.random('kills')
  const counts = { kills: 0 }
  const often = async (): Promise<void> => {
    const client = new Client({ connectionString: database })
    await client.connect()
    for (;;) {
      await pause(between(random, 3_000, 12_000), stage.signal)
      if (stage.signal.aborted) break
      const from = Date.now()
      const { rowCount } = await client.query(terminate, [random() < 0.2 ? 100 : between(random, 1, 3)])
      counts.kills += rowCount ?? 0
      killed.push({ from, to: Date.now() })
    }
    await client.end()
  }
  return { counts, done: often() }
}
