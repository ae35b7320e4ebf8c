/** A database as its two drivers have it in common. */
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** What both drivers give back for a statement of one's own. */
interface RowsResult extends PgQueryResultHKT {
  readonly type: { rows: unknown[] }
}

export type Database = PgDatabase<RowsResult>
