import { expect, test } from 'vitest'
import { startTeam } from './people.ts'

test('[AC80] an admin sees what everybody used, and sets budgets; a member does neither', async () => {
  const { comes, archive, accounts } = await startTeam({ runs: false })
  const [admin, member] = [await comes('Ada', 'admin'), await comes('Bob', 'member')]
  const day = new Date().toISOString().slice(0, 10)
  archive.spending = async () => [{ payer: member.person.id, day, usd: 0.25, tokens: 1_500, calls: 2 }]
  const set = (visit: typeof admin, fields: Record<string, string>) =>
    visit.call('/people/budget', { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const bob = { payer: member.person.id, unit: 'usd' }
  expect((await set(admin, { ...bob, day: '5', month: '' })).status).toBe(303)
  expect((await set(admin, { payer: 'team', unit: 'tokens', day: '', month: '1000000' })).status).toBe(303)
  const page = await (await admin.call('/people')).text()
  expect(page).toContain('Bob: $5 a day')
  expect(page).toContain('Today $0.25, 1,500 tokens in 2 calls.')
  expect(page).toContain('The whole team: 1,000,000 tokens a month')
  expect((await set(admin, { ...bob, day: 'much' })).status).toBe(422)
  expect((await set(admin, { payer: 'nobody', unit: 'usd', day: '1' })).status).toBe(422)
  expect((await set(member, { ...bob, day: '500' })).status).toBe(403)
  expect((await member.call('/people')).status).toBe(403)
  expect(await archive.record('budget', member.person.id)).toEqual({ day: { usd: 5 } })
  const { entries } = await accounts.audit.page(10)
  expect(entries.filter(({ what }) => what === 'budget-changed')).toHaveLength(2)
})
