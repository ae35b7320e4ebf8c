/** The pages of accounts in a real browser: from the invitation to signing out everywhere, and how they look. */
import { rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { invitationPath } from '../../src/accounts/invitations.ts'
import { faultsOf } from '../web/faults.ts'
import { buildPages, launchBrowser } from '../web/stage.ts'
import { shelve, startTeam, type Visit } from './people.ts'

const password = 'correct horse battery'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** Light and dark, wide and narrow. */
const look = async (page: Page, name: string): Promise<void> => {
  expect(await faultsOf(page), name).toEqual([])
}

test('[AC37] somebody accepts an invitation, makes a key, signs out and in again, and every page is accessible and fits a phone', {
  timeout: 120_000,
}, async () => {
  const team = await startTeam({ runs: false })
  const secret = await team.accounts.invitations.make({ role: 'admin', name: 'Ada', by: 'terminal' })
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${team.address}${invitationPath(secret)}`)
  await look(page, 'invitation')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${team.address}/`)

  await page.goto(`${team.address}/account`)
  await page.getByLabel('For', { exact: true }).fill('backup job')
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = await page.getByRole('status').locator('code').textContent()
  expect(key).toMatch(/^rt_[\w-]{43}$/)
  await look(page, 'account')
  await page.goto(`${team.address}/account`)
  expect(await page.content()).not.toContain(key)

  await page.getByRole('link', { name: 'People' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Grace')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('status').getByText('/invitation/').waitFor()
  await look(page, 'people')

  await page.goto(`${team.address}/account`)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByLabel('Name or e-mail').fill('ada')
  await page.getByLabel('Password').fill('not this one at all')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Wrong name or password').waitFor()
  await look(page, 'sign-in')
  await page.goto(`${team.address}/account`)
  await page.getByLabel('Name or e-mail').fill('ada')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${team.address}/account`)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.waitForURL(/sign-in/)
  await page.goto(`${team.address}${invitationPath(secret)}`)
  await page.getByRole('heading', { name: 'This invitation no longer works' }).waitFor()
  await look(page, 'used-up')
})

test('[AC44] on the session’s page its owner shares it with the team and takes it back, and others see no such thing', {
  timeout: 180_000,
}, async () => {
  const pages = await buildPages()
  onTestFinished(() => rmSync(pages, { recursive: true, force: true }))
  const team = await startTeam({ runs: false, pages })
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  await shelve(team.archive, 'tides', 'tides', { owner: ada.person.id, visibility: 'private' })
  const open = async ({ headers }: Visit, path: string): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 } })
    const [name = '', value = ''] = headers.cookie!.split('=')
    await context.addCookies([{ name, value, url: team.address }])
    const page = await context.newPage()
    await page.goto(`${team.address}${path}`)
    return page
  }
  const mine = await open(ada, '/s/tides')
  await mine.getByRole('button', { name: 'Share', exact: true }).click()
  await mine.getByText('Only you can see this session.').waitFor()
  expect(await faultsOf(mine)).toEqual([])
  await mine.getByRole('button', { name: 'Share with the team' }).click()
  await mine.getByText('Everybody with an account on this server').waitFor()
  const theirs = await open(bob, '/s/tides')
  await theirs.getByRole('heading', { name: 'What about tides?' }).waitFor()
  await theirs.getByRole('button', { name: 'Share', exact: true }).click()
  await theirs.getByRole('heading', { name: 'Share this session' }).waitFor()
  expect(await theirs.getByText('Everybody with an account').count()).toBe(0)
  await mine.getByRole('button', { name: 'Keep it private' }).click()
  await mine.getByText('Only you can see this session.').waitFor()
  expect((await bob.call('/api/sessions/tides')).status).toBe(404)
  const settings = await open(bob, '/settings')
  await settings.getByRole('link', { name: 'people with an account' }).click()
  await settings.getByRole('heading', { name: 'Bob' }).waitFor()
})
