/** Follow-ups, forks and templates in a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replyIn } from '../lab/table-replies.ts'
import { violationsOn } from './faults.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 60_000
let stage: Stage
beforeAll(async () => {
  stage = await openStage({ handler: replyIn })
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

const asked = {
  question: 'Which way should the goods go?',
  seats: ['lab/split-m1', 'lab/split-m2', 'lab/split-m3'],
  moderator: 'lab/split-moderator',
  protocol: 'roundtable',
  rounds: 2,
}

const finished = async (id: string): Promise<void> => {
  await expect
    .poll(
      async () =>
        ((await (await fetch(`${stage.address}/api/sessions/${id}`)).json()) as { outcome?: string }).outcome,
      {
        timeout: patience,
      },
    )
    .toBe('verdict')
}

const idIn = (url: string): string => /\/s\/([\w-]+)/.exec(url)![1]!

test('[U230] a question is asked on under the verdict, and the thread is shown up and down', {
  timeout: patience,
}, async () => {
  const first = await stage.ask(asked)
  await finished(first)
  const page = await stage.open(`/s/${first}`)
  await page.getByLabel('The next question to this table').fill('And which way should people go?')
  await page.getByLabel('The seats are told').selectOption('verdict')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.waitForURL(url => url.pathname.startsWith('/s/') && !url.pathname.endsWith(first))
  const next = idIn(page.url())
  await page.getByText('Follow-up to').first().waitFor()
  await page.getByText('Its seats were told the verdict of it').first().waitFor()
  await finished(next)
  await page.reload()
  const thread = page.getByRole('region', { name: 'The thread' })
  await thread.getByText('this session').waitFor()
  expect(await thread.getByRole('listitem').count()).toBe(2)
  const violations = await violationsOn(page)
  expect(violations.map(({ id }) => id)).toEqual([])
  await thread.getByRole('link', { name: asked.question }).click()
  await page.waitForURL(`**/s/${first}`)
  await page
    .getByRole('region', { name: 'The thread' })
    .getByRole('link', { name: /people/ })
    .waitFor()
  await page.context().close()
})

test('[U231] [U232] [U236] [U274] the moment that the timeline shows is forked with another model, and the two are compared from there on', {
  timeout: patience,
}, async () => {
  const first = await stage.ask(asked)
  await finished(first)
  const page = await stage.open(`/s/${first}`)
  const log = (await (await fetch(`${stage.address}/api/sessions/${first}`)).json()) as {
    events: { type: string; round?: number; position: number }[]
  }
  const second = log.events.find(({ type, round }) => type === 'round-opened' && round === 2)!
  await page.getByLabel('Moment of the session').fill(String(second.position))
  await page.getByRole('button', { name: 'Fork at this moment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Fork this session' })
  expect(await dialog.getByLabel('Go on after').inputValue()).toBe('1')
  await page.setViewportSize({ width: 390, height: 600 })
  const fork = (await dialog.getByRole('button', { name: 'Fork', exact: true }).boundingBox())!
  expect(fork.y + fork.height).toBeLessThan(600)
  await page.setViewportSize({ width: 1280, height: 800 })
  const before = stage.lab.calls.length
  const calls = dialog.getByLabel('Estimate').locator('div', { hasText: 'calls' }).locator('dd')
  const later = await calls.innerText()
  await dialog.getByLabel('Go on after').selectOption('0')
  await expect.poll(() => calls.innerText()).not.toBe(later)
  await dialog.getByLabel('Go on after').selectOption('1')
  await expect.poll(() => calls.innerText()).toBe(later)
  await dialog.getByText('Change who sits at the table').click()
  await dialog.getByLabel('Seat C: split-m3').fill('nobody/knows')
  await dialog.getByRole('alert').getByText('nobody').waitFor()
  await dialog.getByLabel('Seat C: split-m3').fill('lab/split-m8')
  await dialog.getByLabel('Estimate').waitFor()
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click()
  await page.waitForURL(url => url.pathname.startsWith('/s/') && !url.pathname.endsWith(first))
  const forked = idIn(page.url())
  await finished(forked)
  const models = stage.lab.calls.slice(before).map(({ body }) => body.model)
  expect(models.filter(model => /-m\d$/.test(model)).sort()).toEqual(['split-m1', 'split-m2', 'split-m8'])
  await page.getByText('its cost and tokens count there').first().waitFor()
  await page.getByRole('link', { name: 'Compare the two' }).click()
  await page.getByText('Both share everything up to round 1').waitFor()
  for (const side of ['The first session', 'The second session']) {
    const part = page.getByRole('region', { name: `From the fork on, ${side}` })
    await part.getByText('Open round 2').waitFor()
    expect(await part.getByText('Open round 1').count()).toBe(0)
    expect(await part.getByText(side === 'The first session' ? 'split-m3' : 'split-m8').count()).toBe(1)
  }
  await page.context().close()
})

test('[U233] a template is filled in on the ask page, the form is saved as one, and one’s own is deleted', {
  timeout: patience,
}, async () => {
  const page = await stage.open('/')
  await page.getByText('Templates', { exact: true }).click()
  await page.getByRole('button', { name: 'compare options' }).click()
  const fill = page.getByRole('dialog', { name: 'Template: compare options' })
  await fill.getByLabel('purpose').fill('heating a small house')
  await fill.getByLabel('options').fill('Gas\nWood\nA heat pump')
  await fill.getByRole('button', { name: 'Fill in' }).click()
  const question = page.getByLabel('Your question')
  expect(await question.inputValue()).toContain('heating a small house')
  await question.fill('Should {{who}} move?')
  await page.getByRole('button', { name: 'Save as a template' }).click()
  const save = page.getByRole('dialog', { name: 'Save as a template' })
  await save.getByLabel('Name').fill('moving')
  await save.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'moving', exact: true }).click()
  const own = page.getByRole('dialog', { name: 'Template: moving' })
  await own.getByLabel('who').fill('Ada')
  await own.getByRole('button', { name: 'Fill in' }).click()
  expect(await question.inputValue()).toBe('Should Ada move?')
  page.once('dialog', asked => void asked.accept())
  await page.getByRole('button', { name: 'Delete the template moving' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'moving', exact: true }).count()).toBe(0)
  await page.context().close()
})

test('[U234] to edit a question and ask again is a fork from the start', { timeout: patience }, async () => {
  const first = await stage.ask(asked)
  await finished(first)
  const page = await stage.open(`/s/${first}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Ask another table' }).click()
  await page.getByText(`session ${first}`).waitFor()
  await page.getByLabel('Your question').fill('Which way should letters go?')
  await page.getByRole('button', { name: 'Ask the table' }).click()
  await page.waitForURL('**/s/*')
  await page.getByText('from the start.').first().waitFor()
  await page.context().close()
})

test('[U235] the pages complain about nothing', () => {
  // The browser reports the fork that couldn't be made, too.
  expect(stage.complaints.filter(one => !one.includes('status of 422'))).toEqual([])
  expect(stage.strangers).toEqual([])
})
