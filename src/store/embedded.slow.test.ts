import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { archiveContract, asked } from '../../test/contracts/store-archive-contract.ts'
import { finished, opened, stopped, storeContract } from '../../test/contracts/store-contract.ts'
import { eventProblem } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Archive } from './archive.ts'
import { type Embedded, embeddedArchive, openEmbedded } from './embedded.ts'
import { postgresArchive } from './postgres.ts'
import { type Database, migrationsFolder } from './schema.ts'

const source = JSON.stringify(new URL('embedded.ts', import.meta.url).href)
const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'roundtable-archive-'))

let folder = ''
let shared: Embedded
beforeAll(async () => {
  folder = await newFolder()
  shared = await openEmbedded(folder)
}, 60_000)
afterAll(async () => {
  await shared.archive.close()
  await rm(folder, { recursive: true, force: true })
}, 30_000)

/** All tests share one archive and empty it first, because creating one takes longer than all the tests. */
const emptied = async (): Promise<Archive> => {
  await shared.client.exec('TRUNCATE sessions, events, lineups, settings, records, files, spending, holds')
  return shared.archive
}

storeContract('embedded', async () => ({ store: await emptied() }))
archiveContract('embedded', emptied)

/** The tables as they were after so many migrations. */
const earlierArchive = async (migrations: number): Promise<PGlite> => {
  const home = await newFolder()
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const earlier = join(home, 'migrations')
  await cp(migrationsFolder, earlier, { recursive: true })
  const journal = join(earlier, 'meta', '_journal.json')
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'))
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, migrations) }))
  const client = await PGlite.create()
  onTestFinished(() => client.close())
  await migrate(drizzle(client), { migrationsFolder: earlier })
  return client
}

describe('embedded archive', () => {
  test('[S21] every commit is synced to the disk, and a read is not', async () => {
    const archive = await emptied()
    await archive.append('a', [opened('a')])
    for (let position = 1; position <= 5; position++) {
      const before = shared.files.syncs
      await archive.append('a', [stopped(position)])
      expect(shared.files.syncs).toBeGreaterThan(before)
    }
    const before = shared.files.syncs
    await archive.read('a')
    expect(shared.files.syncs).toBe(before)
    const { rows } = await shared.client.query('SELECT current_setting($1) AS fsync', ['fsync'])
    expect(rows).toEqual([{ fsync: 'on' }])
  })

  test('[S22] a second process is refused, and told who has the folder since when', async () => {
    const child = `import { embeddedArchive } from ${source}
      await embeddedArchive(${JSON.stringify(folder)}).catch(error => console.log(error.name, error.message))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', child], { encoding: 'utf8' })
    expect(stdout).toContain(
      `UsageError ${folder} is in use by process ${process.pid} on ${hostname()}, since 20`,
    )
  })

  test('[S23] appends, reads and lists at the same time wait only for each other', async () => {
    const archive = await emptied()
    const ids = Array.from({ length: 8 }, (_, index) => `s${index}`)
    await Promise.all(
      ids.map(async id => {
        await archive.append(id, [opened(id)])
        await Promise.all([archive.append(id, [stopped(1), finished(2)]), archive.list(), archive.read(id)])
      }),
    )
    expect((await archive.find({ outcome: 'interrupted' })).sessions).toHaveLength(8)
  })

  test('[S24] finds other forms of a word in the language of the session', async () => {
    const archive = await emptied()
    await archive.append('en', [asked('en', 'Which sandwiches are cheap?', { language: 'en' })])
    await archive.append('de', [asked('de', 'Welche Häuser sind billig?', { language: 'de' })])
    await archive.append('ja', [asked('ja', 'Sandwiches', { language: 'ja' })])
    const found = async (words: string) => (await archive.find({ words })).sessions.map(one => one.id)
    expect(await found('"sandwich"')).toEqual(['en'])
    expect(await found('Haus billige')).toEqual(['de'])
    expect(await found('sandwiches')).toEqual(['ja', 'en'])
  })

  test('[S24] finds common words such as articles, and words side by side', async () => {
    const archive = await emptied()
    await archive.append('will', [asked('will', 'Who will be there?')])
    await archive.append('other', [asked('other', 'Be there, or who?')])
    const found = async (words: string) => (await archive.find({ words })).sessions.map(one => one.id)
    expect(await found('will')).toEqual(['will'])
    expect(await found('"be there"')).toEqual(['will', 'other'])
    expect(await found('"there or who"')).toEqual(['other'])
  })

  test('[S24] a session that is too long to be indexed is still kept', async () => {
    const archive = await emptied()
    const many = Array.from({ length: 90_000 }, (_, index) => `ж${index}`)
      .join(' ')
      .slice(0, 100_000)
    await archive.append('long', [asked('long', many, { language: 'en' })])
    expect((await archive.find({ words: 'ж7' })).sessions).toHaveLength(1)
  })

  test('[S25] a folder of another major version is refused with instructions, and left as it is', async () => {
    const home = await newFolder()
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    await (await embeddedArchive(home)).close()
    await writeFile(join(home, 'postgres', 'PG_VERSION'), '17\n')
    await expect(embeddedArchive(home)).rejects.toThrow(/Postgres 17, .* reads 18.*Back it up.*restore/)
    expect(await readFile(join(home, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n')
    expect(await readdir(home)).toEqual(['postgres'])
    expect((await stat(join(home, 'postgres'))).mode & 0o077).toBe(0)
  })

  test('[S28] an archive of an earlier version can be searched in this one', async () => {
    const client = await earlierArchive(2)
    await client.exec(`INSERT INTO sessions (id, length, question, opened_at, protocol, language, models, text)
      VALUES ('old', 1, 'Universities?', '2026', 'poll', 'en', '{}', 'Will sandwiches be cheap?'), ('ja', 1, 'Q', '2025', 'poll', 'ja', '{}', 'Sandwiches')`)
    await migrate(drizzle(client), { migrationsFolder })
    const archive = postgresArchive(drizzle(client) as unknown as Database, async () => {})
    const found = async (words: string) => (await archive.find({ words })).sessions.map(one => one.id)
    expect(await found('sandwich will')).toEqual(['old'])
    expect(await found('sandwiches')).toEqual(['old', 'ja'])
    expect(await found('universiti')).toEqual(['old'])
  })

  test('[S262] a book that an earlier version sealed is a book like any other, whether it was opened or not', async () => {
    const client = await earlierArchive(9)
    const archive = postgresArchive(drizzle(client) as unknown as Database, async () => {})
    const sealed = { ...opened('sealed'), book: { sealed: true } }
    const said = { type: 'asker-said', position: 1, at: '2026', words: '"type":"book-opened" \0' }
    const rows = [sealed, said, { type: 'book-opened', position: 2, at: '2026' }, stopped(3)]
    await client.exec(`INSERT INTO sessions (id, length, question, opened_at, protocol, models, book, words)
      VALUES ('plain', 1, 'Q', '2026', 'poll', '{}', NULL, ''), ('sealed', 4, 'Q', '2026', 'poll', '{}', 'open', '')`)
    for (const row of rows)
      await client.query('INSERT INTO events VALUES ($1, $2, $3)', [
        'sealed',
        row.position,
        JSON.stringify(row),
      ])
    await migrate(drizzle(client), { migrationsFolder })
    expect((await archive.find({ books: true })).sessions).toMatchObject([{ id: 'sealed', book: true }])
    const log = await archive.read('sealed')
    expect(log).toEqual([
      sealed,
      said,
      { type: 'calls-begun', calls: [], position: 2, at: '2026' },
      stopped(3),
    ])
    expect(log.map(eventProblem)).toEqual(log.map(() => undefined))
    expect(fold(log).stopped).toBeDefined()
  })

  test('[S320] an archive that a newer version has migrated is refused, and left as it is', async () => {
    const home = await newFolder()
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    const { client, archive } = await openEmbedded(home)
    const later = Date.now() + 1e9
    await client.query('INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)', [
      'x',
      later,
    ])
    await archive.close()
    const refused =
      /saved by a newer version of Roundtable.*Use that version or a later one. Nothing was changed/
    await expect(embeddedArchive(home)).rejects.toThrow(refused)
    await expect(embeddedArchive(home)).rejects.toThrow(refused)
  })

  test('[S29] tables that have grown are cleaned up when the archive is closed', async () => {
    const home = await newFolder()
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    const counted = async ({ client }: Embedded) =>
      (await client.query("SELECT reltuples::int AS count FROM pg_class WHERE relname = 'events'")).rows
    const first = await openEmbedded(home)
    expect(await counted(first)).toEqual([{ count: -1 }])
    const log = [
      opened('a'),
      ...Array.from({ length: 2_000 }, (_, index) => stopped(index + 1, 'x'.repeat(900))),
    ]
    await first.archive.append('a', log)
    await first.archive.close()
    const second = await openEmbedded(home)
    expect(await counted(second)).toEqual([{ count: 2_001 }])
    await second.archive.close()
  })
})
