/** A part of the account page: what the person may use, and has used. */
import { html } from 'hono/html'
import { limitWords, spentWords } from '../../accounts/budget-words.ts'
import { budgetsIn } from '../../accounts/budgets.ts'
import type { PersonVisitor } from '../../accounts/visitor.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { teamPayer } from '../../store/ledger/ledger.ts'
import type { Fragment } from '../plain-page.ts'

export const budgetOf =
  (archive: Archive, clock: () => number) =>
  async ({ person }: PersonVisitor): Promise<Fragment> => {
    const everybody = await budgetsIn(archive).spent(clock())
    const own = everybody.find(({ payer }) => payer === person.id)
    const teams = limitWords(everybody.find(({ payer }) => payer === teamPayer)?.allowance ?? {})
    return html`<section class="panel"><h2>Budget</h2>
<p>You may use: ${limitWords(own?.allowance ?? {})}. The team together: ${teams}.</p>
<p class="hint">${own ? `You used ${spentWords(own.today)} today, and ${spentWords(own.month)} this month.` : 'You used nothing this month.'} Days and months begin at 00:00 UTC. A call of unknown price counts as an expensive one.</p></section>`
  }
