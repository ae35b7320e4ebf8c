/** What a look at an open page can find wrong: axe, light and dark, and anything wider than the window. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { isWhole } from '../sampled.ts'

const widths = [320, 390, 768, 1280, 1440, 1920]
const looks = [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
] as const

/** How far the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** With reduced motion, styles change a frame after the window: the shortest of transitions. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>(done => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  )

/** Half-way to another theme no text has the contrast that it comes to. */
const faded = async (page: Page): Promise<void> => {
  await drawn(page)
  await page.waitForFunction(() => !document.getAnimations().some(one => one instanceof CSSTransition))
}

/** The innermost elements that reach beyond the window. */
const beyond = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const right = document.documentElement.clientWidth
    const wide = [...document.querySelectorAll('body *')].filter(
      element => element.getBoundingClientRect().right > right + 1,
    )
    return wide
      .slice(-3)
      .map(element => element.outerHTML.slice(0, 200))
      .join(' | ')
  })

const height = 844

const placeOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return `${pathname}${search}`
}

/** What is wider than a window of these widths. */
export const widthFaults = async (page: Page, widths: readonly number[]): Promise<string[]> => {
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    await drawn(page)
    const over = await overflow(page)
    if (over > 0) faults.push(`${placeOf(page)}: ${over} pixels wider than ${width}: ${await beyond(page)}`)
  }
  return faults
}

/** Three times as fast as the usual way, which is for pages with frames and for reports on what passes. */
export const violationsOn = async (page: Page) => {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)
  return (await axe.analyze()).violations
}

interface Look {
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
}

/** What axe finds. */
export const axeFaults = async (page: Page, { colorScheme, width }: Look): Promise<string[]> => {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
  await faded(page)
  return (await violationsOn(page)).map(
    ({ id, nodes }) =>
      `${placeOf(page)}, ${colorScheme}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160))}`,
  )
}

/** `npm test` takes turns with these looks, page by page; `npm run test:long` has every page in each of them. */
export const looksInTurn = <T>(all: readonly T[], turn: number): readonly T[] =>
  isWhole() ? all : [all[turn % all.length]!]

let turn = 0

/** One page serves all sizes and themes: loading it anew for each would take most of the time. */
export const faultsOf = async (page: Page): Promise<string[]> => {
  // A colour in the middle of its transition isn't that of the page.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  const faults = await widthFaults(page, widths)
  for (const look of looksInTurn(looks, turn++)) faults.push(...(await axeFaults(page, look)))
  return faults
}
