/** `accounts budget` and `accounts spent`: what people and the team may use, and what they used. */
import { limitWords, spentWords } from '../../accounts/budget-words.ts'
import { amountFrom, budgetsIn, type PayerSpending } from '../../accounts/budgets.ts'
import { peopleIn } from '../../accounts/people.ts'
import { UsageError } from '../../core/errors.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { teamPayer } from '../../store/ledger/ledger.ts'
import { oneLine } from '../terminal/cells.ts'

export interface BudgetFlags {
  readonly perDay?: string
  readonly perMonth?: string
  /** The amounts are tokens, not dollars. */
  readonly tokens?: boolean
}

/** The id that the ledger knows them by. */
const payerNamed = async (archive: Archive, name: string, clock: () => number): Promise<string> =>
  name === teamPayer ? teamPayer : (await peopleIn(archive, clock).known(name)).id

/** Sets what the flags name, and returns what holds now, in one line. */
export const budgetLine = async (
  archive: Archive,
  name: string | undefined,
  { perDay, perMonth, tokens }: BudgetFlags,
  clock: () => number,
): Promise<string> => {
  if (name === undefined) throw new UsageError('Say whose budget: the name of a person, or team.')
  const payer = await payerNamed(archive, name, clock)
  const unit = tokens ? 'tokens' : 'usd'
  const amounts = {
    ...(perDay !== undefined && { day: amountFrom(perDay, unit) }),
    ...(perMonth !== undefined && { month: amountFrom(perMonth, unit) }),
  }
  const budgets = budgetsIn(archive)
  const allowance =
    Object.keys(amounts).length > 0 ? await budgets.set(payer, unit, amounts) : await budgets.of(payer)
  return `${oneLine(name)}: ${limitWords(allowance)}`
}

/** Counts alone: what was asked is nobody's business here. */
export const spentLines = async (archive: Archive, clock: () => number): Promise<readonly string[]> => {
  const people = await peopleIn(archive, clock).list()
  const nameOf = ({ payer }: PayerSpending): string =>
    payer === teamPayer ? 'the whole team' : oneLine(people.find(({ id }) => id === payer)?.name ?? payer)
  const spent = await budgetsIn(archive).spent(clock())
  return spent.flatMap(one => [
    nameOf(one),
    `  today       ${spentWords(one.today)}`,
    `  this month  ${spentWords(one.month)}`,
    `  budget      ${limitWords(one.allowance)}`,
  ])
}
