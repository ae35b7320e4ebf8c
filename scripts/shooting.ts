/** Pictures of pages in their states, light and dark, at four widths, and one sheet of them for each state. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { sheetOf } from './contact-sheet.ts'

export interface State {
  readonly name: string
  readonly path: string
  /** What a person does first. */
  readonly act?: (page: Page) => Promise<unknown>
  /** Only what the window shows at first, instead of the whole page. */
  readonly firstSight?: boolean
}

interface Look {
  readonly colorScheme: 'light' | 'dark'
  readonly viewport: { readonly width: number; readonly height: number }
}

const looksOf = (widths: readonly number[]): readonly Look[] =>
  (['light', 'dark'] as const).flatMap(colorScheme =>
    widths.map(width => ({ colorScheme, viewport: { width, height: width < 500 ? 844 : 900 } })),
  )

/** What one window can show by a change of its size and theme: a phone's page is loaded as a phone's page. */
const windows = [looksOf([1440, 1280]), looksOf([390, 320])]

export const looks: readonly Look[] = windows.flat()

export interface Shooting {
  readonly folder: string
  /** A pattern of the names of states to take. */
  readonly pattern: string
  /** Sessions to import. */
  readonly files: readonly string[]
}

export const isChosen =
  ({ pattern }: Shooting) =>
  ({ name }: { readonly name: string }): boolean =>
    new RegExp(pattern).test(name)

export const fileOfLook = (folder: string, name: string, { colorScheme, viewport }: Look): string =>
  join(folder, `${name}-${viewport.width}-${colorScheme}.png`)

/** Fixes heights that follow the window: otherwise a part that fills it would push the rest out of a taller one. */
const fixHeights = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>('body *')) {
      const { minHeight } = getComputedStyle(one)
      if (!/^[\d.]+px$/.test(minHeight) || minHeight === '0px') continue
      one.dataset.minHeight = one.style.minHeight
      one.style.minHeight = minHeight
    }
  })

const releaseHeights = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>('[data-min-height]')) {
      one.style.minHeight = one.dataset.minHeight ?? ''
      delete one.dataset.minHeight
    }
  })

/** Makes the window as tall as the page. Otherwise a sticky footer would cover the middle of the picture. */
const unrolled = async (page: Page, { viewport }: Look): Promise<void> => {
  await fixHeights(page)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: viewport.width, height: Math.min(height, 6_000) })
}

export interface Opener {
  readonly browser: Browser
  open(path: string, options?: BrowserContextOptions): Promise<Page>
}

const shootWindow = async (
  opener: Opener,
  state: State,
  looks: readonly Look[],
  folder: string,
): Promise<void> => {
  const page = await opener.open(state.path, { ...looks[0], reducedMotion: 'reduce' })
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => console.error(`${state.name} never comes to rest`))
  await state.act?.(page)
  await page.waitForTimeout(500)
  for (const look of looks) {
    await releaseHeights(page)
    await page.emulateMedia({ colorScheme: look.colorScheme })
    await page.setViewportSize(look.viewport)
    // Colours change one level of the page after the other.
    await page.waitForTimeout(600)
    const whole = !state.firstSight && (await page.locator('dialog[open]').count()) === 0
    if (whole) await unrolled(page, look)
    await page.screenshot({ path: fileOfLook(folder, state.name, look), animations: 'disabled' })
  }
  await page.context().close()
}

export const shoot = async (opener: Opener, states: readonly State[], shooting: Shooting): Promise<void> => {
  const { folder } = shooting
  mkdirSync(folder, { recursive: true })
  for (const state of states.filter(isChosen(shooting))) {
    for (const looks of windows) await shootWindow(opener, state, looks, folder)
    const pictures = looks.map(look => fileOfLook(folder, state.name, look))
    await sheetOf(opener.browser, pictures, join(folder, `sheet-${state.name}.png`))
  }
}
