/** Pictures and long files on the pages, in a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngFile } from '../evidence/files.ts'
import { choosePoll, drop, seat } from './ask-form.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 60_000
let stage: Stage

beforeAll(async () => {
  stage = await openStage({ models: { narrow: { context_length: 6_000 }, 'gpt-5.5': {} } })
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

test('[EV56] [U270] a dropped picture is shown with its size, sent to the seat that sees, and shown on the session’s page', {
  timeout: patience,
}, async () => {
  const page = await stage.open('/')
  await seat(page, 'lab/gpt-5.5', 'lab/narrow')
  await choosePoll(page)
  await page.getByLabel('Your question').fill('What does it show?')
  await drop(page, { 'chart.png': pngFile(64, 32) })
  const attached = page.getByRole('list', { name: 'Attachments' })
  await attached.getByText('64 × 32 pixels').waitFor()
  expect(await attached.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64)
  const unseen = page.getByText(/narrow probably can't see the attached pictures/)
  await page.getByRole('status').and(unseen).waitFor()
  // Beside the attachments, and not a second time among the notes of the estimate.
  await page.getByLabel('Estimate').waitFor()
  expect(await unseen.count()).toBe(1)
  await page.getByRole('button', { name: 'Ask the table' }).click()
  await page.getByLabel('Moment of the session').waitFor({ timeout: patience })
  await page
    .getByText(/1 of 2 seats cannot see the pictures/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: '[1] chart.png' }).click()
  const shown = page.getByRole('dialog').getByRole('img', { name: 'chart.png' })
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64)
  const seen = stage.lab.calls.filter(({ body }) => body.pictures)
  expect(new Set(seen.map(({ body }) => body.model))).toEqual(new Set(['gpt-5.5']))
  expect(stage.complaints).toEqual([])
  await page.context().close()
})

test('[EV55] excerpts are offered only if something does not fit, and then the question can be asked', {
  timeout: patience,
}, async () => {
  const page = await stage.open('/')
  await seat(page, 'lab/narrow')
  await choosePoll(page)
  await page.getByLabel('Your question').fill('May a team park here?')
  const offer = page.getByRole('checkbox', { name: /^Give all seats excerpts: \d+ of \d+ passages/ })
  await drop(page, { 'short.txt': Buffer.from('Nobody may park here.') })
  await page.getByText('short.txt').waitFor()
  await page.getByLabel('Estimate').waitFor()
  expect(await offer.count()).toBe(0)
  const long = Array.from({ length: 2_000 }, (_, index) => `Rule ${index}: nobody may park here.`).join('\n')
  await drop(page, { 'rules.txt': Buffer.from(long) })
  await offer.waitFor()
  await page.getByText(/^narrow takes 6\.0k tokens/).waitFor()
  await offer.check()
  await page.getByText(/Excerpts: all seats get the same/).waitFor()
  await page.getByRole('button', { name: 'Ask the table' }).click()
  await page.getByLabel('Moment of the session').waitFor({ timeout: patience })
  await page
    .getByText(/the seats read excerpts of what is attached/i)
    .first()
    .waitFor()
  expect(stage.complaints).toEqual([])
  await page.context().close()
})
