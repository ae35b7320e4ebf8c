/** The crash test in short: `npm run crash` is the long one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { embeddedArchive } from '../../src/store/embedded.ts'
import { serverArchive } from '../../src/store/server.ts'
import { newServer, withoutPostgres } from '../worker/setting.ts'
import { crash } from './crash.ts'

const sizes = { sessions: 3, kills: 2, seed: 'short' }
const clean = { problems: [], verdicts: 3, kills: 2 }
const patience = 240_000

test(
  '[J11] [J12] after kill -9 a session goes on where its log ended: embedded',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roundtable-crash-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const openArchive = () => embeddedArchive(folder, { patience: 5_000 })
    expect(await crash({ where: { folder }, openArchive, processes: 1, ...sizes })).toMatchObject(clean)
  },
  patience,
)

const server = await newServer()
afterAll(() => server?.stop(), 30_000)

test.skipIf(!server)(
  `[J11] [J12] after kill -9 another process goes on where the log ended: Postgres${withoutPostgres}`,
  async () => {
    const address = await server!.newDatabase()
    const openArchive = () => serverArchive(address)
    expect(await crash({ where: { address }, openArchive, processes: 2, ...sizes })).toMatchObject(clean)
  },
  patience,
)
