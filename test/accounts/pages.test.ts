import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invitationPath } from '../../src/accounts/people.ts'
import { faultsOf } from '../web/faults.ts'
import { launchBrowser } from '../web/stage.ts'
import { startTeam } from './people.ts'

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

test('[AC37] somebody accepts an invitation, makes a key, logs out and in again, and every page is accessible and fits a phone', {
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

  await page.goto(`${team.address}/account`)
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await page.getByLabel('Name or e-mail').fill('ada')
  await page.getByLabel('Password').fill('not this one at all')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText('Wrong name or password').waitFor()
  await look(page, 'sign-in')
  await page.goto(`${team.address}/account`)
  await page.getByLabel('Name or e-mail').fill('ada')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(`${team.address}/account`)
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await page.waitForURL(/sign-in/)
  await page.goto(`${team.address}${invitationPath(secret)}`)
  await page.getByRole('heading', { name: 'This invitation no longer works' }).waitFor()
  await look(page, 'used-up')
})
