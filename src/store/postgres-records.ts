/** Records in Postgres: values of a kind, by a key, and whose they are. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Archive } from './archive/archive.ts'
import type { RecordKind } from './archive/record-kinds.ts'
import type { Database } from './database.ts'
import { records } from './schema.ts'

type RecordMethods = Pick<
  Archive,
  'record' | 'ownedRecord' | 'records' | 'saveRecord' | 'addRecord' | 'removeRecord'
>

const isOne = (kind: RecordKind, key: string): SQL | undefined =>
  and(eq(records.kind, kind), eq(records.key, key))

const target = [records.kind, records.key]

const { placeholder } = sql

const isNamed = and(eq(records.kind, placeholder('kind')), eq(records.key, placeholder('key')))

/** Prepared, because requests of people ask for them all the time. */
const oneRecord = (database: Database) =>
  database.select({ value: records.value }).from(records).where(isNamed).prepare('one_record')

const people = alias(records, 'people')

const recordWithPerson = (database: Database) =>
  database
    .select({ value: records.value, person: people.value })
    .from(records)
    .leftJoin(people, and(eq(people.kind, 'person' satisfies RecordKind), eq(people.key, records.owner)))
    .where(isNamed)
    .prepare('record_with_person')

export const recordRows = (
  database: Database,
  one = oneRecord(database),
  withPerson = recordWithPerson(database),
): RecordMethods => ({
  async record(kind, key) {
    const rows = await one.execute({ kind, key })
    return rows[0]?.value
  },
  async ownedRecord(kind, key) {
    const rows = await withPerson.execute({ kind, key })
    return rows[0]
  },
  async records(kind, { owner, before, limit } = {}) {
    const found = database
      .select({ key: records.key, owner: records.owner, value: records.value })
      .from(records)
      .where(
        and(
          eq(records.kind, kind),
          owner === undefined ? undefined : eq(records.owner, owner),
          before === undefined ? undefined : sql`${records.key} COLLATE "C" < ${before}`,
        ),
      )
      .orderBy(sql`${records.key} COLLATE "C" DESC`)
    return limit === undefined ? found : found.limit(limit)
  },
  async saveRecord(kind, key, value, owner) {
    const row = { value, owner: owner ?? null }
    await database
      .insert(records)
      .values({ kind, key, ...row })
      .onConflictDoUpdate({ target, set: row })
  },
  async addRecord(kind, key, value, owner) {
    // The empty update makes the statement return an existing row, even one that was committed a moment ago.
    const rows = await database
      .insert(records)
      .values({ kind, key, value, owner: owner ?? null })
      .onConflictDoUpdate({ target, set: { key } })
      .returning({ value: records.value })
    return rows[0]!.value
  },
  async removeRecord(kind, key) {
    const rows = await database.delete(records).where(isOne(kind, key)).returning({ value: records.value })
    return rows[0]?.value
  },
})
