/** Logging in with a real provider, in a real browser. The provider is another site than the server. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Accounts, accountsIn } from '../../src/accounts/accounts.ts'
import { invitationPath } from '../../src/accounts/people.ts'
import { oidcFrom } from '../../src/accounts/sign-in.ts'
import type { Archive } from '../../src/store/archive.ts'
import { launchBrowser, serve } from '../web/stage.ts'
import { client, startProvider, type TestProvider } from './provider.ts'

const folder = mkdtempSync(join(tmpdir(), 'roundtable-oidc-'))
let browser: Browser
let provider: TestProvider
let served: Awaited<ReturnType<typeof serve>>
let address: string
let accounts: Accounts
let archive: Archive
/** Minutes that the server's clock is ahead. */
let ahead = 0
const clock = (): number => Date.now() + ahead * 60_000
const contexts: BrowserContext[] = []

beforeAll(async () => {
  ;[browser, provider] = await Promise.all([launchBrowser(), startProvider()])
  const oidc = oidcFrom({
    ROUNDTABLE_OIDC_ISSUER: provider.issuer,
    ROUNDTABLE_OIDC_CLIENT_ID: client.id,
    ROUNDTABLE_OIDC_CLIENT_SECRET: client.secret,
    ROUNDTABLE_OIDC_NAME: 'the test',
    ROUNDTABLE_OIDC_DOMAINS: 'team.example',
  })!
  served = await serve('http://127.0.0.1:9/v1', folder, folder, 0, undefined, {
    clock,
    accounts: { oidc },
  })
  address = served.server.address
  archive = served.engine.archive
  accounts = accountsIn(archive, { clock })
  provider.allow(`${address}/sign-in/oidc/callback`)
}, 120_000)
afterEach(async () => {
  ahead = 0
  await Promise.all(contexts.splice(0).map(context => context.close()))
})
afterAll(async () => {
  await browser?.close()
  await served?.close()
  await provider?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const newPage = async (): Promise<Page> => {
  const context = await browser.newContext()
  contexts.push(context)
  return context.newPage()
}

/** At the provider's own pages. */
const agree = async (page: Page, name: string): Promise<void> => {
  await page.locator('input[name="login"]').fill(name)
  await page.locator('input[name="password"]').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Whoever is logged in in this window, as the account page says. */
const whoIs = async (page: Page): Promise<string | null> => {
  await page.goto(`${address}/account`)
  return page.getByRole('heading', { level: 1 }).textContent()
}

const invited = async (role: 'member' | 'viewer' = 'member'): Promise<string> =>
  `${address}${invitationPath(await accounts.invitations.make({ role, by: 'terminal' }))}`

/** Comes in by an invitation and the provider. */
const comeIn = async (name: string): Promise<Page> => {
  const page = await newPage()
  await page.goto(await invited())
  await page.getByRole('link', { name: 'Log in with the test' }).click()
  await agree(page, name)
  await page.waitForURL(`${address}/`)
  return page
}

const alertOn = (page: Page): Promise<string | null> => page.getByRole('alert').textContent()

test('[AC50] an invited person logs in with the provider, by PKCE, and later by the button alone', async () => {
  await comeIn('Ada')
  const [asked, exchanged] = [provider.asked.at(-1)!, provider.exchanged.at(-1)!]
  expect(asked.get('code_challenge_method')).toBe('S256')
  expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  expect(asked.get('nonce')).toBeTruthy()
  expect(exchanged.get('code_verifier')).toMatch(/^[\w-]{43,128}$/)
  const page = await newPage()
  await page.goto(`${address}/account`)
  await page.getByRole('link', { name: 'Log in with the test' }).click()
  await agree(page, 'Ada')
  // The page that was asked for.
  await page.waitForURL(`${address}/account`)
  expect(await whoIs(page)).toBe('Ada')
  expect((await accounts.people.list()).filter(({ name }) => name.startsWith('Ada'))).toHaveLength(1)
})

test('[AC51] a reply with another state, or in another browser, is refused, and each reply is good once', async () => {
  const page = await newPage()
  await page.goto(`${address}/sign-in/oidc`)
  const kept = await page.context().cookies()
  await page.goto(`${address}/sign-in/oidc/callback?code=stolen&state=wrong&iss=${provider.issuer}`)
  expect(await alertOn(page)).toMatch(/doesn't belong to the login that this browser started. Start again/)
  // Also for somebody who kept the cookie.
  await page.context().addCookies(kept)
  await page.goto(`${address}/sign-in/oidc/callback?code=stolen&state=wrong&iss=${provider.issuer}`)
  expect(await alertOn(page)).toMatch(/not started in this browser, or it was used already/)
  const other = await newPage()
  await other.goto(`${address}/sign-in/oidc/callback?code=x&state=${provider.asked.at(-1)!.get('state')}`)
  expect(await alertOn(other)).toMatch(/not started in this browser/)
  expect(await other.context().cookies()).toEqual([])
})

test('[AC52] a code that was used already is refused', async () => {
  await comeIn('Bob')
  const code = provider.exchanged.at(-1)!.get('code')!
  const page = await newPage()
  await page.goto(`${address}/sign-in/oidc`)
  const state = provider.asked.at(-1)!.get('state')
  await page.goto(`${address}/sign-in/oidc/callback?code=${code}&state=${state}&iss=${provider.issuer}`)
  expect(await alertOn(page)).toMatch(/did not accept its own code: it was used already/)
  expect(await whoIs(page)).toBe('Roundtable')
})

test('[AC53] a sign-in that took longer than ten minutes has to start again', async () => {
  const page = await newPage()
  await page.goto(`${address}/sign-in/oidc`)
  ahead = 11
  await agree(page, 'Ada')
  await page.waitForURL(/callback/)
  expect(await alertOn(page)).toMatch(/took longer than ten minutes. Start again/)
})

test('[AC54] somebody who says no at the provider reads what to do', async () => {
  const page = await newPage()
  await page.goto(`${address}/sign-in/oidc`)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.waitForURL(/callback/)
  expect(await alertOn(page)).toMatch(/did not log you in: you said no there/)
  await page.getByRole('link', { name: 'Other ways to log in' }).click()
  await page.getByLabel('Password').waitFor()
})

test('[AC55] nobody comes in without an invitation, and an invitation is good once', async () => {
  const page = await newPage()
  await page.goto(`${address}/sign-in/oidc`)
  await agree(page, 'Mallory')
  await page.waitForURL(/callback/)
  expect(await alertOn(page)).toMatch(/Nobody has invited this account. Ask an admin/)
  const link = await invited()
  const [first, second] = [await newPage(), await newPage()]
  for (const one of [first, second]) {
    await one.goto(link)
    await one.getByRole('link', { name: 'Log in with the test' }).click()
  }
  await agree(first, 'Carol')
  await first.waitForURL(`${address}/`)
  await agree(second, 'Mallory')
  await second.waitForURL(/callback/)
  expect(await alertOn(second)).toMatch(/invitation was used or revoked/)
})

test('[AC57] a sign-in that was ended, has expired, or is of a disabled account, lets nobody in', async () => {
  const page = await comeIn('Dora')
  const dora = await accounts.people.known('Dora')
  expect(await whoIs(page)).toBe('Dora')
  ahead = 31 * 24 * 60
  expect(await whoIs(page)).toBe('Roundtable')
  ahead = 0
  await page.getByRole('link', { name: 'Log in with the test' }).click()
  await page.waitForURL(`${address}/account`)
  await accounts.signOutEverywhere(dora, { who: 'terminal', from: 'terminal' })
  expect(await whoIs(page)).toBe('Roundtable')
  await accounts.disable(dora, { who: 'terminal', from: 'terminal' })
  await page.getByRole('link', { name: 'Log in with the test' }).click()
  await page.waitForURL(/callback/)
  expect(await alertOn(page)).toMatch(/This account was disabled/)
})

test('[AC54] if the provider is away, a page says so', async () => {
  await provider.stop()
  const page = await newPage()
  await page.goto(`${address}/sign-in/oidc/callback?code=x&state=y`)
  expect(await alertOn(page)).toMatch(/Start again/)
  const away = await serve('http://127.0.0.1:9/v1', join(folder, 'away'), folder, 0, undefined, {
    accounts: {
      oidc: oidcFrom({ ROUNDTABLE_OIDC_ISSUER: provider.issuer, ROUNDTABLE_OIDC_CLIENT_ID: 'x' })!,
    },
  })
  await page.goto(`${away.server.address}/sign-in/oidc`)
  expect(await alertOn(page)).toMatch(/The provider does not answer. Try again in a minute/)
  await away.close()
}, 60_000)
