/** The reading room, in a real browser. */
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOn } from './faults.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 60_000
let stage: Stage
let book = ''

const task = {
  question: 'Write a letter to your successor.',
  ...{ format: 'text', protocol: 'roundtable', rounds: 1 },
  ...{ seats: ['lab/a', 'lab/b', 'lab/c'], moderator: 'lab/m' },
}

/** Over is a state that stays. */
const over = async (id: string): Promise<void> => {
  const { outcome } = (await (await fetch(`${stage.address}/api/sessions/${id}`)).json()) as {
    outcome?: string
  }
  if (outcome !== undefined) return
  await setTimeout(200)
  await over(id)
}

beforeAll(async () => {
  stage = await openStage()
  book = await stage.ask({ ...task, book: {} })
  await over(book)
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

const heading = (page: Page, name: string) =>
  page.getByRole('article').getByRole('heading', { name, exact: true })

test('[U260] books are listed, and a book is read by click and by arrow keys, up to the common thread', {
  timeout: patience,
}, async () => {
  const page = await stage.open('/sessions')
  await page.getByRole('link', { name: 'Letters' }).click()
  const books = page.getByRole('list', { name: 'Books' })
  await books.getByRole('link').click()
  await page.getByRole('navigation', { name: 'Reading order' }).waitFor()
  await heading(page, 'a').waitFor()
  await page.getByText('These words are of a alone').first().waitFor()
  await page.keyboard.press('ArrowRight')
  await heading(page, 'b').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await heading(page, 'The common thread').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await heading(page, 'c').waitFor()
  await page.getByRole('button', { name: '← Previous' }).click()
  await heading(page, 'b').waitFor()
  await page.context().close()
})

test('[U262] the reading room has no accessibility problems in light and dark, and fits a phone', {
  timeout: patience,
}, async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const path of ['/letters', `/letters/${book}`]) {
      const page = await stage.open(path, { colorScheme, viewport: { width: 320, height: 640 } })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page
        .getByText('Letters of')
        .or(page.getByRole('list', { name: 'Books' }))
        .first()
        .waitFor()
      const violations = await violationsOn(page)
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      await page.context().close()
    }
  expect(stage.complaints).toEqual([])
})
