/** `/api/team`: what everybody asked and spent, their budgets, the audit log and retention, for admins. */
import { limitWords } from '../../accounts/budget-words.ts'
import { type Budgets, budgetsIn } from '../../accounts/budgets.ts'
import { usedByTeam } from '../../accounts/team.ts'
import {
  auditQuerySchema,
  auditSchema,
  type BudgetBody,
  budgetBodySchema,
  retentionSchema,
  teamSpendingSchema,
} from '../../api/index.ts'
import { type Allowance, teamPayer } from '../../store/ledger/ledger.ts'
import { router, takes } from '../router.ts'
import type { ServedAccounts, Service } from '../service.ts'
import { changes, namesById, personAt, shows, teamActor, teamParams } from './team-route.ts'

const spending = shows(
  '/api/team/spending',
  'Read what everybody asked and spent this month, as counts and sums',
  teamSpendingSchema,
  'The team, then everybody by name',
)

const budget = changes(
  'put',
  '/api/team/budgets/{id}',
  'Set the budget of a person, or of the `team`',
  'The next call is checked against it',
  { params: teamParams, body: takes(budgetBodySchema) },
)

const auditLog = shows(
  '/api/team/audit',
  'Read the audit log, newest first',
  auditSchema,
  'A page of the log',
  { query: auditQuerySchema },
)

const retention = shows(
  '/api/team/retention',
  'Read how long finished sessions are kept',
  retentionSchema,
  'As the server was started',
)

const budgetReply = ({ day, month }: Allowance): BudgetBody => ({
  day: { usd: day?.usd ?? null, tokens: day?.tokens ?? null },
  month: { usd: month?.usd ?? null, tokens: month?.tokens ?? null },
})

const setBudget = async (budgets: Budgets, payer: string, { day, month }: BudgetBody): Promise<void> => {
  for (const unit of ['usd', 'tokens'] as const)
    await budgets.set(payer, unit, { day: day[unit] ?? undefined, month: month[unit] ?? undefined })
}

export const teamUsageRoutes = (
  { archive, people, audit }: ServedAccounts,
  { clock, keepMs }: Pick<Service, 'clock' | 'keepMs'>,
) =>
  router()
    .openapi(spending, async context => {
      const at = clock()
      const [used, names] = [await usedByTeam(archive, await people.list(), at), await namesById(people)]
      const payers = used.map(({ payer, allowance, today, month, days }) => ({
        ...{ id: payer, name: names.get(payer) ?? payer, budget: budgetReply(allowance) },
        ...{ today, month, days: [...days] },
      }))
      return context.json({ today: new Date(at).toISOString().slice(0, 10), payers }, 200)
    })
    .openapi(budget, async context => {
      const { id } = context.req.valid('param')
      if (id !== teamPayer) await personAt(people, id)
      await setBudget(budgetsIn(archive), id, context.req.valid('json'))
      const budgets = budgetsIn(archive)
      await audit.add(teamActor(context), 'budget-changed', id, limitWords(await budgets.of(id)))
      return context.body(null, 204)
    })
    .openapi(auditLog, async context => {
      const { limit, before } = context.req.valid('query')
      const [{ entries, next }, names] = [await audit.page(limit, before), await namesById(people)]
      const named = entries.map(({ at, who, what, whose, detail = null, from }) => ({
        ...{ at, what, detail, from, who: names.get(who) ?? who },
        whose: whose === undefined ? null : (names.get(whose) ?? whose),
      }))
      return context.json({ entries: named, next }, 200)
    })
    .openapi(retention, context =>
      context.json({ keepSeconds: keepMs === undefined ? null : keepMs / 1_000 }, 200),
    )
