/** The team page, and what other pages show of accounts, for pictures. */
import type { Page } from 'playwright-core'
import type { Role } from '../src/accounts/person.ts'
import { shelve } from '../test/accounts/people.ts'
import { askOn, openTeamStage, type TeamStage } from '../test/web/team-stage.ts'
import { type Opener, type Shooting, type State, shoot } from './shooting.ts'

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

const confirm = (person: string, act: string) => async (page: Page) => {
  await press(`Manage ${person}`)(page)
  await page.getByRole('menuitem', { name: act }).click()
}

const invited = async (page: Page): Promise<void> => {
  await page.getByLabel('Name', { exact: true }).fill('Hedy')
  await press('Invite')(page)
  await page.getByLabel('Link').waitFor()
}

const shared = async (page: Page): Promise<void> => {
  await press('Share')(page)
  await page.getByRole('group', { name: 'Who sees it' }).waitFor()
}

const admin: readonly State[] = [
  { name: 'team', path: '/team' },
  { name: 'team-account', path: '/team', act: press('Account of Ada'), firstSight: true },
  { name: 'team-confirm', path: '/team', act: confirm('Grace', 'Disable') },
  { name: 'team-invited', path: '/team', act: invited },
  { name: 'team-budget', path: '/team', act: press('Set the budget of the team') },
  { name: 'team-sessions', path: '/sessions' },
  { name: 'team-private', path: '/s/own' },
  { name: 'team-share', path: '/s/own', act: shared },
]

const viewer: readonly State[] = [
  { name: 'team-not-admin', path: '/team' },
  { name: 'team-viewer-asks', path: '/' },
  { name: 'team-viewer-session', path: '/s/shared' },
]

/** People of every kind, with keys, budgets, sessions and something in the audit log. */
const fill = async ({ accounts, archive, openAs }: TeamStage): Promise<void> => {
  const page = await openAs('Ada', 'admin', '/sessions')
  const [ada, grace] = [
    await accounts.people.known('Ada'),
    await accounts.people.add({ name: 'Grace', role: 'member', email: 'grace@example.org' }),
  ]
  const actor = { who: ada.id, from: '192.0.2.7' }
  await accounts.passwords.set(grace.id, 'correct horse battery')
  await accounts.signIn(grace, '192.0.2.8', 'a browser')
  const tim = await accounts.people.add({ name: 'Tim', role: 'member' })
  await accounts.disable(tim, actor)
  await accounts.keys.make(grace.id, 'nightly report', 'ask', 90)
  await accounts.invitations.make({ role: 'viewer', name: 'Kay', email: 'kay@example.org', by: ada.id })
  await shelve(archive, 'own', 'the move to the new office', { owner: ada.id, visibility: 'private' })
  await shelve(archive, 'shared', 'the price of the small plan', { owner: grace.id, visibility: 'team' })
  await shelve(archive, 'old', 'the name of the product')
  await page.goto(`${page.url().replace('/sessions', '')}/s/${await askOn(page)}`)
  await page.getByRole('button', { name: 'Add a round' }).waitFor()
  await archive.saveRecord('budget', 'team', { month: { usd: 100 } })
  await archive.saveRecord('budget', ada.id, { day: { usd: 2, tokens: 2_000 } })
  await page.context().close()
}

export const shootTeam = async (shooting: Shooting): Promise<void> => {
  const stage = await openTeamStage({ models: { a: {}, b: {} } })
  await fill(stage)
  const as = (name: string, role: Role): Opener => ({
    browser: stage.browser,
    open: (path, options) => stage.openAs(name, role, path, options),
  })
  await shoot(as('Ada', 'admin'), admin, shooting)
  await shoot(as('Vera', 'viewer'), viewer, shooting)
  await stage.stop()
}
