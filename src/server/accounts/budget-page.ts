/** Budgets on the admins' page: what everybody used and may use. Counts alone, never what was asked. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { html } from 'hono/html'
import { limitWords, spentWords } from '../../accounts/budget-words.ts'
import { amountFrom, budgetsIn, type PayerSpending } from '../../accounts/budgets.ts'
import type { Person } from '../../accounts/person.ts'
import { UsageError } from '../../core/errors.ts'
import { teamPayer } from '../../store/ledger/ledger.ts'
import { addressOf, bodyLimit } from '../limits.ts'
import type { Fragment } from '../plain-page.ts'
import { misused } from '../problem.ts'
import type { Env, ServedAccounts } from '../service.ts'
import { fieldsIn, longestForm, signedIn } from './forms.ts'

const row = ({ payer, today, month, allowance }: PayerSpending, people: readonly Person[]): Fragment => {
  const name = payer === teamPayer ? 'The whole team' : (people.find(({ id }) => id === payer)?.name ?? payer)
  return html`<tr><td>${name}: ${limitWords(allowance)}<br><span class="hint">Today ${spentWords(today)}. This month ${spentWords(month)}.</span></td></tr>`
}

const form = (people: readonly Person[]): Fragment =>
  html`<form method="post" action="/people/budget" class="row">
<div><label for="payer">Whose</label><select id="payer" name="payer"><option value="${teamPayer}">The whole team</option>${people.map(
    ({ id, name }) => html`<option value="${id}">${name}</option>`,
  )}</select></div>
<div><label for="unit">In</label><select id="unit" name="unit"><option value="usd">dollars</option><option>tokens</option></select></div>
<div><label for="per-day">A day</label><input id="per-day" name="day" maxlength="20" placeholder="as it is"></div>
<div><label for="per-month">A month</label><input id="per-month" name="month" maxlength="20" placeholder="as it is"></div>
<button>Set budget</button></form>`

/** The section of the page. */
export const budgetPart = async (
  { archive, people }: ServedAccounts,
  clock: () => number,
): Promise<Fragment> => {
  const [spent, everybody] = [await budgetsIn(archive).spent(clock()), await people.list()]
  return html`<section class="panel"><h2>Budgets</h2>
<p class="hint">Days and months are in UTC. An empty field stays as it is; “none” ends a limit.</p>
<table>${spent.map(one => row(one, everybody))}</table>
${form(everybody)}</section>`
}

export const addBudgets = (app: OpenAPIHono<Env>, { archive, people, audit }: ServedAccounts): void => {
  app.post('/people/budget', bodyLimit(longestForm), async context => {
    const field = await fieldsIn(context)
    const [payer, unit] = [field('payer'), field('unit') === 'tokens' ? 'tokens' : 'usd'] as const
    try {
      if (payer !== teamPayer && !(await people.withId(payer)))
        throw new UsageError('There is no such person any more. Nothing was changed.')
      const amounts = Object.fromEntries(
        (['day', 'month'] as const)
          .filter(period => field(period).trim() !== '')
          .map(period => [period, amountFrom(field(period).trim(), unit)]),
      )
      await budgetsIn(archive).set(payer, unit, amounts)
    } catch (error) {
      throw misused(422, error)
    }
    await audit.add({ who: signedIn().person.id, from: addressOf(context) }, 'budget-changed', payer)
    return context.redirect('/people', 303)
  })
}
