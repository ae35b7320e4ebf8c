/** Who pays for a session: the person whose it is, and the team. */
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { type Payer, type PayerMeter, payerMeter } from '../runtime/payer-meter.ts'
import type { Watch } from '../runtime/runtime.ts'
import type { Database } from '../store/database.ts'
import { untilBack, type Wait } from '../store/database-away.ts'
import { grouped } from '../store/grouped.ts'
import { type Ledger, teamPayer } from '../store/ledger/ledger.ts'
import { postgresLedger } from '../store/ledger/postgres-ledger.ts'
import { records, sessions } from '../store/schema.ts'
import type { Jobs } from './jobs.ts'

/** Milliseconds between two looks for holds that nobody will settle. */
const lookEvery = 1_000

/**
 * Counts what dead runners held as used. Their sessions may wait for a free place: if it is taken by runs that wait for
 * what they held, nothing would ever go on.
 */
const releasingDead = (ledger: Ledger, jobs: Jobs): (() => Promise<void>) => {
  let looked = -Infinity
  return async () => {
    if (performance.now() - looked < lookEvery) return
    looked = performance.now()
    const holders = await ledger.holders()
    const taken = await jobs.taken(holders)
    for (const session of holders) if (!taken.has(session)) await ledger.release(session)
  }
}

/** A ledger that waits while the database is away. */
const patientLedger = (ledger: Ledger, jobs: Jobs, wait: Wait): Ledger => {
  const releaseDead = releasingDead(ledger, jobs)
  return {
    async hold(request) {
      const reply = await untilBack(() => ledger.hold(request), wait)
      if ('wait' in reply) await untilBack(releaseDead, wait)
      return reply
    },
    holders: () => untilBack(() => ledger.holders(), wait),
    settle: (id, used) => untilBack(() => ledger.settle(id, used), wait),
    release: session => untilBack(() => ledger.release(session), wait),
  }
}

/** Many sessions may begin at once. Those without an owner are left out. */
const ownersOf = async (database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Payer>> => {
  const rows = await database
    .select({ session: sessions.id, owner: sessions.owner, person: records.value })
    .from(sessions)
    .leftJoin(records, and(eq(records.kind, 'person'), eq(records.key, sessions.owner)))
    .where(and(inArray(sessions.id, [...ids]), isNotNull(sessions.owner)))
  const payerIn = ({ owner, person }: (typeof rows)[number]): Payer => ({
    id: owner!,
    name: (person as { readonly name?: string } | null)?.name,
  })
  return new Map(rows.map(row => [row.session, payerIn(row)]))
}

/** How a session is paid for. */
export interface Paying extends Pick<Watch, 'withOwnProviders'> {
  readonly payer: PayerMeter
}

/** The keys and endpoints that a person entered for their own sessions. */
export type OwnProviders = (person: string) => Promise<Watch['withOwnProviders']>

export interface PayersOptions {
  /** Budgets count for sessions of nobody in particular, too. */
  readonly accounts: boolean
  readonly ownProviders?: OwnProviders | undefined
  readonly clock: () => number
}

export interface Payers {
  /** The budgets that a session is checked against; what an earlier runner of it held counts as used from now on. */
  payingFor(session: string): Promise<Paying | undefined>
  /** The budgets for calls outside of any session. */
  meterOf(person: Payer): PayerMeter
}

export const payersOn = (database: Database, jobs: Jobs, wait: Wait, options: PayersOptions): Payers => {
  const { accounts, ownProviders, clock } = options
  const ledger = patientLedger(postgresLedger(database), jobs, wait)
  const withTeam = (owner: Payer | undefined): readonly Payer[] => [
    ...(owner ? [owner] : []),
    { id: teamPayer },
  ]
  const ownerOf = grouped(async (wanted: readonly { readonly id: string }[]) => {
    const owners = await ownersOf(
      database,
      wanted.map(({ id }) => id),
    )
    return ({ id }) => owners.get(id)
  })
  return {
    async payingFor(session) {
      const owner = await untilBack(() => ownerOf({ id: session }), wait)
      if (!owner && !accounts) return undefined
      await ledger.release(session)
      return {
        payer: payerMeter({ ledger, payers: withTeam(owner), session, clock }),
        withOwnProviders: owner && (await ownProviders?.(owner.id)),
      }
    },
    meterOf: person => payerMeter({ ledger, payers: withTeam(person), clock }),
  }
}
