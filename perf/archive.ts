/** Listing and searching many stored sessions, compared with one indexed query for the same rows. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import type { Archive, Filter, Page } from '../src/store/archive.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import type { Database } from '../src/store/schema.ts'
import { openServer } from '../src/store/server.ts'
import { postgresPrograms, startPostgres } from '../test/postgres-server.ts'

const stored = 50_000
const repeats = 40

export interface Compared {
  readonly what: string
  /** Milliseconds, the median of many alternating runs. */
  readonly ours: number
  readonly bare: number
}

interface ArchiveUnderTest {
  readonly name: string
  readonly archive: Archive
  readonly database: Database
}

/** Sessions as long as real ones; one in a thousand mentions the Moon, every third one teams. */
const fill = async (database: Database): Promise<void> => {
  for (let from = 0; from < stored; from += 5_000)
    await database.execute(sql`
      INSERT INTO sessions (id, length, question, opened_at, protocol, models, tags, outcome, level, line, words)
      SELECT 'session-' || n, 20,
        'Should question ' || n || ' be asked?',
        to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
        'hybrid', ARRAY['lab/model-' || n % 40, 'lab/other'], ARRAY['tag-' || n % 100],
        'verdict', 'majority', '4 of 6 agree.',
        to_tsvector('stems_english', 'Should question ' || n || ' be asked? '
          || CASE WHEN n % 1000 = 0 THEN 'The Moon is far. ' ELSE '' END
          || CASE WHEN n % 3 = 0 THEN 'Teams decide. ' ELSE '' END
          || (SELECT string_agg('word' || (n * 7 + w * w) % 5000, ' ') FROM generate_series(1, 60) AS w))
          || to_tsvector('simple', 'Should question ' || n || ' be asked?')
      FROM generate_series(${from + 1}::int, ${from + 5_000}::int) AS n`)
  // The server does this by itself from time to time.
  await database.execute(sql`VACUUM (ANALYZE) sessions`)
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1]!

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await run()
  return performance.now() - started
}

const columns = sql`id, question, opened_at, outcome, level, line, protocol, models, tags`
const newest = sql`ORDER BY opened_at COLLATE "C" DESC, id COLLATE "C" DESC LIMIT 51`

const tasks: readonly { what: string; filter: Filter; page?: Page; where: SQL }[] = [
  { what: 'the newest', filter: {}, where: sql`TRUE` },
  {
    what: 'a page in the middle',
    filter: { before: '2026-01-20' },
    where: sql`opened_at COLLATE "C" < '2026-01-20'`,
  },
  {
    what: 'a rare word',
    filter: { words: 'moon' },
    where: sql`words @@ websearch_to_tsquery('stems_english', 'moon')`,
  },
  {
    what: 'a common word',
    filter: { words: 'teams' },
    where: sql`words @@ websearch_to_tsquery('stems_english', 'teams')`,
  },
  {
    what: 'the beginning of a rare word',
    filter: { words: 'moo' },
    where: sql`words @@ 'moo:*'::tsquery`,
  },
  {
    what: 'a first letter',
    filter: { words: 't' },
    where: sql`words @@ 't:*'::tsquery`,
  },
  { what: 'one model', filter: { model: 'lab/model-7' }, where: sql`models @> ARRAY['lab/model-7']` },
  { what: 'one tag', filter: { tag: 'tag-7' }, where: sql`tags @> ARRAY['tag-7']` },
]

const compare = async ({ name, archive, database }: ArchiveUnderTest): Promise<Compared[]> => {
  await fill(database)
  const results: Compared[] = []
  for (const { what, filter, where } of tasks) {
    const ours: number[] = []
    const bare: number[] = []
    for (let repeat = 0; repeat < repeats; repeat++) {
      ours.push(await timed(() => archive.find(filter)))
      bare.push(
        await timed(() => database.execute(sql`SELECT ${columns} FROM sessions WHERE ${where} ${newest}`)),
      )
    }
    results.push({ what: `${name}: ${what}`, ours: median(ours), bare: median(bare) })
  }
  return results
}

const embedded = async (): Promise<Compared[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-archive-'))
  const { archive, database } = await openEmbedded(folder)
  try {
    return await compare({ name: 'embedded', archive, database })
  } finally {
    await archive.close()
    rmSync(folder, { recursive: true })
  }
}

const onServer = async (): Promise<Compared[]> => {
  const programs = await postgresPrograms()
  if (!programs) return []
  const server = await startPostgres(programs)
  const { archive, database } = await openServer(await server.newDatabase())
  try {
    return await compare({ name: 'Postgres', archive, database })
  } finally {
    await archive.close()
    await server.stop()
  }
}

export const searching = async (): Promise<{ results: readonly Compared[]; megabytes: number }> => {
  const results = [...(await onServer()), ...(await embedded())]
  return { results, megabytes: process.memoryUsage().rss / 1e6 }
}

if (import.meta.main) console.log(await searching())
