/** Share links that are made and revoked at the same moment, on every archive a server can have. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { sessionShared, share, shareOf, unshare } from '../../src/http/sessions.ts'
import type { Archive } from '../../src/store/archive.ts'
import { embeddedArchive } from '../../src/store/embedded.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { serverArchive } from '../../src/store/server.ts'
import { postgresPrograms, startPostgres } from '../postgres-server.ts'

const programs = await postgresPrograms()
const server = programs && (await startPostgres(programs))
afterAll(() => server?.stop(), 30_000)

const inFolder = async (): Promise<Archive> => {
  const folder = await mkdtemp(join(tmpdir(), 'roundtable-shares-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return embeddedArchive(folder)
}

const archives: readonly (readonly [string, (() => Promise<Archive>) | undefined])[] = [
  ['in memory', async () => memoryStore()],
  ['in a folder', inFolder],
  [
    server ? 'on Postgres' : 'on Postgres (skipped: there is none here)',
    server && (async () => serverArchive(await server.newDatabase())),
  ],
]

describe.each(archives)('%s', (_, open) => {
  test.skipIf(!open)(
    '[H33] no revoked link is open, however often it is shared and revoked at once',
    async () => {
      const archive = await open!()
      onTestFinished(() => archive.close())
      const sessions = Array.from({ length: 10 }, (_, index) => `session-${index}`)
      const made = new Set<string>()
      for (let round = 0; round < 5; round++) {
        await Promise.all(
          sessions.flatMap(session =>
            Array.from({ length: 6 }, async (_, index) => {
              if (index % 2 === 0) made.add((await share(archive, session)).token)
              else await unshare(archive, session)
            }),
          ),
        )
        // A link is open exactly if its session says that it is the one.
        const open = await Promise.all(
          sessions.map(async session => (await shareOf(archive, session))?.token),
        )
        for (const token of made) {
          const session = await sessionShared(archive, token)
          expect(open.includes(token)).toBe(session !== undefined)
        }
        await Promise.all(sessions.map(session => unshare(archive, session)))
        for (const token of made) expect(await sessionShared(archive, token)).toBeUndefined()
      }
      expect(await archive.settings()).toEqual({})
    },
    60_000,
  )
})
