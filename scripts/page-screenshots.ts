/** Every page but a session's own, in each of its states, for pictures. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { sampleLog } from '../test/sample-session.ts'
import { fileOf, largeLog } from '../test/web/hostile.ts'
import { type LiveStage, openLiveStage } from '../test/web/live-stage.ts'
import { isChosen, type Shooting, type State, shoot } from './shooting.ts'

const press =
  (...names: readonly (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) await page.getByRole('button', { name }).first().click()
  }
const search = (label: string, words: string) => (page: Page) => page.getByLabel(label).fill(words)

/** Before anything is configured or asked. */
const firstVisit: readonly State[] = [
  { name: 'first-visit', path: '/' },
  { name: 'first-ctrl-enter', path: '/', act: page => page.keyboard.press('Control+Enter') },
  { name: 'first-example', path: '/', act: press('Is a hot dog a sandwich?') },
  { name: 'first-archive', path: '/sessions' },
  { name: 'first-models', path: '/models' },
  { name: 'first-settings', path: '/settings' },
  { name: 'first-compare', path: '/compare' },
  { name: 'no-page', path: '/nowhere' },
  { name: 'no-session', path: '/s/nothing' },
  { name: 'no-share', path: '/shared/nothing' },
  { name: 'no-model', path: '/model?id=nobody' },
]

const filledIn = async (page: Page): Promise<void> => {
  await press(/^trio/)(page)
  await page.getByLabel('Your question').fill('Should a small town close its centre to cars?')
  await page.getByRole('group', { name: 'Format of the answer' }).getByText('Choice').click()
  await page.getByLabel(/Options/).fill('Yes\nNo\nOnly at weekends')
  await page.locator('details', { hasText: 'Details' }).locator('summary').click()
}

const searchModels = (words: string) => async (page: Page) => {
  await press('Add a model')(page)
  await page.getByRole('combobox', { name: 'Search models' }).fill(words)
}

const saveTable = async (page: Page): Promise<void> => {
  await searchModels('mine/a')(page)
  await page.keyboard.press('Enter')
  await press('Done', 'Save this table')(page)
}

const serverGone = async (page: Page): Promise<void> => {
  await page.waitForTimeout(4_000)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByText('The connection is lost.').waitFor()
}

const wrongEndpoint = async (page: Page): Promise<void> => {
  await press('Test mine')(page)
  await press('Add key of OpenAI')(page)
  await press('Check the setup')(page)
  await page.getByText('Technical details').waitFor({ timeout: 60_000 })
}

/** With an endpoint, a line-up, and sessions. */
const inUse = ([one, other]: readonly string[], model: string): readonly State[] => [
  { name: 'ask', path: '/' },
  { name: 'ask-filled-in', path: '/', act: filledIn },
  { name: 'ask-picker', path: '/', act: press('Add a model') },
  { name: 'ask-picker-key', path: '/', act: searchModels('claude') },
  { name: 'ask-picker-none', path: '/', act: searchModels('zebra zebra') },
  { name: 'ask-seat', path: '/', act: press(/^trio/, /^a$/) },
  { name: 'ask-save-table', path: '/', act: saveTable },
  { name: 'shortcuts', path: '/sessions', act: page => page.keyboard.press('?') },
  { name: 'archive', path: '/sessions' },
  { name: 'archive-found', path: '/sessions?words=school' },
  { name: 'archive-none', path: '/sessions?words=zebra+zebra&protocol=poll' },
  { name: 'archive-tags', path: '/sessions', act: press('+ Tag') },
  { name: 'models', path: '/models' },
  { name: 'models-search', path: '/models', act: search('Search models', 'claude') },
  { name: 'models-none', path: '/models', act: search('Search models', 'zebra zebra') },
  { name: 'model', path: `/model?id=${encodeURIComponent(model)}` },
  { name: 'compare', path: `/compare?a=${one}&b=${other}` },
  { name: 'compare-one', path: `/compare?a=${one}` },
  { name: 'compare-gone', path: `/compare?a=${one}&b=nothing` },
  { name: 'settings', path: '/settings' },
  { name: 'settings-tried', path: '/settings', act: wrongEndpoint },
  { name: 'server-gone', path: '/', act: serverGone },
]

const send = async (address: string, method: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${address}${path}`, {
    method,
    ...(typeof body === 'string'
      ? { body, headers: { 'content-type': 'text/plain' } }
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

/** Sessions from files, a small one, and one of fifty seats; some are resolved, so that there is a track record. */
const fill = async ({ address, lab }: LiveStage, files: readonly string[]): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const text of [
    ...files.map(file => readFileSync(file, 'utf8')),
    fileOf(sampleLog),
    fileOf(largeLog()),
  ]) {
    const reply = (await (await send(address, 'POST', '/api/import', text)).json()) as { id: string }
    ids.push(reply.id)
    await send(address, 'POST', `/api/sessions/${reply.id}/resolve`, { answer: 'No' })
  }
  await send(address, 'PUT', '/api/settings/endpoints/mine', { baseURL: lab.baseURL })
  await send(address, 'PUT', '/api/lineups/trio', { seats: ['mine/a', 'mine/b', 'mine/c'] })
  return ids
}

const logIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Token').fill('wrong')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').waitFor()
}

const guarded: readonly State[] = [
  { name: 'login', path: '/settings' },
  { name: 'login-wrong', path: '/login', act: logIn },
]

export const shootPages = async (shooting: Shooting): Promise<void> => {
  if (guarded.some(isChosen(shooting))) {
    const behindToken = await openLiveStage({}, {}, { token: 'a-token-of-enough-characters' })
    await shoot(behindToken, guarded, shooting)
    await behindToken.stop()
  }
  const stage = await openLiveStage({ models: { a: {}, b: {}, c: {} }, tokensPerSecond: 2_000 })
  await shoot(stage, firstVisit, shooting)
  const ids = await fill(stage, shooting.files)
  const { models } = (await (await fetch(`${stage.address}/api/stats`)).json()) as {
    models: { model: string }[]
  }
  await shoot(stage, inUse(ids, models[0]?.model ?? ''), shooting)
  await stage.stop()
}
