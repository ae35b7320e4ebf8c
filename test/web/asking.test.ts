/** The first visit, and the next question, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOn } from './faults.ts'
import { type LiveStage, openLiveStage } from './live-stage.ts'

const patience = 60_000
let stage: LiveStage
const call = (method: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${stage.address}${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

beforeAll(async () => {
  stage = await openLiveStage({ tokensPerSecond: 2_000, models: { a: {}, b: {} } })
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

const alerts = (page: Page): Promise<number> => page.getByRole('alert').count()

test('[U138] [U182] [U273] on a first visit there is a button with its reason, and no error before anything was typed', {
  timeout: patience,
}, async () => {
  const page = await stage.open('/sessions')
  await page.getByRole('heading', { name: 'No sessions yet' }).waitFor()
  expect(await page.getByRole('searchbox').or(page.getByRole('combobox')).count()).toBe(0)
  await page.goto(`${stage.address}/compare`)
  await page.getByRole('heading', { name: 'Nothing to compare yet' }).waitFor()
  expect(await page.getByRole('combobox').count()).toBe(0)
  await page.goto(stage.address)
  const button = page.getByRole('button', { name: 'Ask the table' })
  await button.waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await page.getByText('Add a model first.').waitFor()
  expect(await alerts(page)).toBe(0)
  expect(await page.getByRole('list', { name: 'Or try one of these' }).getByRole('button').count()).toBe(3)
  await page.getByRole('button', { name: 'Is a hot dog a sandwich?' }).click()
  await expect.poll(() => page.getByLabel('Your question').inputValue()).toBe('Is a hot dog a sandwich?')
  expect(await page.getByLabel(/Options/).inputValue()).toBe('Yes\nNo')
  await page.locator('body').click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('Add a model first.').waitFor()
  await page.getByRole('button', { name: 'See the ways to start' }).click()
  const ways = page.getByRole('heading', { name: 'First, choose who answers' })
  expect(await ways.evaluate(element => element === document.activeElement)).toBe(true)
  await expect.poll(async () => (await ways.boundingBox())!.y).toBeGreaterThanOrEqual(0)
  expect((await ways.boundingBox())!.y).toBeLessThan(400)
  await page.context().close()
})

test('[U142] the tour explains what one sees at each step', { timeout: patience }, async () => {
  const page = await stage.open('/')
  await page.getByRole('button', { name: 'Watch the tour' }).click()
  const caption = page.getByRole('complementary', { name: 'Tour' })
  await caption.getByText('Verdict.', { exact: true }).waitFor({ timeout: patience })
  // On a slow machine a step may be over before it is seen: all of them can be seen again.
  const moment = page.getByLabel('Moment of the session')
  const told: string[] = []
  for (let event = Number(await moment.getAttribute('max')); event > 0; event--) {
    await moment.fill(String(event))
    told.unshift((await caption.locator('strong').innerText()).trim())
  }
  expect([...new Set(told)]).toEqual([...['Sealed round.', 'Reading.', 'Open round.', 'Report.', 'Verdict.']])
  await moment.press('End')
  await caption.getByRole('link', { name: 'Ask a question of your own' }).click()
  await page.getByLabel('Your question').waitFor()
  await page.context().close()
})

describe('with an endpoint', () => {
  beforeAll(async () => {
    await call('PUT', '/api/settings/endpoints/mine', { baseURL: stage.lab.baseURL })
    await call('PUT', '/api/lineups/duo', { seats: ['mine/a', 'mine/b'] })
  })

  test('[U203] people are added by name and taken away, and the session has their links', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/')
    await page.getByRole('button', { name: /^duo/ }).click()
    const people = page.getByRole('region', { name: 'People at the table' })
    for (const name of ['Ada', 'Bob']) {
      await people.getByRole('button', { name: 'Add a person' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add a person' })
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await people.getByText(name, { exact: true }).waitFor()
    }
    await people.getByRole('button', { name: 'Remove Bob' }).click()
    await page.getByLabel('Your question').fill('Should a small team start early?')
    await page.getByRole('button', { name: 'Ask the table' }).click()
    await page.waitForURL('**/s/*')
    const link = page.getByRole('link', { name: 'Open', exact: true })
    expect(await link.getAttribute('href')).toMatch(/\/seat\//)
    expect(await page.getByText('Bob').count()).toBe(0)
    await page.context().close()
  })

  test('[U138] [U143] a form that isn’t filled in is no error, and who moderates is said before asking', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/')
    await page.getByText('Write a question first.').waitFor()
    await page.getByRole('button', { name: /^duo/ }).click()
    await page.getByRole('group', { name: 'Format of the answer' }).getByText('Choice').click()
    await page.getByLabel('Your question').fill('Early?')
    await page.getByText('Give at least two options.').waitFor()
    expect(await page.locator('.text-bad').count()).toBe(0)
    await page.getByRole('group', { name: 'Format of the answer' }).getByText('Open').click()
    await page.locator('details', { hasText: 'Details' }).locator('summary').click()
    await page.getByRole('combobox', { name: 'Moderator' }).selectOption('none')
    await page.getByText(/Nobody moderates: open answers are not grouped/).waitFor()
    await page.context().close()
  })

  test('[U145] the list of models begins with those that are ready, and shows the others on request', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/')
    await page.getByRole('button', { name: 'Add a model' }).click()
    await page.getByRole('combobox', { name: 'Search models' }).fill('claude')
    await page.getByText('No model that you can use now matches.').waitFor()
    const violations = await violationsOn(page)
    expect(violations.map(({ id }) => id)).toEqual([])
    await page.getByRole('button', { name: /^Show \d+ that need a key$/ }).click()
    await page
      .getByRole('option', { name: /Claude/ })
      .first()
      .waitFor()
    await page.context().close()
  })

  test('[U139] table, draft and attachments are kept; a deleted line-up can be brought back', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/')
    await page.getByRole('button', { name: /^duo/ }).click()
    await page.getByLabel('Your question').fill('Is it kept?')
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('plain words') })
    await page.getByText('notes.txt').waitFor()
    await page.reload()
    await page.getByText('notes.txt').waitFor()
    expect(await page.getByLabel('Your question').inputValue()).toBe('Is it kept?')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/s\//)
    await page.getByRole('link', { name: 'Ask', exact: true }).click()
    await page.getByRole('button', { name: 'a', exact: true }).waitFor()
    expect(await page.getByLabel('Your question').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Delete the saved table duo' }).click()
    await page.getByText('The saved table “duo” was deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: /^duo/ }).waitFor()
    await page.context().close()
  })

  test('[U140] [U141] another table is asked from the filled-in page; a round shows its estimate first', {
    timeout: patience,
  }, async () => {
    const question = {
      question: 'How many?',
      format: 'number',
      unit: 'people',
      tolerance: '10%',
      seats: [{ model: 'mine/a', brief: 'Doubt.' }, 'mine/b'],
      ...{ moderator: null, protocol: 'roundtable', rounds: 1, budget: 2 },
      attachments: [{ name: 'facts.txt', text: 'Some facts.' }],
    }
    const { id } = (await (await call('POST', '/api/sessions', question)).json()) as { id: string }
    const page = await stage.open(`/s/${id}`)
    await page.getByRole('button', { name: 'Add a round' }).click({ timeout: patience })
    const dialog = page.getByRole('dialog', { name: 'Add a round' })
    await dialog.getByLabel('Estimate').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const { events } = (await (await fetch(`${stage.address}/api/sessions/${id}`)).json()) as {
      events: { type: string }[]
    }
    expect(events.filter(({ type }) => type === 'round-added')).toEqual([])
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('Ask another table').click()
    await page.waitForURL(url => url.pathname === '/')
    expect(await page.getByLabel('Your question').inputValue()).toBe('How many?')
    await page.getByText('facts.txt').waitFor()
    await page.getByRole('button', { name: /with its own brief/ }).waitFor()
    await page.getByLabel('Estimate').waitFor()
    await page.getByRole('button', { name: 'Ask the table' }).click()
    await page.waitForURL(url => url.pathname.startsWith('/s/') && !url.pathname.endsWith(id))
    const again = new URL(page.url()).pathname.slice('/s/'.length)
    const reply = (await (await fetch(`${stage.address}/api/sessions/${again}`)).json()) as {
      events: object[]
    }
    expect(reply.events[0]).toMatchObject({
      question: { text: 'How many?', format: 'number', unit: 'people', tolerance: '10%' },
      seats: [{ model: 'mine/a', brief: 'Doubt.' }, { model: 'mine/b' }],
      ...{ moderator: null, protocol: 'roundtable', rounds: 1, budget: { usd: 2 } },
    })
    await page.context().close()
  })
})
