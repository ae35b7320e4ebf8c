/** Budgets and what was spent, in words for the terminal and the pages. */
import { dollars } from '../core/wording/money.ts'
import { counted, wholeNumber } from '../core/wording/numbers.ts'
import type { Allowance } from '../store/ledger/ledger.ts'
import { type PeriodSpending, periods } from './budgets.ts'

/** "$5 a day, 200,000 tokens a month" */
export const limitWords = (allowance: Allowance): string => {
  const words = periods.flatMap(period => {
    const { usd, tokens } = allowance[period] ?? {}
    return [
      ...(usd === undefined ? [] : [`$${usd} a ${period}`]),
      ...(tokens === undefined ? [] : [`${wholeNumber(tokens)} tokens a ${period}`]),
    ]
  })
  return words.length > 0 ? words.join(', ') : 'no limit'
}

/** "$0.25, 1,500 tokens in 3 calls" */
export const spentWords = ({ usd, tokens, calls }: PeriodSpending): string =>
  `${dollars(usd)}, ${wholeNumber(tokens)} tokens in ${counted(calls, 'call')}`
