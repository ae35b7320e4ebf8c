/** The team page, and accounts on all pages, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { shelve } from '../accounts/people.ts'
import { faultsOf } from './faults.ts'
import { openStage } from './stage.ts'
import { askOn, openTeamStage, password, type TeamStage } from './team-stage.ts'

const patience = 90_000

let stage: TeamStage
beforeAll(async () => {
  stage = await openTeamStage({ models: { a: {}, b: {} } })
}, patience)
afterAll(async () => {
  expect(stage?.complaints).toEqual([])
  await stage?.stop()
})

const openAs: TeamStage['openAs'] = async (...given) => {
  const page = await stage.openAs(...given)
  onTestFinished(() => page.context().close())
  return page
}

const row = (page: Page, section: string, text: string) =>
  page.getByRole('region', { name: section }).getByRole('listitem').filter({ hasText: text })

/** Opens the menu of a person, chooses, and says yes. */
const manage = async (page: Page, name: string, act: string): Promise<void> => {
  await page.getByRole('button', { name: `Manage ${name}` }).click()
  await page.getByRole('menuitem', { name: act }).click()
  await page.getByRole('dialog').getByRole('button', { name: act }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const finished = (page: Page): Promise<void> => page.getByRole('button', { name: 'Add a round' }).waitFor()

test('[AC101] somebody is invited, asks in private, shares it with the team, and gets another role', {
  timeout: patience,
}, async () => {
  const admin = await openAs('Ada', 'admin', '/team')
  await admin.getByLabel('Name', { exact: true }).fill('Bob')
  await admin.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await admin.getByLabel('Link').inputValue()
  await row(admin, 'Invite somebody', 'Bob').getByText('invited by Ada').waitFor()

  const member = await stage.open(new URL(link).pathname)
  onTestFinished(() => member.context().close())
  await member.getByLabel('Password').fill(password)
  await member.getByRole('button', { name: 'Create account' }).click()
  await member.waitForURL(`${stage.address}/`)
  const id = await askOn(member)
  await member.goto(`${stage.address}/s/${id}`)
  await member.getByText('Private', { exact: true }).waitFor()
  await finished(member)

  await admin.goto(`${stage.address}/s/${id}`)
  await admin.getByRole('heading', { name: 'This session can’t be shown' }).waitFor()
  await admin.goto(`${stage.address}/team`)
  await row(admin, 'Spending and budgets', 'Bob')
    .getByText(/1 session/)
    .first()
    .waitFor()
  expect(await row(admin, 'Spending and budgets', 'Bob').innerText()).toMatch(/[1-9]\d* tokens · 2 calls/)
  expect(await admin.locator('main').innerText()).not.toContain('zeppelin')

  await member.getByRole('button', { name: 'Share', exact: true }).click()
  await member.getByText('Shared with the team', { exact: true }).click()
  await member.getByText('Everybody with an account on this server sees').waitFor()
  await member.keyboard.press('Escape')
  await member.getByRole('dialog').waitFor({ state: 'hidden' })
  await member.locator('header').getByText('Shared with the team').waitFor()

  await admin.goto(`${stage.address}/sessions`)
  await admin.getByRole('article', { name: 'Is the zeppelin safe?' }).getByText('Bob’s').waitFor()
  await admin.getByRole('link', { name: 'Is the zeppelin safe?' }).click()
  await admin.getByText('Shared by Bob').waitFor()

  await admin.goto(`${stage.address}/team`)
  await manage(admin, 'Bob', 'Make a viewer')
  await row(admin, 'People', 'Bob').getByText('viewer', { exact: true }).waitFor()
  await row(admin, 'Audit log', 'made Bob a viewer').waitFor()
  await member.getByRole('link', { name: 'Sessions', exact: true }).click()
  await member.waitForURL(/\/sign-in\?to=%2Fs/)
})

test('[AC102] the team page asks before it changes anybody, shows what the server says, and works by keyboard', {
  timeout: patience,
}, async () => {
  const page = await openAs('Root', 'admin', '/team')
  for (const { id } of (await stage.accounts.people.list()).filter(({ name }) => name === 'Ada'))
    await stage.accounts.disable((await stage.accounts.people.withId(id))!, {
      who: 'terminal',
      from: 'terminal',
    })
  const carl = await stage.accounts.people.add({ name: 'Carl', role: 'member' })
  await stage.accounts.keys.make(carl.id, 'nightly job', 'read', 30)
  await page.reload()
  await page.getByRole('button', { name: 'Manage Root' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[role=menuitem]:focus', { hasText: 'Make a member' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Make Root a member?' }).waitFor()
  await page.getByRole('button', { name: 'Make a member' }).press('Enter')
  await page.getByText('Make somebody else an admin first').waitFor()
  await page.keyboard.press('Escape')
  await manage(page, 'Carl', 'Disable')
  await row(page, 'People', 'Carl').getByText('disabled').waitFor()
  await manage(page, 'Carl', 'Enable')
  await row(page, 'People', 'Carl').getByText('disabled').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Revoke the key nightly job of Carl' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await stage.accounts.keys.of(carl.id)).toHaveLength(1)
  await page.getByRole('button', { name: 'Revoke the key nightly job of Carl' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row(page, 'API keys', 'nightly job').waitFor({ state: 'detached' })
  expect(await stage.accounts.keys.of(carl.id)).toHaveLength(0)
})

test('[AC102] a budget is set on the team page, and ended by an empty field', {
  timeout: patience,
}, async () => {
  const page = await openAs('Root', 'admin', '/team')
  const team = row(page, 'Spending and budgets', 'The whole team')
  await page.getByRole('button', { name: 'Set the budget of the team' }).click()
  await page.getByLabel('Dollars a month').fill('12.5')
  await page.getByLabel('Tokens a day').fill('200000')
  await page.getByRole('button', { name: 'Save' }).click()
  await team.getByText('of $12.50').waitFor()
  await team.getByText('of 200,000 tokens').waitFor()
  await page.getByRole('button', { name: 'Set the budget of the team' }).click()
  await page.getByLabel('Dollars a month').fill('')
  await page.getByLabel('Tokens a day').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await team.getByText('of $12.50').waitFor({ state: 'detached' })
  expect(await stage.archive.record('budget', 'team')).toBeUndefined()
})

test('[AC100] the team page is for admins, and says so to others', { timeout: patience }, async () => {
  const page = await openAs('Mia', 'member', '/team')
  await page.getByText('Only an admin of this server can manage the team.').waitFor()
  await page.getByRole('button', { name: 'Account of Mia' }).click()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Your account', 'Log out'])
})

test('[AC105] the account menu leads to the account, to the team, and out', {
  timeout: patience,
}, async () => {
  const page = await openAs('Root', 'admin', '/sessions')
  await page.getByRole('button', { name: 'Account of Root' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Team' }).click()
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Account of Root' }).click()
  expect(await page.getByRole('menuitem', { name: 'Your account' }).getAttribute('href')).toBe('/account')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(`${stage.address}/sign-in`)
  await page.goto(`${stage.address}/team`)
  await page.waitForURL(/\/sign-in\?to=%2Fteam/)
})

test('[AC106] the owner of a session makes it private again, and then it is nobody else’s', {
  timeout: patience,
}, async () => {
  const page = await openAs('Mia', 'member', '/sessions')
  const { id: owner } = await stage.accounts.people.known('Mia')
  await shelve(stage.archive, 'mias', 'tides', { owner, visibility: 'team' })
  await page.goto(`${stage.address}/s/mias`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByText('Private', { exact: true }).click()
  await page.getByText('Only you see this session.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.locator('header').getByText('Private').waitFor()
  expect(await stage.archive.filing('mias')).toMatchObject({ owner, visibility: 'private' })
  await page.goto(`${stage.address}/sessions`)
  await page.getByRole('article', { name: 'What about tides?' }).getByText('private').waitFor()
})

test('[AC108] a viewer sees no button that they may not use', { timeout: patience }, async () => {
  const { id: owner } = await stage.accounts.people.add({ name: 'Otto', role: 'member' })
  await shelve(stage.archive, 'ottos', 'whales', { owner, visibility: 'team' })
  const page = await openAs('Vera', 'viewer', '/s/ottos')
  await page.getByText('Shared by Otto').waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Print'])
  await page.keyboard.press('Escape')
  for (const name of [
    'Share',
    'Add a round',
    'Stop',
    'Ask',
    'Fork at this moment',
    'Change the kind of question',
  ])
    expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0])
  await page.goto(`${stage.address}/sessions`)
  await page.getByRole('article', { name: 'What about whales?' }).waitFor()
  for (const name of ['Import', '+ Tag'])
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0])
  await page.goto(`${stage.address}/`)
  await page.getByRole('heading', { name: 'Your account is read-only' }).waitFor()
})

test('[AC140] a member has the button to delete their own line-ups and templates, and not for the team’s', {
  timeout: patience,
}, async () => {
  await stage.archive.saveLineup('ours', ['lab/a'])
  const page = await openAs('Nils', 'member', '/')
  const put = (path: string, body: object) =>
    page.evaluate(
      ([at, json]) =>
        fetch(at!, { method: 'PUT', body: json!, headers: { 'content-type': 'application/json' } }).then(
          ({ status }) => status,
        ),
      [path, JSON.stringify(body)],
    )
  expect(await put('/api/lineups/mine', { seats: ['lab/b'] })).toBe(204)
  expect(await put('/api/templates/diary', { question: 'Why?' })).toBe(204)
  await page.reload()
  await page.getByRole('button', { name: 'ours' }).waitFor()
  await page.getByRole('button', { name: 'Delete the saved table mine' }).waitFor()
  expect(await page.getByRole('button', { name: /^Delete the saved table/ }).count()).toBe(1)
  await page.getByText('Templates', { exact: true }).click()
  await page.getByRole('button', { name: 'Delete the template diary' }).waitFor()
  expect(await page.getByRole('button', { name: /^Delete the template/ }).count()).toBe(1)
})

test('[AC154] a page whose session becomes private stops asking for it, and says so', {
  timeout: patience,
}, async () => {
  const owner = await openAs('Olga', 'member', '/sessions')
  // A person's seat keeps the session open for as long as nobody answers.
  const id = await askOn(owner, { people: ['Somebody'] })
  const { id: olga } = await stage.accounts.people.known('Olga')
  await stage.archive.own(id, { owner: olga, visibility: 'team' })
  const page = await openAs('Nils', 'member', `/s/${id}`)
  await page.getByText('Shared by Olga').waitFor()
  const streams: string[] = []
  page.on('request', request => void (request.url().includes('/events') && streams.push(request.url())))
  await owner.evaluate(
    session =>
      fetch(`/api/sessions/${session}/visibility`, {
        ...{ method: 'PUT', body: '{"visibility":"private"}' },
        headers: { 'content-type': 'application/json' },
      }),
    id,
  )
  await page.getByText('You can no longer see this session').waitFor()
  const before = streams.length
  await page.waitForTimeout(4_000)
  expect(streams).toHaveLength(before)
})

test('[AC109] a sign-in that ends leads to the sign-in page and back, from a session that is watched too', {
  timeout: patience,
}, async () => {
  const page = await openAs('Mia', 'member', '/sessions')
  const mia = await stage.accounts.people.known('Mia')
  // A person's seat keeps the session open for as long as nobody answers.
  const id = await askOn(page, { people: ['Somebody'] })
  await page.goto(`${stage.address}/s/${id}`)
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  const admin = await openAs('Root', 'admin', '/team')
  await manage(admin, 'Mia', 'Log out everywhere')
  await page.waitForURL(/\/sign-in\?to=/)
  await page.getByLabel('Name or e-mail').fill('mia')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL(`${stage.address}/s/${id}`)
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await stage.accounts.signIns.endAll(mia.id)
})

test('[AC103] axe finds nothing on the pages with accounts, light and dark, and nothing is wider than the window', {
  timeout: 3 * patience,
}, async () => {
  const { accounts } = stage
  const long = await accounts.people.add({
    name: `Maximilian ${'of-the-very-long-name'.repeat(4)}`,
    role: 'viewer',
  })
  await accounts.keys.make(long.id, `a key ${'with-a-long-label'.repeat(5)}`, 'all', 30)
  await accounts.invitations.make({ role: 'viewer', name: 'Nora', email: 'nora@example.org', by: 'terminal' })
  const page = await openAs('Root', 'admin', '/team')
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Account of Root' }).click()
  await page.getByRole('menuitem', { name: 'Team' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Set the budget of the team' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await faultsOf(page)).toEqual([])
  const { id: owner } = await accounts.people.known('Root')
  await shelve(stage.archive, 'roots', 'rain', { owner, visibility: 'private' })
  for (const path of ['/s/roots', '/sessions', '/', '/settings']) {
    await page.goto(`${stage.address}${path}`)
    expect(await faultsOf(page)).toEqual([])
  }
  await page.goto(`${stage.address}/s/roots`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('group', { name: 'Who sees it' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
})

test('[AC104] without accounts, the pages ask nothing about them and have no account menu', {
  timeout: patience,
}, async () => {
  const alone = await openStage({ models: { a: {}, b: {} } })
  onTestFinished(() => alone.stop())
  const page = await alone.open('/')
  const asked: string[] = []
  page.on('request', request => void asked.push(new URL(request.url()).pathname))
  await page.goto(`${alone.address}/sessions`)
  await page.getByRole('button', { name: 'Import' }).waitFor()
  await page.goto(`${alone.address}/team`)
  await page.getByRole('heading', { name: 'This server has no accounts' }).waitFor()
  expect(await page.getByRole('button', { name: /^Account of/ }).count()).toBe(0)
  expect(asked.filter(path => path === '/api/me' || path.startsWith('/api/team'))).toEqual([])
  expect(alone.complaints).toEqual([])
})
