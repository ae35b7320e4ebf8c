/** Without any configuration: the built-in model is downloaded with consent and asked, in a real browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { HubFaults } from '../house/hub-server.ts'
import { openSmallHouse } from '../house/small-house.ts'
import { buildPages, launchBrowser, serve } from './stage.ts'

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-web-house-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('[U71] [A5] the built-in model is downloaded after consent, takes all seats and answers', {
  timeout: 180_000,
}, async () => {
  const faults: { pace?: HubFaults['pace'] } = {}
  const [house, pages, browser] = await Promise.all([
    openSmallHouse(newFolder(), faults),
    buildPages(),
    launchBrowser(),
  ])
  faults.pace = { bytes: 100_000, next: house.breakOff }
  const { server, close } = await serve('', newFolder(), pages, 0, house)
  onTestFinished(async () => {
    await browser.close()
    await close()
    await house.stop()
    rmSync(pages, { recursive: true, force: true })
  })
  await fetch(`${server.address}/api/lineups/duo`, {
    method: 'PUT',
    body: JSON.stringify({ seats: ['house/tinyllama', 'house/tinyllama'] }),
    headers: { 'content-type': 'application/json' },
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.address)

  await page.getByRole('heading', { name: 'First, choose who answers' }).waitFor()
  await page.getByText(/TinyLlama 1.1B, \d+ MB, licence Apache-2.0; the engine that runs it/).waitFor()
  expect(house.hub.asked).toEqual([])

  const download = page.getByRole('button', { name: /^Download \(\d+ MB\)/ })
  await download.click()
  await page
    .getByRole('alert')
    .getByText(/couldn't be downloaded: .* The part that has arrived is kept/)
    .waitFor()

  let release = (): void => {}
  let free = false
  const next = (): Promise<void> => (free ? Promise.resolve() : new Promise(resolve => (release = resolve)))
  faults.pace = { bytes: 50_000, next }
  await download.click()
  const bar = page.getByRole('progressbar', { name: 'Downloading TinyLlama 1.1B' })
  const drawn = async (): Promise<number> => Number(await bar.getAttribute('value'))
  await expect.poll(drawn, { timeout: 30_000 }).toBeGreaterThan(0)
  const before = await drawn()
  release()
  await expect.poll(drawn, { timeout: 30_000 }).toBeGreaterThan(before)
  free = true
  release()

  for (const manner of ['careful', 'hopeful', 'practical'])
    await page.getByRole('button', { name: `TinyLlama 1.1B, ${manner}` }).waitFor({ timeout: 30_000 })
  await expect.poll(() => page.getByRole('heading', { name: 'First, choose who answers' }).count()).toBe(0)

  const chosen = async () => {
    await page
      .locator('details', { hasText: 'Details' })
      .evaluate(details => details.setAttribute('open', ''))
    const moderator = await page.getByRole('combobox', { name: 'Moderator' }).inputValue()
    const rounds = page.getByRole('group', { name: 'Open rounds' }).locator('label:has(input:checked)')
    return [moderator, await rounds.innerText()]
  }
  await expect.poll(chosen).toEqual(['house/tinyllama', '1'])
  await page.getByRole('button', { name: /^duo/ }).click()
  await expect.poll(chosen).toEqual(['', '2'])
  await page.getByRole('button', { name: /^Built-in model/ }).click()
  await expect.poll(chosen).toEqual(['house/tinyllama', '1'])

  await page.getByLabel('Your question').fill('Is a hot dog a sandwich?')
  await page.keyboard.press('Control+Enter')
  await page.getByText('The session is over').first().waitFor({ timeout: 120_000 })
})
