/** Two hundred sessions at once in one process: run and stored by an engine, compared with the library alone. */

import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Where } from '../src/run/jobs.ts'
import { postgresPrograms, startPostgres } from '../test/postgres-server.ts'

export interface LoadJob {
  readonly baseURL: string
  readonly seats: number
  readonly sessions: number
  readonly repeat: number
  /** Absent: the library alone. */
  readonly where?: Where
}

export interface LoadMeasured {
  /** Seconds. */
  readonly wall: number
  readonly processor: number
  readonly megabytes: number
}

const file = fileURLToPath(new URL('load-client.ts', import.meta.url))

const measure = (job: LoadJob): Promise<LoadMeasured> =>
  new Promise((resolve, reject) => {
    const child = fork(file, [JSON.stringify(job)])
    child.once('message', message => resolve(message as LoadMeasured))
    child.once('exit', code => reject(new Error(`a benchmark process ended with ${code}`)))
  })

export interface LoadRow extends LoadMeasured {
  readonly store: 'library' | 'embedded' | 'postgres'
}

export const loadSessions = async (baseURL: string, sessions = 200): Promise<LoadRow[]> => {
  const job = { baseURL, seats: 6, sessions, repeat: 1 }
  const rows: LoadRow[] = [{ store: 'library', ...(await measure(job)) }]
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-load-'))
  rows.push({ store: 'embedded', ...(await measure({ ...job, where: { folder } })) })
  rmSync(folder, { recursive: true, force: true })
  const programs = await postgresPrograms()
  if (!programs) return rows
  const server = await startPostgres(programs)
  const address = await server.newDatabase()
  rows.push({ store: 'postgres', ...(await measure({ ...job, where: { address } })) })
  await server.stop()
  return rows
}
