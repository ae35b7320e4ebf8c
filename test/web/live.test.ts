/** A session while it runs, in a real browser: what is known is shown, and nothing moves under the reader's eyes. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, type Stage } from './stage.ts'

const patience = 90_000
let stage: Stage

beforeAll(async () => {
  stage = await openStage({
    tokensPerSecond: 150,
    models: {
      slow: { tokensPerSecond: 15 },
      stuck: { fault: 'hang' },
    },
  })
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

const ask = (names: readonly string[], more: object = {}): Promise<string> =>
  stage.ask({
    question: 'Should a small team start early?',
    format: 'choice',
    options: ['Yes', 'No'],
    seats: names.map(name => `lab/${name}`),
    moderator: null,
    protocol: 'roundtable',
    rounds: 1,
    ...more,
  })

const over = (page: Page): Promise<void> =>
  page.getByLabel('Moment of the session').waitFor({ timeout: patience })

test('[U93] a strip shows steps, clock, who is waited for and how long still; the replay bar comes when it is over', {
  timeout: patience,
}, async () => {
  const page = await stage.open(`/s/${await ask(['a', 'b', 'slow'])}`)
  const strip = page.getByRole('region', { name: 'Progress' })
  await strip.getByRole('listitem').filter({ hasText: 'Sealed' }).waitFor()
  expect(await strip.getByRole('listitem').allTextContents()).toEqual(['Sealed', 'Round 1', 'Report'])
  expect(await page.getByLabel('Moment of the session').count()).toBe(0)
  await strip.getByText('Waiting for slow.').waitFor()
  await strip.getByText(/^(About|Likely) .* left/).waitFor()
  await page
    .getByText(/^0:\d\d of 2:00$/)
    .first()
    .waitFor()
  await over(page)
  await expect.poll(() => strip.count()).toBe(0)
  await page.context().close()
})

test('[U94] the verdict so far is shown when the sealed round is closed, and the title says when the verdict is there', {
  timeout: patience,
}, async () => {
  const page = await stage.open(`/s/${await ask(['a', 'b', 'slow'])}`)
  await page.getByText('It appears when the sealed round is over.').waitFor()
  await page
    .getByRole('heading', { name: /^Provisional verdict, (after the sealed|in open) round/ })
    .waitFor()
  await page
    .getByText(/All 3 models agreed|2 of 3 models agreed/)
    .first()
    .waitFor()
  expect(await page.title()).toBe('Should a small team start early? · Roundtable')
  await over(page)
  await expect.poll(() => page.getByRole('heading', { name: /Provisional verdict/ }).count()).toBe(0)
  await expect.poll(() => page.title()).toBe('✓ Verdict: Should a small team start early? · Roundtable')
  await page.context().close()
})

test('[U377] a session that was watched ends in the layout that a reader gets later, unless somebody reads it', {
  timeout: patience,
}, async () => {
  const partsOf = (page: Page): Promise<string[]> => page.locator('main h2, main h3').allTextContents()
  const page = await stage.open(`/s/${await ask(['a', 'b', 'slow'])}`)
  await page.getByRole('region', { name: 'Progress' }).waitFor()
  await over(page)
  await page.getByText('What they said').waitFor()
  expect(await page.getByLabel('A word to the table').isVisible()).toBe(false)
  const watched = (await partsOf(page)).filter(words => words !== 'What you can add')
  await page.reload()
  await page.getByText('What they said').waitFor()
  await expect.poll(() => partsOf(page)).toEqual(watched)
  await page.context().close()
})

test('[U95] a person goes on without a seat from the page', { timeout: patience }, async () => {
  const id = await ask(['a', 'b', 'stuck'], { protocol: 'poll', rounds: 0 })
  const page = await stage.open(`/s/${id}`)
  await page.getByRole('button', { name: 'Go on without it' }).click()
  await over(page)
  await page.getByText('the session ended before it answered').first().waitFor()
  await page.context().close()
})

test('[U292] a seat that the table went on without is marked, and may still answer', {
  timeout: patience,
}, async () => {
  const page = await stage.open(
    `/s/${await ask(['a', 'b', 'slow', 'stuck'], { rounds: 0, protocol: 'poll' })}`,
  )
  const line = page.locator('section[aria-labelledby=progress] li', { hasText: 'stuck' })
  await line.getByText(/^0:\d\d of 2:00$/).waitFor()
  await line.getByRole('button', { name: 'Go on without it' }).click()
  await line.getByText('may still answer').waitFor()
  expect(await line.getByText(/of 2:00/).count()).toBe(0)
  await over(page)
  await page.context().close()
})

test('[U96] a reader who was led to a seat is not pulled back to it', { timeout: patience }, async () => {
  const page = await stage.open(`/s/${await ask(['a', 'b', 'slow'])}`)
  await page.locator('section[aria-labelledby=progress] button').first().click()
  await page.waitForFunction(() => scrollY > 100)
  await page.waitForTimeout(1_000)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await over(page)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.context().close()
})

/** Boxes of the strip's first line that begin before the one before them ends, or end outside of the strip. */
const overlapsIn = (page: Page): Promise<readonly string[]> =>
  page.getByRole('region', { name: 'Progress' }).evaluate(strip => {
    const words = [...strip.querySelectorAll('span, button')]
      .filter(one => one.childElementCount === 0 && one.getClientRects().length > 0)
      .filter(
        one =>
          getComputedStyle(one).position !== 'absolute' &&
          one.getBoundingClientRect().top < strip.getBoundingClientRect().top + 30,
      )
      .map(one => ({ text: one.textContent ?? '', box: one.getBoundingClientRect() }))
      .toSorted((one, other) => one.box.left - other.box.left)
    return words.flatMap(({ text, box }, index) => {
      const before = words[index - 1]?.box.right ?? 0
      return box.left < before - 1 || box.right > strip.getBoundingClientRect().right || box.height > 40
        ? [text]
        : []
    })
  })

test.each([1280, 1024, 700, 390, 320])(
  '[U291] the steps and buttons of the strip stand beside each other, %i wide',
  { timeout: patience },
  async width => {
    const id = await ask(['a', 'b', 'stuck'], { rounds: 3 })
    const page = await stage.open(`/s/${id}`, { viewport: { width, height: 800 } })
    // A browser without a window denies notifications, and so hides their button.
    await page.addInitScript(() =>
      Object.defineProperty(Notification, 'permission', { get: () => 'default' }),
    )
    await page.reload()
    await page
      .getByRole('region', { name: 'Progress' })
      .getByRole('button', { name: /^Go on without/ })
      .waitFor()
    expect(await overlapsIn(page)).toEqual([])
    await page.context().close()
  },
)

test.each([
  { width: 1280, height: 900, seats: ['a', 'b', 'c', 'slow'] },
  { width: 390, height: 844, seats: ['a', 'b', 'c', 'slow'] },
  { width: 1024, height: 800, seats: [...'abcdefghijk', 'slow'] },
])(
  '[U97] nothing moves while a whole session of $seats.length seats is watched, $width wide',
  { timeout: patience },
  async ({ seats, ...viewport }) => {
    const page = await stage.open(`/s/${await ask(seats)}`, { viewport })
    await page.getByRole('region', { name: 'Progress' }).waitFor()
    await page.evaluate(() => {
      const shifts: { value: number; moved: string[] }[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) {
          const { value, sources } = entry as PerformanceEntry & {
            value: number
            sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
          }
          const moved = sources.map(
            ({ node, previousRect, currentRect }) =>
              `${node?.textContent?.slice(0, 40)}: ${previousRect.y} → ${currentRect.y}`,
          )
          shifts.push({ value, moved })
        }
      }).observe({ type: 'layout-shift' })
    })
    await over(page)
    await page.waitForTimeout(500)
    const shifts = await page.evaluate(
      () => (window as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
    )
    const largest = shifts.toSorted((one, other) => other.value - one.value).slice(0, 3)
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    expect(sum, JSON.stringify(largest)).toBeLessThan(0.05)
    await page.context().close()
  },
)

test('[U98] if the server is gone, the app stays, says so with what it has, and recovers by itself', {
  timeout: patience,
}, async () => {
  const page = await stage.open('/')
  await page.getByRole('link', { name: 'Sessions' }).waitFor()
  // The other pages are loaded a moment after the first one.
  await page.waitForTimeout(4_000)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByText('The connection is lost.').waitFor()
  await page.getByRole('link', { name: 'Ask', exact: true }).waitFor()
  await page.context().setOffline(false)
  await page.getByText('Should a small team start early?').first().waitFor()
  await expect.poll(() => page.getByText('The connection is lost.').count()).toBe(0)
  await page.context().close()
})
