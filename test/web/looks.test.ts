/** How the pages look and hold: every size, light and dark, hostile texts, a large table, axe. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStamped, type Happening } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import { latestRound } from '../../src/core/session.ts'
import { importText } from '../../src/exports/index.ts'
import { transcript } from '../../src/exports/transcript.ts'
import { sampleLog } from '../sample-session.ts'
import { weighedLog } from '../weighed-session.ts'
import { faultsOf } from './faults.ts'
import { fileOf, hostileLog, hostileTexts, largeLog } from './hostile.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 60_000
const clock = (): number => Date.UTC(2026, 0, 2)
let stage: Stage
const sessions: Record<string, string> = {}

beforeAll(async () => {
  stage = await openStage()
  sessions.sample = await stage.importText(fileOf(sampleLog))
  sessions.weighed = await stage.importText(fileOf(weighedLog))
  sessions.hostile = await stage.importText(fileOf(hostileLog()))
  sessions.large = await stage.importText(fileOf(largeLog()))
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

const openSession = async (name: string, options = {}): Promise<Page> => {
  const page = await stage.open(`/s/${sessions[name]}`, options)
  await page.getByRole('heading', { name: 'What they said' }).waitFor()
  return page
}

describe('the look of a session', () => {
  test.each(['sample', 'weighed', 'hostile', 'large'])(
    '[U28] [U29] axe finds nothing in the %s session, light and dark, and nothing is wider than the window',
    { timeout: 2 * patience },
    async name => {
      const page = await openSession(name)
      expect(await faultsOf(page)).toEqual([])
      await page.context().close()
    },
  )

  test('[U80] a card shows what its seat says of others and of its own answer', {
    timeout: patience,
  }, async () => {
    const page = await openSession('weighed')
    const card = page.getByRole('article', { name: 'GLM 4.7' })
    await card.getByText("Says it kept its answer, conceding a point (a peer's point)").waitFor()
    await page
      .getByText('Reads the question as: “Sandwich” as the law uses the word.')
      .first()
      .waitFor({ state: 'attached' })
    await page
      .getByRole('article', { name: 'Gemini 3.5 Flash' })
      .getByText('; its answer is in another camp')
      .waitFor()
    const points = card.getByRole('group', { name: 'On the points of others' }).first()
    expect(await points.getByRole('listitem').count()).toBe(3)
    await points.getByText('does not hold').waitFor()
    await points.getByText('Mistral Medium 3.1 (quote not found)').waitFor()
    const [first] = await points.locator('summary').all()
    await first!.focus()
    await page.keyboard.press('Enter')
    await points.getByText('The question is whether that matters.').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate(() => String(getSelection())), { timeout: 10_000 })
      .toBe('A bun is one piece of bread')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#main').innerText()).toContain(
      'Mistral Medium 3.1: “a hot dog is a taco” (not found in its answer): does not hold. A taco is folded.',
    )
    await page.context().close()
  })

  test('[U30] nothing in hostile text runs, is fetched or is lost', { timeout: patience }, async () => {
    const page = await openSession('hostile')
    for (const summary of await page.locator('summary').all()) await summary.click()
    const folded = page.getByRole('button', { name: 'Show more' })
    while ((await folded.count()) > 0) await folded.first().click()
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(await page.locator('article script, article img, article iframe, article style').count()).toBe(0)
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
    expect(await page.locator('body').innerText()).toContain('<script>window.ran = true</script>')
    for (const text of hostileTexts.slice(3, 5)) {
      expect(await page.locator('body').innerText()).toContain(text.slice(0, 20))
    }
    expect(stage.strangers).toEqual([])
    await page.context().close()
  })

  test('[U73] what was said between the rounds is on the page, and what went wrong', {
    timeout: patience,
  }, async () => {
    const page = await openSession('hostile')
    const between = page.getByRole('region', { name: 'Between the rounds' })
    for (let turn = 0; turn < 5; turn++) await between.getByText(`Turn ${turn}.`).first().waitFor()
    await between.getByText('Silent: ').waitFor()
    await between.getByText('The judge found in both orders that neither case holds better.').waitFor()
    await between.getByText('Objection put to the table').waitFor()
    await between.getByText('Summary of the positions').click()
    expect(await between.getByText('show it').count()).toBe(6)
    await page.getByText(/^Read with care: the moderator could not group the answers; /).click()
    for (const head of ['the moderator could not group the answers', 'the first report was turned down'])
      await page.getByText(head, { exact: true }).waitFor()
    await page.context().close()
  })

  test('[U74] what a transcript claims stands beside what its texts say', { timeout: patience }, async () => {
    const claimed = importText(transcript().write(sampleLog, {}), { newId: () => 'claimed', clock })
    const { seats, imported } = fold(claimed)
    const seat = seats.find(({ id }) => !imported!.changed.includes(id))
    const checked: Happening[] = [
      { type: 'check-opened', moderator: 'lab/reader' },
      {
        ...{ type: 'change-checked', round: latestRound(fold(claimed))!.index, seat: seat!.id },
        ...{ says: 'switched', quote: 'I was wrong before.', verified: true },
      },
    ]
    const id = await stage.importText(fileOf([...claimed, ...allStamped(checked, claimed.length, clock)]))
    const page = await stage.open(`/s/${id}`)
    const claims = page.getByRole('region', { name: 'Claimed and computed' })
    await claims.getByText('Read by lab/reader').waitFor()
    await claims.getByText('I was wrong before.').waitFor()
    await claims.getByText('holds: no').waitFor()
    await page.context().close()
  })

  test('[U32] a table of fifty is grouped by camp, and drawn only where one looks', {
    timeout: patience,
  }, async () => {
    const page = await openSession('large')
    expect(await page.getByRole('article').count()).toBeLessThan(20)
    await page.getByRole('button', { name: /^50, Model number 50/ }).click()
    await page.getByRole('article', { name: 'Model number 50', exact: true }).waitFor()
    await page.context().close()
  })

  test('[U35] the chosen theme is kept', { timeout: patience }, async () => {
    const page = await openSession('sample', { colorScheme: 'light' })
    const paper = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await paper()
    await page.getByRole('button', { name: /^Theme: system/ }).click()
    await page.getByRole('button', { name: /^Theme: light/ }).click()
    await expect.poll(paper).not.toBe(light)
    const dark = await paper()
    await page.reload()
    await page.getByRole('button', { name: /^Theme: dark/ }).waitFor()
    expect(await paper()).toBe(dark)
    await page.context().close()
  })

  test('[U31] the content policy refused nothing', () => {
    expect(stage.complaints.filter(words => /content security|refused/i.test(words))).toEqual([])
  })
})
