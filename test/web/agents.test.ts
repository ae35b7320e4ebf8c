/** The first visit of somebody who is logged in to an agent, in a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePrograms, type Programs } from '../agents/programs.ts'
import { faultsOf } from './faults.ts'
import { type LiveStage, openLiveStage } from './live-stage.ts'

let stage: LiveStage
let programs: Programs
beforeAll(async () => {
  programs = makePrograms(['claude', 'codex', 'opencode'])
  for (const kind of ['claude', 'codex']) programs.logIn(kind)
  stage = await openLiveStage({}, programs.env)
}, 120_000)
afterAll(async () => {
  await stage?.stop()
  programs?.remove()
}, 30_000)

test('[AG20] agents are offered on the first visit, and sit at the table after one agreement', {
  timeout: 120_000,
}, async () => {
  const page = await stage.open('/')
  await page.getByRole('heading', { name: 'Use your subscriptions' }).waitFor()
  await page.getByText('You are logged in to Claude Code and Codex on this machine').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Ask them by default' }).click()
  await page.getByRole('heading', { name: 'Use your subscriptions' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Subscriptions/ }).waitFor()
  await page.getByLabel('Your question').fill('Does a subscription answer?')
  await page.getByText('subscription', { exact: true }).first().waitFor()
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/s\//)
  await page
    .getByText(/· subscription|subscription ·/)
    .first()
    .waitFor({ timeout: 90_000 })

  const settings = await stage.open('/settings', { viewport: { width: 390, height: 800 } })
  const section = settings.getByRole('region', { name: 'Agents on this machine' })
  await section.getByText('✓ logged in').first().waitFor()
  await section.getByText('opencode auth login').waitFor()
  expect(await faultsOf(settings)).toEqual([])
  await section.getByRole('button', { name: 'Don’t ask them by default' }).click()
  await section.getByRole('button', { name: 'Ask them by default' }).waitFor()
})
