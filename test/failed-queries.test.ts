/** What comes out of each end of the program when the database refuses a statement: the cause, and none of its values. */

import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { exporterNamed } from '../src/exports/index.ts'
import type { Logger } from '../src/run/bus.ts'
import type { Archive } from '../src/store/archive.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import type { Database } from '../src/store/schema.ts'
import { openServer } from '../src/store/server.ts'
import { connect, openSocketServer, runOwners } from '../src/store/shared.ts'
import { terminals } from './command-line.ts'
import { asked } from './contracts/store-archive-contract.ts'
import { engineAt, finished, labFor, newServer, opening, withoutPostgres } from './worker/setting.ts'

const secret = 'what-nobody-may-read'
const cause = 'violates check constraint "refused"'

/** From now on the database refuses rows, and its own words about them repeat the row. */
const refuse = (table: string, unless: SQL = sql`false`): SQL =>
  sql`ALTER TABLE ${sql.identifier(table)} ADD CONSTRAINT refused CHECK (${unless}) NOT VALID`

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'roundtable-refused-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const prepare = async (folder: string, statement: SQL): Promise<void> => {
  const { archive, database } = await openEmbedded(folder)
  await database.execute(statement)
  await archive.close()
}

const errorOf = (failing: Promise<unknown>): Promise<Error> =>
  failing.then(
    () => expect.unreachable(),
    (error: Error) => error,
  )

const withoutValues = async (archive: Archive, database: Database): Promise<void> => {
  await database.execute(refuse('settings'))
  const save = (on: Pick<Database, 'execute'>): Promise<unknown> =>
    on.execute(sql`INSERT INTO settings (name, value) VALUES (${secret}, '1')`)
  const errors = await Promise.all([
    errorOf(archive.saveSetting(secret, 1)),
    errorOf(save(database)),
    errorOf(database.transaction(save)),
    errorOf(database.transaction(transaction => transaction.transaction(save))),
  ])
  for (const error of errors) expect(error.message).toContain(cause)
  const unreadable = await errorOf(database.execute(sql`SELECT ${secret}::integer`))
  expect(unreadable.message).toContain('22P02')
  for (const error of [...errors, unreadable]) {
    const everything = [String(error), error.stack, inspect(error, { depth: 9, showHidden: true })].join('\n')
    expect(everything).not.toContain(secret)
  }
}

describe('[S34] the error of a failed query names its cause, and none of the values', () => {
  test('on the embedded database, and through its socket', async () => {
    const folder = await newFolder()
    const { archive, database } = await openEmbedded(folder)
    onTestFinished(() => archive.close())
    await withoutValues(archive, database)
    const server = await openSocketServer(folder, { archive, owners: runOwners(), hello: { token: 'it' } })
    onTestFinished(() => server.close())
    const client = (await connect(server.path, 'it'))!
    onTestFinished(() => client.archive.close())
    const { message } = await errorOf(client.archive.saveSetting(secret, 1))
    expect(message).toContain(cause)
    expect(message).not.toContain(secret)
  }, 60_000)

  test.skipIf(withoutPostgres !== '')(
    `on a Postgres server${withoutPostgres}`,
    async () => {
      const server = (await newServer())!
      onTestFinished(() => server.stop())
      const { archive, database } = await openServer(await server.newDatabase())
      onTestFinished(() => archive.close())
      await withoutValues(archive, database)
    },
    60_000,
  )

  test('in the log of a process that runs sessions, and in the reason why a session failed', async () => {
    const folder = await newFolder()
    await prepare(folder, refuse('events', sql`event->>'type' <> 'answer-given'`))
    const lab = await labFor({
      handler: () => ({ headline: secret, choice: 'Yes', reasoning: secret, confidence: 0.8 }),
    })
    const lines: string[] = []
    const log = (fields: object, words: string): void => void lines.push(`${words} ${inspect(fields)}`)
    const logger: Logger = { debug: log, info: log, warn: log, error: log }
    const engine = await engineAt({ folder }, lab, { logger })
    const first = await opening(lab)
    await engine.queue.open(first)
    expect((await finished(engine, first.id)).outcome).toBe('failed')
    const events = JSON.stringify(await engine.archive.read(first.id))
    for (const text of [lines.join('\n'), events]) {
      expect(text).toContain('violates check constraint')
      expect(text).not.toContain(secret)
    }
  }, 60_000)

  test('and in the terminal, also with a stack trace', async () => {
    const { folder, start } = terminals()
    await prepare(join(folder, 'data', 'archive'), refuse('sessions'))
    writeFileSync(join(folder, 'one.json'), exporterNamed('json').write([asked('one', secret)]))
    const { code, err } = await start(['import', 'one.json', '--verbose']).done
    expect(code).toBe(1)
    expect(err).toContain(cause)
    expect(err).not.toContain(secret)
  }, 60_000)
})
