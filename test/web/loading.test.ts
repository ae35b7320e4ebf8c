/** Pages whose data comes piece by piece: nothing on them moves. In a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleLog } from '../sample-session.ts'
import { weighedLog } from '../weighed-session.ts'
import { fileOf } from './hostile.ts'
import { type LiveStage, openLiveStage } from './live-stage.ts'

const patience = 60_000
let stage: LiveStage

beforeAll(async () => {
  stage = await openLiveStage()
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

interface WatchedWindow extends Window {
  shift?: number
}

/** Each part of a page's data comes a while after the one before it. */
const delay = async (page: Page, parts: readonly string[]): Promise<void> => {
  for (const [index, part] of parts.entries())
    await page.route(part, async route => {
      await new Promise(resolve => setTimeout(resolve, 300 * (index + 1)))
      await route.continue()
    })
}

/** The layout shift of a page until all of it is there. */
const shiftOf = async (path: string, parts: readonly string[], width: number): Promise<number> => {
  const page = await stage.open('/settings', { viewport: { width, height: 800 } })
  await page.addInitScript(() => {
    const watched: WatchedWindow = window
    watched.shift = 0
    new PerformanceObserver(list => {
      for (const entry of list.getEntries())
        watched.shift = watched.shift! + (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await delay(page, parts)
  await page.goto(`${stage.address}${path}`, { waitUntil: 'networkidle' })
  await page.waitForTimeout(300)
  const shift = await page.evaluate(() => (window as WatchedWindow).shift)
  await page.context().close()
  return shift!
}

test.each([390, 1280])(
  '[U144] nothing on the ask page moves while it loads, %i pixels wide',
  { timeout: patience },
  async width => {
    const parts = ['protocols', 'house', 'lineups'].map(part => `**/api/${part}`)
    expect(await shiftOf('/', parts, width)).toBeLessThan(0.05)
  },
)

test.each([390, 1280])(
  '[U146] nothing in the archive moves while its cards load, %i pixels wide',
  { timeout: patience },
  async width => {
    const ids = await Promise.all(
      [sampleLog, weighedLog].map(async log => {
        const reply = await fetch(`${stage.address}/api/import`, {
          ...{ method: 'POST', body: fileOf(log), headers: { 'content-type': 'text/plain' } },
        })
        return ((await reply.json()) as { id: string }).id
      }),
    )
    const parts = ids.map(id => `**/api/sessions/${id}`)
    expect(await shiftOf('/sessions', parts, width)).toBeLessThan(0.05)
  },
)
