/** What was used, in memory. Nothing holds anything there: no account pays for what is only in memory. */
import type { Archive } from '../archive/archive.ts'
import type { DaySpending } from './ledger.ts'

const byDay = (one: DaySpending, other: DaySpending): number =>
  one.day.localeCompare(other.day) || one.payer.localeCompare(other.payer)

export const memorySpending = (): Pick<Archive, 'spending' | 'ledger' | 'countSpending'> => {
  const days = new Map<string, DaySpending>()
  const ledger = async (): Promise<readonly DaySpending[]> => [...days.values()].sort(byDay)
  return {
    ledger,
    spending: async (from, to) => (await ledger()).filter(({ day }) => from <= day && day <= to),
    async countSpending(counted) {
      for (const { payer, day, usd, tokens, calls } of counted) {
        const before = days.get(`${day} ${payer}`) ?? { usd: 0, tokens: 0, calls: 0 }
        days.set(`${day} ${payer}`, {
          ...{ payer, day, usd: Math.max(before.usd, usd) },
          ...{ tokens: Math.max(before.tokens, tokens), calls: Math.max(before.calls, calls) },
        })
      }
    },
  }
}
