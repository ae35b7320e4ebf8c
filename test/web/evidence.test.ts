/** A PDF, a spreadsheet and a Word file on the pages, in a real browser: dropped, cited, looked up and opened. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfFile, sheetFile, wordFile } from '../evidence/files.ts'
import { choosePoll, drop, seat } from './ask-form.ts'
import { faultsOf } from './faults.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 60_000

/** Long enough that the last page is out of sight when an exhibit opens at its beginning. */
const pages = Array.from({ length: 8 }, (_, page) =>
  Array.from({ length: 20 }, (_, line) => `Clause ${page * 20 + line + 1} says nothing of the end.`).join(
    '\n',
  ),
)
const files = {
  'lease.pdf': pdfFile([...pages, 'Notice: three months.']),
  'costs.xlsx': sheetFile({ Heating: [['Oil for the winter', 120]], Water: [['Hot water', 40]] }),
  'letter.docx': wordFile(['Dear tenant,', 'The rent rises by 3 percent.']),
}

const citations: Readonly<Record<string, readonly object[]>> = {
  a: [{ exhibit: 1, quote: 'Notice: three months.', place: null }],
  b: [
    { exhibit: 2, quote: 'Oil for the winter', place: null },
    { exhibit: 3, quote: 'The rent rises by 9 percent.', place: 'line 3' },
  ],
}

let stage: Stage
beforeAll(async () => {
  stage = await openStage({
    models: { a: {}, b: {} },
    handler: ({ body }) => ({
      ...{ citations: citations[body.model] ?? [], reasoning: 'As [1, p. 9] says.' },
      ...{ headline: 'She may leave.', confidence: 0.8 },
    }),
  })
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

/** The ask page with the three files dropped. */
const attached = async (): Promise<Page> => {
  const page = await stage.open('/')
  await seat(page, 'lab/a', 'lab/b')
  await choosePoll(page)
  await page.getByLabel('Your question').fill('May she leave?')
  await drop(page, files)
  await page.getByRole('list', { name: 'Attachments' }).getByText('letter.docx').waitFor()
  return page
}

const citationsOn = (page: Page) => page.getByRole('list', { name: 'Cites' }).getByRole('listitem')

/** The page of a session that read them, once it is over. */
const cited = async (): Promise<Page> => {
  const page = await stage.open(
    `/s/${await stage.ask({
      ...{ question: 'May she leave?', seats: ['lab/a', 'lab/b'], moderator: null, protocol: 'poll' },
      attachments: Object.entries(files).map(([name, bytes]) => ({
        name,
        data: Buffer.from(bytes).toString('base64'),
      })),
    })}`,
  )
  await citationsOn(page).nth(2).waitFor({ timeout: patience })
  await page.getByLabel('Moment of the session').waitFor({ timeout: patience })
  return page
}

test('[EV90] dropped files are attached with their sizes, and the web search is chosen under Details', {
  timeout: patience,
}, async () => {
  const page = await attached()
  const listed = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
  expect((await listed.allInnerTexts()).map(text => text.replace(/\s+/g, ' '))).toEqual([
    expect.stringContaining('lease.pdf 9 pages'),
    expect.stringContaining('costs.xlsx 2 sheets'),
    expect.stringContaining('letter.docx 41 characters'),
  ])
  await page.locator('details', { hasText: 'Details' }).locator('summary').click()
  const search = page.getByLabel('Web search')
  expect(await search.locator('option').allInnerTexts()).toEqual([
    'As configured, or off',
    'No search',
    'One search for all seats',
    'Each seat searches for itself',
  ])
  await search.selectOption('off')
  await page.getByRole('button', { name: 'Ask the table' }).click()
  await page.getByLabel('Moment of the session').waitFor({ timeout: patience })
  for (const name of ['[1] lease.pdf', '[2] costs.xlsx', '[3] letter.docx'])
    await page.getByRole('button', { name, exact: true }).waitFor()
  await expect.poll(() => citationsOn(page).count()).toBe(3)
  expect(stage.complaints).toEqual([])
  expect(stage.strangers).toEqual([])
  await page.context().close()
})

test('[EV91] citations are marked, and one that stands opens its exhibit at the place', {
  timeout: patience,
}, async () => {
  const page = await cited()
  const texts = await citationsOn(page).allInnerTexts()
  expect(texts.map(text => text.replace(/\s+/g, ' '))).toEqual([
    '[1, p. 9] lease.pdf ✓ stands “Notice: three months.”',
    '[2, Heating, line 1] costs.xlsx ✓ stands “Oil for the winter”',
    '[3, line 3] letter.docx ✗ not found in the exhibit “The rent rises by 9 percent.”',
  ])
  await page
    .getByText(/an answer cites words/i)
    .first()
    .waitFor()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: '[1, p. 9] lease.pdf' }).click()
  const mark = dialog.locator('mark')
  await mark.waitFor()
  expect(await mark.innerText()).toBe('Notice: three months.')
  const region = dialog.getByRole('region', { name: 'lease.pdf' })
  await expect.poll(() => region.evaluate(element => element.scrollTop)).toBeGreaterThan(0)
  const [inside, around] = [(await mark.boundingBox())!, (await region.boundingBox())!]
  expect(inside.y).toBeGreaterThanOrEqual(around.y)
  expect(inside.y + inside.height).toBeLessThanOrEqual(around.y + around.height + 1)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: '[3, line 3] letter.docx' }).click()
  await dialog.getByText('The rent rises by 3 percent.').waitFor()
  expect(await mark.count()).toBe(0)
  expect(stage.complaints).toEqual([])
  await page.context().close()
})

test('[U287] the heading of citations stays with its list in two columns', {
  timeout: patience,
}, async () => {
  const page = await cited()
  // One card beside another has no room for two columns.
  await page.setViewportSize({ width: 1020, height: 800 })
  const columns = page.locator('[data-answer]')
  expect(await columns.evaluateAll(all => all.some(one => getComputedStyle(one).columnCount === '2'))).toBe(
    true,
  )
  const lists = page.getByRole('list', { name: 'Cites' })
  const apart = await lists.evaluateAll(all =>
    all.map(list => {
      const heading = document.getElementById(list.getAttribute('aria-labelledby') ?? '')
      return Math.abs(list.getBoundingClientRect().x - (heading?.getBoundingClientRect().x ?? Number.NaN))
    }),
  )
  expect(apart).toHaveLength(2)
  expect(Math.max(...apart)).toBe(0)
  await page.context().close()
})

test('[EV92] axe finds nothing on the ask page with files, the session’s page and an open exhibit, and they fit a phone', {
  timeout: 3 * patience,
}, async () => {
  const asking = await attached()
  expect(await faultsOf(asking)).toEqual([])
  await asking.context().close()
  const page = await cited()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: '[1, p. 9] lease.pdf' }).click()
  await page.getByRole('dialog').locator('mark').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})
