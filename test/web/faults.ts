/** What a look at an open page can find wrong: axe, light and dark, and anything wider than the window. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

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

/** One page serves all sizes and themes: loading it anew for each would take most of the time. */
export const faultsOf = async (page: Page): Promise<string[]> => {
  const faults: string[] = []
  // A colour in the middle of its transition isn't that of the page.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  const { pathname, search } = new URL(page.url())
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    await drawn(page)
    const over = await overflow(page)
    if (over > 0)
      faults.push(`${pathname}${search}: ${over} pixels wider than ${width}: ${await beyond(page)}`)
  }
  for (const { colorScheme, width } of looks) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { id, nodes } of violations)
      faults.push(
        `${pathname}${search}, ${colorScheme}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160))}`,
      )
  }
  return faults
}
