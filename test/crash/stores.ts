/** The two places that sessions are kept in, for tests that start real commands on a folder or a database of their own. */

import { join } from 'node:path'
import type { Where } from '../../src/run/jobs.ts'
import type { Archive } from '../../src/store/archive.ts'
import { embeddedArchive } from '../../src/store/embedded.ts'
import { serverArchive } from '../../src/store/server.ts'
import { archiveFolder } from '../../src/terminal/archive.ts'
import { postgresPrograms, startPostgres } from '../postgres-server.ts'

export interface Kept {
  readonly where: Where
  /** To look at it when the commands have ended. */
  readonly openArchive: () => Promise<Archive>
}

export const storeNames = ['embedded', 'postgres'] as const
export type StoreName = (typeof storeNames)[number]

/** What `--store` means: one of them, or both. */
export const storesFor = (flag: string): readonly StoreName[] => {
  const found = flag === 'both' ? storeNames : storeNames.filter(name => name === flag)
  if (found.length > 0) return found
  throw new Error(`--store takes ${storeNames.join(', ')} or both, not ${flag}.`)
}

export const inFolder = (home: string): Kept => {
  const folder = join(home, 'data')
  return {
    where: { folder },
    openArchive: () => embeddedArchive(archiveFolder(folder), { patience: 5_000 }),
  }
}

/** Starts a Postgres of its own, if this user may, and stops it afterwards. */
const onPostgres = async <Result>(work: (kept: Kept) => Promise<Result>): Promise<Result> => {
  const programs = await postgresPrograms()
  if (!programs) throw new Error('There is no Postgres here that this user may run.')
  const server = await startPostgres(programs)
  try {
    const address = await server.newDatabase()
    return await work({ where: { address }, openArchive: () => serverArchive(address) })
  } finally {
    await server.stop()
  }
}

export const onStore = <Result>(
  store: StoreName,
  home: string,
  work: (kept: Kept) => Promise<Result>,
): Promise<Result> => (store === 'embedded' ? work(inFolder(home)) : onPostgres(work))
