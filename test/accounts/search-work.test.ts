/** A search touches no row that the person may not see: otherwise its time would tell what others wrote. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openServer } from '../../src/store/server.ts'
import type { TestServer } from '../postgres-server.ts'
import { newServer, withoutPostgres } from '../worker/setting.ts'

describe.skipIf(withoutPostgres !== '')(`on a Postgres server${withoutPostgres}`, () => {
  let postgres: TestServer | undefined
  beforeAll(async () => {
    postgres = await newServer()
  }, 60_000)
  afterAll(() => postgres?.stop(), 30_000)

  test('[AC42] a search for a word of others’ private sessions reads as many rows as one for a word of nobody', async () => {
    const { archive, database } = await openServer(await postgres!.newDatabase())
    onTestFinished(() => archive.close())
    const shelve = (id: string, count: number, owner: string | null, visibility: string, word: string) =>
      database.execute(sql`
        INSERT INTO sessions (id, length, question, opened_at, protocol, models, owner, visibility, words)
        SELECT ${id}::text || n, 1, 'Why?', '2026-01-01T00:00:00.' || lpad(n::text, 6, '0'), 'poll', '{}', ${owner}::text,
          ${visibility}::text, to_tsvector('simple', ${word}::text || ' rest' || n)
        FROM generate_series(1, ${count}::int) AS n`)
    await shelve('adas', 3_000, 'ada', 'private', 'zephyrous')
    await shelve('teams', 300, null, 'team', 'marmalade')
    await database.execute(sql`VACUUM ANALYZE sessions`)
    /** Rows that the table handed out, whichever way they were looked for. */
    const rowsRead = async (): Promise<number> => {
      await database.execute(sql`SELECT pg_stat_force_next_flush()`)
      const { rows } = await database.execute<{ read: string }>(sql`
        SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_user_tables WHERE relname = 'sessions'`)
      return Number((rows[0] as { read: string }).read)
    }
    const workOf = async (words: string, viewer: string): Promise<{ found: number; read: number }> => {
      const before = await rowsRead()
      const { sessions } = await archive.find({ words, viewer })
      return { found: sessions.length, read: (await rowsRead()) - before }
    }
    const nothing = await workOf('"nowhere"', 'bob')
    expect(nothing.found).toBe(0)
    expect(await workOf('"zephyrous"', 'bob')).toEqual(nothing)
    expect(await workOf('zephyr', 'bob')).toEqual(await workOf('nowher', 'bob'))
    expect(await workOf('"zephyrous"', 'ada')).toMatchObject({ found: 50 })
    expect((await workOf('"marmalade"', 'bob')).read).toBeGreaterThan(nothing.read)
  })
})
