/** Passkeys in a real browser, whose authenticator is its own virtual one. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Accounts, accountsIn } from '../../src/accounts/accounts.ts'
import { invitationPath } from '../../src/accounts/people.ts'
import type { Archive } from '../../src/store/archive.ts'
import { faultsOf } from '../web/faults.ts'
import { buildPages, launchBrowser, serve } from '../web/stage.ts'

const folder = mkdtempSync(join(tmpdir(), 'roundtable-passkeys-'))
let browser: Browser
let pages: string
let served: Awaited<ReturnType<typeof serve>>
/** By name: there are no passkeys for an address of digits. */
let address: string
let accounts: Accounts
let archive: Archive
let ahead = 0

beforeAll(async () => {
  ;[browser, pages] = await Promise.all([launchBrowser(), buildPages()])
  const clock = (): number => Date.now() + ahead * 60_000
  served = await serve('http://127.0.0.1:9/v1', folder, pages, 0, undefined, { clock, accounts: {} })
  address = `http://localhost:${served.server.port}`
  archive = served.engine.archive
  accounts = accountsIn(archive, { clock })
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await served?.close()
  for (const one of [folder, pages]) rmSync(one, { recursive: true, force: true })
})

interface Window {
  readonly page: Page
  readonly device: CDPSession
  readonly authenticator: string
}

/** A window of its own, with a device that says yes to everything. */
const newWindow = async (): Promise<Window> => {
  ahead = 0
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const device = await context.newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return { page, device, authenticator: authenticatorId }
}

/** Comes in by an invitation, with a passkey instead of a password. */
const joined = async (name: string): Promise<Window> => {
  const window = await newWindow()
  const secret = await accounts.invitations.make({ role: 'member', by: 'terminal' })
  await window.page.goto(`${address}${invitationPath(secret)}`)
  await window.page.getByLabel('Name').fill(name)
  await window.page.getByRole('button', { name: 'Join with a passkey' }).click()
  await window.page.waitForURL(`${address}/`)
  return window
}

const signOut = (page: Page): Promise<void> => page.context().clearCookies()

const signIn = async (page: Page): Promise<void> => {
  await page.goto(`${address}/account`)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
}

const alertOn = async (page: Page): Promise<string | null> => {
  await page.getByRole('alert').waitFor()
  return page.getByRole('alert').textContent()
}

test('[AC71] an invitation is accepted with a passkey, which then logs in and opens the page that was asked for', async () => {
  const { page } = await joined('Ada')
  await signOut(page)
  await signIn(page)
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
  expect(page.url()).toBe(`${address}/account`)
  expect(await accounts.passwords.has((await accounts.people.known('Ada')).id)).toBe(false)
})

test('[AC70] a passkey is added on the account page, and no longer logs in once it is removed', async () => {
  const { page } = await newWindow()
  const person = await accounts.people.add({ name: 'Bob', role: 'member' })
  const secret = await accounts.signIn(person, '127.0.0.1', 'a test')
  await page.context().addCookies([{ name: 'roundtable-sign-in', value: secret, url: address }])
  await page.goto(`${address}/account`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('never used').waitFor()
  await signOut(page)
  await signIn(page)
  await page.getByRole('heading', { name: 'Bob', level: 1 }).waitFor()
  await page.getByText(/last used/).waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText(/last used/).waitFor({ state: 'detached' })
  await signOut(page)
  await signIn(page)
  expect(await alertOn(page)).toMatch(/does not know that passkey. Log in another way/)
})

/** What the browser sends to log in, held back. */
const heldSignIn = async (page: Page): Promise<{ body: string; go(): Promise<void> }> => {
  const { promise, resolve } = Promise.withResolvers<{ body: string; go(): Promise<void> }>()
  await page.route('**/sign-in/passkey', route =>
    resolve({ body: route.request().postData()!, go: () => route.continue() }),
  )
  await signIn(page)
  return promise
}

const send = (body: string): Promise<Response> =>
  fetch(`${address}/sign-in/passkey`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })

test('[AC72] what a device signed is good once, and for ten minutes', async () => {
  const { page } = await joined('Carol')
  await signOut(page)
  const held = await heldSignIn(page)
  expect((await send(held.body)).status).toBe(200)
  const again = await send(held.body)
  expect([again.status, await again.text()]).toEqual([422, expect.stringMatching(/sent twice. Try again/)])
  await held.go()
  expect(await alertOn(page)).toMatch(/sent twice/)
  await page.unroute('**/sign-in/passkey')
  const late = await heldSignIn(page)
  ahead = 11
  await late.go()
  expect(await alertOn(page)).toMatch(/longer than ten minutes/)
})

test('[AC72] what a device signed for another address, or changed, is refused', async () => {
  const { page } = await joined('Dora')
  await signOut(page)
  const { body } = await heldSignIn(page)
  const sent = JSON.parse(body) as { passkey: { response: { signature: string } } }
  const { signature } = sent.passkey.response
  sent.passkey.response.signature = `${signature.slice(0, -6)}AAAAAA`
  const changed = await send(JSON.stringify(sent))
  expect([changed.status, await changed.text()]).toEqual([422, expect.stringMatching(/could not be checked/)])
  const elsewhere = await fetch(`${served.server.address}/sign-in/passkey`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(elsewhere.status).toBe(422)
})

test('[AC73] a device whose counter goes back is refused: it may be a copy', async () => {
  const { page } = await joined('Eve')
  const [stored] = await archive.records('passkey', { owner: (await accounts.people.known('Eve')).id })
  await archive.saveRecord(
    'passkey',
    stored!.key,
    { ...(stored!.value as object), counter: 1_000 } as never,
    stored!.owner!,
  )
  await signOut(page)
  await signIn(page)
  expect(await alertOn(page)).toMatch(/could not be checked/)
})

test('[AC74] at an address of digits the page says that passkeys need a name', async () => {
  const { page } = await newWindow()
  await page.goto(`${served.server.address}/sign-in`)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  expect(await alertOn(page)).toMatch(/need a host name. Open this server by its name/)
})

test.each(['light', 'dark'] as const)(
  '[AC74] the pages with passkeys are accessible, %s',
  async colorScheme => {
    const { page } = await joined(`Someone ${colorScheme}`)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${address}/account`)
    await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await signOut(page)
    await page.goto(`${address}/sign-in`)
    await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
  },
)
