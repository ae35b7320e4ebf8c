/** Settings that set, in a real browser. */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settingsPath } from '../../src/table/config.ts'
import { faultsOf } from './faults.ts'
import { type LiveStage, openLiveStage } from './live-stage.ts'

const key = 'sk-typed-into-the-page-12345-wxyz'
let stage: LiveStage
beforeAll(async () => {
  stage = await openLiveStage({ key, tokensPerSecond: 2_000 })
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

test('[U134] [U185] an endpoint and its key are added, tested and used on the page, and the key never comes back', {
  timeout: 90_000,
}, async () => {
  const page = await stage.open('/settings')
  const received: string[] = []
  page.on('response', async response => {
    if (response.url().includes('/api/')) received.push(await response.text().catch(() => ''))
  })
  const form = page.getByRole('form', { name: 'Add a server of your own' })
  await form.getByLabel('Name').fill('mine')
  await form.getByLabel('Address').fill(stage.lab.baseURL)
  await form.getByLabel('API key').fill('sk-a-wrong-key-altogether')
  await form.getByRole('button', { name: 'Add the server' }).click()
  await form.getByText(/✕ mine:/).waitFor()
  await page.getByRole('button', { name: 'Replace key of mine' }).click()
  await page.getByLabel('API key of mine').fill(key)
  await page.getByRole('button', { name: 'Save and test' }).click()
  await page.getByText(/It answers: \d+ models/).waitFor()
  await page.getByText('key …wxyz').waitFor()
  await page.getByText('No table is chosen yet').waitFor()
  expect(await page.content()).not.toContain(key)
  expect(readFileSync(settingsPath(stage.data), 'utf8')).toContain(key)

  await page.getByRole('link', { name: 'Ask', exact: true }).click()
  await page.getByRole('button', { name: 'Add a model' }).click()
  for (const name of ['mine/a', 'mine/b']) {
    await page.getByRole('combobox', { name: 'Search models' }).fill(name)
    await page.getByRole('option', { name }).first().click()
  }
  await page.keyboard.press('Escape')
  await page.getByLabel('Your question').fill('Does a saved key work?')
  await page.keyboard.press('Control+Enter')
  await page
    .getByText(/of 2 models agreed|both|All 2|split|agree/i)
    .first()
    .waitFor({ timeout: 60_000 })

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Remove mine' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Test mine' }).count()).toBe(0)
  const storage = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  for (const text of [...received, storage, stage.log()]) expect(text).not.toContain(key)
  expect(readFileSync(settingsPath(stage.data), 'utf8')).not.toContain(key)
  await page.context().close()
})

test('[U135] what can’t be a key is refused in words; defaults are saved on the page', {
  timeout: 60_000,
}, async () => {
  const page = await stage.open('/settings')
  await page.getByRole('button', { name: 'Add key of Mistral' }).click()
  await page.getByLabel('API key of Mistral').fill('a key with spaces')
  await page.getByRole('button', { name: 'Save and test' }).click()
  await page
    .getByRole('alert')
    .getByText(/A key has no spaces/)
    .waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Seconds for one answer').fill('45')
  await page.getByLabel('Budget of a session').fill('0.75')
  await page.getByLabel('Moderator').selectOption('none')
  await page.getByRole('button', { name: 'Save the defaults' }).click()
  await page.getByText('✓ Saved.').waitFor()
  expect(stage.reach.usual).toMatchObject({ deadline: 45, budget: 0.75, moderator: null })
  await page.reload()
  await page.getByRole('heading', { name: 'Defaults' }).waitFor()
  await expect.poll(() => page.getByLabel('Seconds for one answer').inputValue()).toBe('45')
  await page.getByLabel('Moderator').selectOption('')
  await page.getByLabel('Seconds for one answer').fill('')
  await page.getByLabel('Budget of a session').fill('')
  await page.getByRole('button', { name: 'Save the defaults' }).click()
  await page.getByText('✓ Saved.').waitFor()
  expect(stage.reach.usual).not.toHaveProperty('deadline')
  await page.context().close()
})

test('[U136] in a real browser, a page of another origin can’t set a key', { timeout: 60_000 }, async () => {
  const page = await stage.open('/healthz')
  await page.goto('about:blank')
  const before = readFileSync(settingsPath(stage.data), 'utf8')
  await page.evaluate(async address => {
    const body = JSON.stringify({ key: 'sk-of-a-stranger-0000' })
    for (const [method, path] of [
      ['PUT', 'keys/openai'],
      ['POST', 'keys/openai'],
      ['POST', 'reload'],
    ])
      for (const mode of ['cors', 'no-cors'] as const)
        await fetch(`${address}/api/settings/${path}`, { method: method!, mode, body }).catch(() => {})
  }, stage.address)
  expect(readFileSync(settingsPath(stage.data), 'utf8')).toBe(before)
  await page.context().close()
})

test('[U137] axe finds nothing on the settings and ask pages in use, light and dark, and nothing is wider than the window', {
  timeout: 240_000,
}, async () => {
  await fetch(`${stage.address}/api/settings/endpoints/mine`, {
    ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ baseURL: stage.lab.baseURL, key }),
  })
  const page = await stage.open('/settings')
  await page.getByRole('button', { name: 'Add key of OpenAI' }).click()
  await page.getByRole('button', { name: 'Test mine' }).click()
  await page.getByText(/It answers: \d+ models/).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.goto(stage.address)
  await page.getByRole('button', { name: 'Add a model' }).click()
  await page.getByRole('combobox', { name: 'Search models' }).fill('mine/a')
  await page.getByRole('option', { name: 'mine/a' }).first().click()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByLabel('Your question').fill('Is everything in order?')
  await page.locator('details', { hasText: 'Details' }).locator('summary').first().click()
  await page.getByLabel('Estimate').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'a', exact: true }).click()
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})
