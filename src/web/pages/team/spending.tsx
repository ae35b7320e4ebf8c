/** What everybody asked and spent, against their budgets: counts and sums, never what was asked. */
import { useState } from 'react'
import type { BudgetBody, TeamPayerReply, TeamSpendingReply, UsedReply } from '../../../api/index.ts'
import { utcDayText } from '../../../core/wording/dates.ts'
import { dollars } from '../../../core/wording/money.ts'
import { counted, wholeNumber } from '../../../core/wording/numbers.ts'
import { Bar } from '../../components/bar.tsx'
import { Button } from '../../components/button.tsx'
import { ScrollRegion } from '../../components/scroll-region.tsx'
import { BudgetDialog } from './budget-dialog.tsx'

type Limit = BudgetBody['day']

/** What is used of a limit, below the words for it. Zero of zero is all of it. */
const Used = ({ some, most }: { some: number; most: number | null }) =>
  most !== null && (
    <dd>
      <Bar share={most === 0 ? 1 : some / most} className="my-1 w-full" />
    </dd>
  )

const ofLimit = (words: string, limit: string | undefined): string =>
  limit === undefined ? words : `${words} of ${limit}`

const Period = ({ title, used, limit }: { title: string; used: UsedReply; limit: Limit }) => {
  const tokens = limit.tokens === null ? undefined : wholeNumber(limit.tokens)
  return (
    <div>
      <dt className="label">{title}</dt>
      <dd className="text-lg tabular-nums">
        {ofLimit(dollars(used.usd), limit.usd === null ? undefined : dollars(limit.usd))}
      </dd>
      <Used some={used.usd} most={limit.usd} />
      {tokens !== undefined && (
        <dd className="mt-2 tabular-nums">
          {wholeNumber(used.tokens)} of {tokens} tokens
        </dd>
      )}
      <Used some={used.tokens} most={limit.tokens} />
      <dd className="text-sm text-soft tabular-nums">
        {tokens === undefined && `${wholeNumber(used.tokens)} tokens · `}
        {counted(used.calls, 'call')} · {counted(used.asked, 'session')}
      </dd>
    </div>
  )
}

const ByDay = ({ payer: { name, days } }: { payer: TeamPayerReply }) => (
  <details className="text-sm">
    <summary className="w-fit cursor-pointer text-soft">By day</summary>
    <ScrollRegion label={`What ${name} used by day`} className="mt-2 overflow-x-auto">
      <table className="w-full text-right tabular-nums">
        <thead className="text-soft">
          <tr>
            <th scope="col" className="py-1 pr-4 text-left font-medium">
              Day
            </th>
            {['Dollars', 'Tokens', 'Calls', 'Sessions'].map(label => (
              <th key={label} scope="col" className="py-1 pl-4 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, usd, tokens, calls, asked }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="py-1 pr-4 text-left font-normal whitespace-nowrap">
                {utcDayText(day)}
              </th>
              {[dollars(usd), wholeNumber(tokens), wholeNumber(calls), wholeNumber(asked)].map(
                (figure, index) => (
                  <td key={['usd', 'tokens', 'calls', 'asked'][index]} className="py-1 pl-4">
                    {figure}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  </details>
)

const Payer = ({ payer }: { payer: TeamPayerReply }) => {
  const [setting, setSetting] = useState(false)
  const isTeam = payer.id === 'team'
  const name = isTeam ? 'The whole team' : payer.name
  return (
    <li className="space-y-3 py-4">
      <div className="flex items-center justify-between gap-3">
        <h3 dir="auto" className="min-w-0 font-medium wrap-anywhere">
          {name}
        </h3>
        <Button
          aria-label={`Set the budget of ${isTeam ? 'the team' : name}`}
          onClick={() => setSetting(true)}
        >
          Budget
        </Button>
      </div>
      <dl className="grid gap-x-10 gap-y-3 sm:grid-cols-2">
        <Period title="Today" used={payer.today} limit={payer.budget.day} />
        <Period title="This month" used={payer.month} limit={payer.budget.month} />
      </dl>
      {payer.days.length > 0 && <ByDay payer={{ ...payer, name }} />}
      {setting && <BudgetDialog payer={{ ...payer, name }} onClose={() => setSetting(false)} />}
    </li>
  )
}

export const Spending = ({ spending }: { spending: TeamSpendingReply }) => (
  <ul className="-my-4 divide-y divide-line">
    {spending.payers.map(payer => (
      <Payer key={payer.id} payer={payer} />
    ))}
  </ul>
)
