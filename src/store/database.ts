/** What the two database drivers have in common. */
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** What both drivers return for a raw statement. */
interface RowsResult extends PgQueryResultHKT {
  readonly type: { rows: unknown[] }
}

export type Database = PgDatabase<RowsResult>
