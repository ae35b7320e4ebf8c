/** Logging in with the token from another machine: a real browser at an address of this machine that isn't loopback. */
import { mkdtempSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from './faults.ts'
import { buildPages, launchBrowser, serve } from './stage.ts'

const token = 'a-token-of-enough-characters'
const adminToken = 'an-admin-token-of-enough-characters'

/** Undefined on a machine without a network. */
const address = Object.values(networkInterfaces())
  .flat()
  .find(one => one?.family === 'IPv4' && !one.internal)?.address

let browser: Browser
let served: Awaited<ReturnType<typeof serve>>
const folders: string[] = []

beforeAll(async () => {
  const data = mkdtempSync(join(tmpdir(), 'roundtable-login-'))
  const [pages, opened] = await Promise.all([buildPages(), launchBrowser()])
  folders.push(data, pages)
  browser = opened
  served = await serve('http://127.0.0.1:9/v1', data, pages, 0, undefined, {
    ...{ token, adminToken, host: address ?? '127.0.0.1' },
  })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await served?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}, 30_000)

const opened = async (path: string): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 } })
  const page = await context.newPage()
  await page.goto(`${served.server.address}${path}`)
  return page
}

const logIn = async (page: Page, words: string): Promise<void> => {
  await page.getByLabel('Token').fill(words)
  await page.getByRole('button', { name: 'Log in' }).click()
}

test.skipIf(address === undefined)(
  '[U132] the token logs a browser in from another machine, and opens the page that was asked for',
  { timeout: 60_000 },
  async () => {
    const page = await opened('/settings?from=a-link')
    await logIn(page, 'not the token at all')
    await page.getByRole('alert').getByText('Wrong token.').waitFor()
    await logIn(page, token)
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    expect(page.url()).toBe(`${served.server.address}/settings?from=a-link`)
    await page.goto(served.server.address)
    await page.getByLabel('Your question').waitFor()
    await page.context().close()
  },
)

test('[U133] the login page has the look of the others: axe finds nothing, and it fits a narrow phone', {
  timeout: 60_000,
}, async () => {
  const page = await opened('/login')
  expect(await faultsOf(page)).toEqual([])
  await logIn(page, 'wrong')
  await page.getByRole('alert').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})
