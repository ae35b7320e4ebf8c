/** The team as its admins see it: who has an account and how they log in, and what everybody used, as counts. */
import type { Archive, DayAsked } from '../store/archive/archive.ts'
import type { RecordKind } from '../store/archive/record-kinds.ts'
import { type Allowance, teamPayer } from '../store/ledger/ledger.ts'
import type { Accounts } from './accounts.ts'
import { budgetsIn, type PeriodSpending } from './budgets.ts'
import type { Person } from './person.ts'

/** Which record says that somebody can log in in this way. */
const recordOfWay = {
  password: 'password',
  passkey: 'passkey',
  provider: 'oidc-identity',
} as const satisfies Record<string, RecordKind>
type WayIn = keyof typeof recordOfWay

export interface Member extends Person {
  readonly ways: readonly WayIn[]
  /** ISO 8601. */
  readonly lastSignIn: string | null
  readonly signedIn: number
}

export interface MemberUse extends PeriodSpending {
  /** Sessions that were opened and still exist. */
  readonly asked: number
}

export interface UsedByPayer {
  /** A person's id, or the team. */
  readonly payer: string
  readonly today: MemberUse
  readonly month: MemberUse
  readonly days: readonly (MemberUse & { readonly day: string })[]
  readonly allowance: Allowance
}

export const membersOf = async (archive: Archive, accounts: Accounts): Promise<readonly Member[]> => {
  const ways = Object.keys(recordOfWay) as WayIn[]
  const owners = await Promise.all(
    ways.map(async way => new Set((await archive.records(recordOfWay[way])).map(({ owner }) => owner))),
  )
  const last = new Map((await archive.records('last-sign-in')).map(({ key, value }) => [key, value]))
  return Promise.all(
    (await accounts.people.list()).map(async person => {
      const at = last.get(person.id)
      return {
        ...person,
        ways: ways.filter((_, index) => owners[index]?.has(person.id)),
        lastSignIn: typeof at === 'string' ? at : null,
        signedIn: (await accounts.signIns.of(person.id)).length,
      }
    }),
  )
}

const sessionsIn = (asked: readonly DayAsked[]): number => asked.reduce((sum, one) => sum + one.sessions, 0)

const none: PeriodSpending = { usd: 0, tokens: 0, calls: 0 }

/** Today and this month in UTC: the team first, then these people. */
export const usedByTeam = async (
  archive: Archive,
  people: readonly Person[],
  at: number,
): Promise<readonly UsedByPayer[]> => {
  const today = new Date(at).toISOString().slice(0, 10)
  const first = `${today.slice(0, 7)}-01`
  const [spent, spentByDay, askedByDay] = await Promise.all([
    budgetsIn(archive).spent(at),
    archive.spending(first, today),
    archive.asked(first, today),
  ])
  return [teamPayer, ...people.map(({ id }) => id)].map(payer => {
    const sums = spent.find(one => one.payer === payer)
    const asked = askedByDay.filter(({ owner }) => payer === teamPayer || owner === payer)
    const days = spentByDay.filter(one => one.payer === payer)
    const onDay = (day: string): MemberUse => {
      const { usd, tokens, calls } = days.find(one => one.day === day) ?? none
      return { usd, tokens, calls, asked: sessionsIn(asked.filter(one => one.day === day)) }
    }
    const busy = [...new Set([...days, ...asked].map(({ day }) => day))].sort().reverse()
    return {
      payer,
      today: onDay(today),
      month: { ...(sums?.month ?? none), asked: sessionsIn(asked) },
      days: busy.map(day => ({ day, ...onDay(day) })),
      allowance: sums?.allowance ?? {},
    }
  })
}
