/** Who pays for a session: the person whose it is, and the team. */
import { and, eq } from 'drizzle-orm'
import { type Payer, type PayerMeter, payerMeter } from '../runtime/payer-meter.ts'
import type { Database } from '../store/database.ts'
import { untilBack, type Wait } from '../store/database-away.ts'
import { type Ledger, teamPayer } from '../store/ledger/ledger.ts'
import { postgresLedger } from '../store/ledger/postgres-ledger.ts'
import { records, sessions } from '../store/schema.ts'

/** A ledger that waits while the database is away. */
const patientLedger = (ledger: Ledger, wait: Wait): Ledger => ({
  hold: request => untilBack(() => ledger.hold(request), wait),
  settle: (id, used) => untilBack(() => ledger.settle(id, used), wait),
  release: session => untilBack(() => ledger.release(session), wait),
})

const ownerOf = async (database: Database, session: string): Promise<Payer | undefined> => {
  const rows = await database
    .select({ id: sessions.owner, person: records.value })
    .from(sessions)
    .leftJoin(records, and(eq(records.kind, 'person'), eq(records.key, sessions.owner)))
    .where(eq(sessions.id, session))
  const { id, person } = rows[0] ?? {}
  if (typeof id !== 'string') return undefined
  return { id, name: (person as { readonly name?: string } | null)?.name }
}

export interface Payers {
  /** The budgets that a session is checked against; what an earlier runner of it held counts as used from now on. */
  payerOf(session: string): Promise<PayerMeter | undefined>
  /** The budgets for calls outside of any session. */
  meterOf(person: Payer): PayerMeter
}

export const payersOn = (database: Database, wait: Wait, accounts: boolean, clock: () => number): Payers => {
  const ledger = patientLedger(postgresLedger(database), wait)
  const withTeam = (owner: Payer | undefined): readonly Payer[] => [...(owner ? [owner] : []), { id: teamPayer }]
  return {
    async payerOf(session) {
      const owner = await untilBack(() => ownerOf(database, session), wait)
      if (!owner && !accounts) return undefined
      await ledger.release(session)
      return payerMeter({ ledger, payers: withTeam(owner), session, clock })
    },
    meterOf: person => payerMeter({ ledger, payers: withTeam(person), clock }),
  }
}
