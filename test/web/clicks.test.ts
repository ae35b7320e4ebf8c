/** What a newcomer does most, in a real browser, with every click counted. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveStage, openLiveStage } from './live-stage.ts'

const patience = 60_000
let stage: LiveStage

beforeAll(async () => {
  stage = await openLiveStage({ tokensPerSecond: 2_000, models: { a: {}, b: {}, d: {}, k: {} } })
  const put = (path: string, body: object): Promise<Response> =>
    fetch(`${stage.address}${path}`, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  await put('/api/settings/endpoints/mine', { baseURL: stage.lab.baseURL })
  await put('/api/lineups/four', { seats: ['mine/a', 'mine/b', 'mine/d', 'mine/k'] })
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

/** A page, and what was clicked on it since the last look. */
const counting = async (path: string) => {
  const page = await stage.open('/nowhere')
  const clicked: string[] = []
  await page.exposeFunction('clickedOn', (name: string) => clicked.push(name))
  await page.addInitScript(() => {
    addEventListener(
      'click',
      ({ target, isTrusted }) => {
        const element = (target as Element).closest('a, button, summary, input, textarea, label') ?? target
        const name = (element as HTMLElement).innerText || (element as HTMLElement).id
        if (isTrusted) (globalThis as unknown as { clickedOn(name: string): void }).clickedOn(name.trim())
      },
      true,
    )
  })
  await page.goto(`${stage.address}${path}`)
  return { page, clicks: () => clicked.splice(0) }
}

const press = (page: Page, role: 'button' | 'link', name: string): Promise<void> =>
  page.getByRole(role, { name, exact: true }).first().click()

test('[U264] to ask, watch, read a split verdict, find it again and share it takes at most three clicks each', {
  timeout: 2 * patience,
}, async () => {
  const { page, clicks } = await counting('/')
  await press(page, 'button', 'Is a hot dog a sandwich?')
  await page.getByRole('button', { name: /^four/ }).click()
  await press(page, 'button', 'Ask the table')
  await page.waitForURL(/\/s\//)
  expect(clicks()).toEqual(['Is a hot dog a sandwich?', 'four4', 'Ask the table'])

  await page.getByText('The session is over').first().waitFor({ timeout: patience })
  expect(await page.getByRole('figure', { name: 'The table' }).innerText()).toContain('2 : 2')
  expect(await page.getByRole('list', { name: 'Positions' }).innerText()).toContain('A a, B b')
  expect(clicks()).toEqual([])

  await press(page, 'link', 'Sessions')
  await press(page, 'link', 'Is a hot dog a sandwich?')
  await page.getByRole('list', { name: 'Positions' }).waitFor()
  expect(clicks()).toEqual(['Sessions', 'Is a hot dog a sandwich?'])

  await press(page, 'button', 'Share')
  await press(page, 'button', 'Create link')
  await press(page, 'button', 'Copy link')
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(clicks()).toEqual(['Share', 'Create link', 'Copy link'])
  const friend = await stage.open(new URL(link).pathname)
  await friend.getByRole('heading', { name: 'Is a hot dog a sandwich?' }).waitFor()
  for (const one of [page, friend]) await one.context().close()
})
