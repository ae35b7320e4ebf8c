/** The crash test in short: `npm run crash` is the long one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { serverArchive } from '../../src/store/server.ts'
import { newServer, withoutPostgres } from '../worker/setting.ts'
import { crash } from './crash.ts'
import { inFolder } from './stores.ts'

const sizes = { sessions: 3, kills: 2, seed: 'short', aimed: true }
const clean = { problems: [], lost: 0, paidTwice: 0, verdicts: 3, kills: 2 }
const patience = 240_000

const newHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'roundtable-crash-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  return home
}

test(
  '[J11] [J12] [J60] after kill -9 a server goes on where its logs ended: embedded',
  async () => {
    const home = newHome()
    expect(await crash({ ...inFolder(home), home, workers: 0, ...sizes })).toMatchObject(clean)
  },
  patience,
)

const server = await newServer()
afterAll(() => server?.stop(), 30_000)

test.skipIf(!server)(
  `[J11] [J12] [J60] after kill -9 a server and workers go on where the logs ended: Postgres${withoutPostgres}`,
  async () => {
    const home = newHome()
    const address = await server!.newDatabase()
    const openArchive = () => serverArchive(address)
    expect(await crash({ where: { address }, openArchive, home, workers: 2, ...sizes })).toMatchObject(clean)
  },
  patience,
)
