/** What people and the team may use by day and month, and what they used. */

import { z } from 'zod'
import { counted, dollars, UsageError, wholeNumber } from '../core/basics.ts'
import type { Budget } from '../core/opening.ts'
import { type Allowance, type Archive, type Charge, type Period, teamPayer } from '../store/archive.ts'

const budgetSchema = z.object({ usd: z.number().optional(), tokens: z.number().optional() })
const allowanceSchema = z.object({ day: budgetSchema.optional(), month: budgetSchema.optional() })

export const periods = ['day', 'month'] as const satisfies readonly Period[]

/** What a payer used in a day or month. */
export interface PeriodSpending extends Charge {
  readonly calls: number
}

export interface PayerSpending {
  readonly payer: string
  readonly today: PeriodSpending
  readonly month: PeriodSpending
  readonly allowance: Allowance
}

export interface Budgets {
  of(payer: string): Promise<Allowance>
  /** An amount in dollars or tokens; undefined: as much as they like. What isn't named stays. */
  set(
    payer: string,
    unit: keyof Budget,
    amounts: { readonly [period in Period]?: number | undefined },
  ): Promise<Allowance>
  /** Today and this month in UTC: the team first, then everybody who used something or has a budget. */
  spent(at: number): Promise<readonly PayerSpending[]>
}

/** From what a person typed: a positive number, or `none`. */
export const amountFrom = (text: string, unit: keyof Budget): number | undefined => {
  if (text === 'none') return undefined
  const amount = Number(text)
  const isAmount = text.trim() !== '' && Number.isFinite(amount) && amount >= 0 && amount <= 1e12
  if (isAmount && (unit === 'usd' || Number.isInteger(amount))) return amount
  throw new UsageError(
    `"${text.slice(0, 50)}" isn't an amount. Give ${unit === 'usd' ? 'dollars, such as 5 or 0.5' : 'a whole number of tokens, such as 200000'}, or none for no limit.`,
  )
}

const isEmpty = (value: object): boolean => Object.values(value).every(one => one === undefined)

const nothing: PeriodSpending = { usd: 0, tokens: 0, calls: 0 }

const plus = (one: PeriodSpending, other: PeriodSpending): PeriodSpending => ({
  usd: one.usd + other.usd,
  tokens: one.tokens + other.tokens,
  calls: one.calls + other.calls,
})

export const budgetsIn = (archive: Archive): Budgets => {
  const of = async (payer: string): Promise<Allowance> =>
    allowanceSchema.parse((await archive.record('budget', payer)) ?? {}) as Allowance
  return {
    of,
    async set(payer, unit, amounts) {
      const before = await of(payer)
      const changed = periods.map(period => {
        const budget = period in amounts ? { ...before[period], [unit]: amounts[period] } : before[period]
        return [period, budget && !isEmpty(budget) ? budget : undefined] as const
      })
      // What is undefined isn't stored.
      const allowance = JSON.parse(JSON.stringify(Object.fromEntries(changed))) as Allowance
      if (isEmpty(allowance)) await archive.removeRecord('budget', payer)
      else await archive.saveRecord('budget', payer, allowance)
      return allowance
    },
    async spent(at) {
      const today = new Date(at).toISOString().slice(0, 10)
      const days = await archive.spending(`${today.slice(0, 7)}-01`, today)
      const budgets = await archive.records('budget')
      const payers = new Set([teamPayer, ...days.map(({ payer }) => payer), ...budgets.map(({ key }) => key)])
      const sum = (payer: string, from: string): PeriodSpending =>
        days.filter(one => one.payer === payer && one.day >= from).reduce<PeriodSpending>(plus, nothing)
      return Promise.all(
        [...payers].map(async payer => ({
          payer,
          today: sum(payer, today),
          month: sum(payer, ''),
          allowance: await of(payer),
        })),
      )
    },
  }
}

// budgetWords: Budgets and what was spent, in words for the terminal and the pages.

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

// budgetNotes: Says before a session is asked that a budget has too little left for it.

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
