/** Says before a session is asked that a budget has too little left for it. */
import type { Archive } from '../store/archive/archive.ts'
import { teamPayer } from '../store/ledger/ledger.ts'
import { limitWords } from './budget-words.ts'
import { budgetsIn, type PayerSpending, periods } from './budgets.ts'

/** The least that a session takes. Dollars are null if a price is unknown. */
export interface Needs {
  readonly tokens: number
  readonly usd: number | null
}

const isTooSmall = ({ allowance, today, month }: PayerSpending, { tokens, usd }: Needs): boolean =>
  periods.some(period => {
    const { usd: dollars = Infinity, tokens: most = Infinity } = allowance[period] ?? {}
    const used = period === 'day' ? today : month
    return used.tokens + tokens > most || used.usd + (usd ?? 0) > dollars
  })

export const budgetNotes = async (
  archive: Archive,
  person: string,
  at: number,
  needs: Needs,
): Promise<readonly string[]> => {
  const payers = (await budgetsIn(archive).spent(at)).filter(({ payer }) =>
    [person, teamPayer].includes(payer),
  )
  return payers
    .filter(one => isTooSmall(one, needs))
    .map(
      ({ payer, allowance }) =>
        `This takes more than is left of ${payer === teamPayer ? 'the team’s' : 'your'} budget (${limitWords(allowance)}).`,
    )
}
