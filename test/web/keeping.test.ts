/** Finding sessions again, and taking something along from them, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sampleLog } from '../sample-session.ts'
import { faultsOf } from './faults.ts'
import { fileOf, hostileLog } from './hostile.ts'
import { pageWeights } from './page-weight.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 60_000
let stage: Stage
let sample: string

beforeAll(async () => {
  stage = await openStage()
  sample = await stage.importText(fileOf(sampleLog))
  await stage.importText(fileOf(hostileLog()))
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

describe('the archive', () => {
  test('[U119] [U281] a card leads with the answer, and has agreement, time and cost', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/sessions')
    const card = page.getByRole('article', { name: 'Is a hot dog a sandwich?' })
    await card.getByText('Leading, without a majority: A hot dog is not a sandwich.').waitFor()
    const words = await card.innerText()
    expect(words).toContain('3 of 6 for No')
    expect(words).toMatch(/6 models · hybrid · [\d.]+\s(s|min) · /)
    await page.context().close()
  })

  test('[U118] a search shows the passage that it found, and who said it', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/sessions?words=bun')
    const card = page.getByRole('article', { name: 'Is a hot dog a sandwich?' })
    await card.locator('mark', { hasText: 'bun' }).first().waitFor()
    await page.context().close()
  })

  test('[U120] on a phone the filters are folded until they are wanted', { timeout: patience }, async () => {
    const phone = { viewport: { width: 390, height: 844 } }
    const page = await stage.open('/sessions', phone)
    await page.getByRole('article').first().waitFor()
    expect(await page.getByLabel('Protocol').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Protocol').selectOption('poll')
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
    const wide = await stage.open('/sessions')
    await wide.getByLabel('Protocol').waitFor()
    const followed = await stage.open('/sessions?protocol=poll', phone)
    await followed.getByLabel('Protocol').waitFor()
    for (const one of [page, wide, followed]) await one.context().close()
  })
})

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
const mayCopy = { permissions: ['clipboard-read', 'clipboard-write'] }

describe('taking something along', () => {
  test('[U122] answer, card and quote are copied, and without the clipboard too', {
    timeout: patience,
  }, async () => {
    const page = await stage.open(`/s/${sample}`, mayCopy)
    await page.getByRole('button', { name: 'Copy answer' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await copied(page)).toContain('A hot dog is not a sandwich.')
    const card = page.getByRole('article', { name: 'GLM 4.7' })
    await card.getByRole('button', { name: 'Copy the answer of GLM 4.7' }).click()
    await expect.poll(() => copied(page)).toMatch(/^GLM 4\.7: .+\n\nBecause of this: /)
    await card.getByRole('button', { name: 'Copy a quote of GLM 4.7' }).click()
    await expect.poll(() => copied(page)).toMatch(/^“.+” \(GLM 4\.7\)$/)
    // A plain http address of another machine has no clipboard of its own.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    const selected = page.evaluate(
      () =>
        new Promise<string>(resolve =>
          addEventListener('copy', () => {
            const field = document.activeElement
            resolve(field instanceof HTMLTextAreaElement ? field.value : '')
          }),
        ),
    )
    await card.getByRole('button', { name: 'Copy the answer of GLM 4.7' }).click()
    expect(await selected).toMatch(/^GLM 4\.7: /)
    await page.context().close()
  })

  test('[U123] a link to a seat is copied, and leads to that seat', { timeout: patience }, async () => {
    const page = await stage.open(`/s/${sample}`, mayCopy)
    await page.getByRole('button', { name: 'Copy a link to Mistral Medium 3.1' }).click()
    await expect.poll(() => copied(page)).toBe(`${stage.address}/s/${sample}#seat-D`)
    const other = await stage.open(`/s/${sample}#seat-D`)
    const card = other.getByRole('article', { name: 'Mistral Medium 3.1' })
    await card.waitFor()
    await expect.poll(() => card.evaluate(element => element === document.activeElement)).toBe(true)
    for (const one of [page, other]) await one.context().close()
  })

  test('[U124] all answers are unfolded at once, and folded again', { timeout: patience }, async () => {
    const page = await stage.open(`/s/${sample}`)
    const earlier = page.locator('article details[open] > summary', { hasText: 'earlier answers' })
    await page.getByRole('button', { name: 'Expand all' }).click()
    await expect.poll(() => earlier.count()).toBeGreaterThan(2)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Fold all' }).click()
    await expect.poll(() => earlier.count()).toBe(0)
    await page.context().close()
  })

  test('[U127] [U289] where the system can share, the link is handed to it', {
    timeout: patience,
  }, async () => {
    const page = await stage.open(`/s/${sample}`)
    await page.evaluate(() =>
      Object.defineProperty(navigator, 'share', {
        value: async (what: ShareData) => void Object.assign(window, { handed: what }),
      }),
    )
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByText(/^Create a link, and anyone who has it can read/).waitFor()
    expect(await page.getByText(/^Anyone with the link/).count()).toBe(0)
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText(/^Anyone with the link can read/).waitFor()
    await page.getByRole('button', { name: 'Send…' }).click()
    const handed = await page.evaluate(() => (window as unknown as { handed: ShareData }).handed)
    expect(handed).toMatchObject({ title: 'Is a hot dog a sandwich?' })
    expect(handed.url).toMatch(/\/shared\//)
    await page.context().close()
  })

  test('[X33] the printed page has the drawings and the letters', { timeout: patience }, async () => {
    const page = await stage.open(`/s/${sample}`)
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('img', { name: /^The table: 3 of 6 agree/ }).waitFor()
    await page.getByRole('img', { name: /^Position flow/ }).waitFor()
    await page.getByRole('heading', { name: 'A · GLM 4.7' }).waitFor()
    // It is fixed to the window, so it would cover the last lines of every sheet.
    expect(await page.getByRole('link', { name: 'Skip to the content' }).isVisible()).toBe(false)
    await page.context().close()
  })
})

describe('the keyboard', () => {
  test('[U125] single keys search, ask anew and list themselves, and can be switched off', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/models')
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor()
    const focused = (): Promise<string | null> =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id ?? null,
      )
    await page.keyboard.press('/')
    await expect.poll(focused, { timeout: 10_000 }).toBe('Search sessions')
    // Whoever types means the letter.
    await page.keyboard.type('n/?')
    expect(await page.getByLabel('Search sessions').inputValue()).toBe('n/?')
    await page.goto(`${stage.address}/sessions`)
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
    await page.keyboard.press('n')
    await expect.poll(focused, { timeout: 10_000 }).toBe('question')
    await page.goto(`${stage.address}/sessions`)
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.getByRole('checkbox', { name: 'Turn on one-key shortcuts' }).uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(page.url()).toContain('/sessions')
    await page.context().close()
  })
})

const isFocused = (element: Element): boolean => element === document.activeElement

/** Presses Tab until something by this name has the focus. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
  for (let press = 0; press < 40 && (await focused()) !== name; press++) await page.keyboard.press('Tab')
  expect(await focused()).toBe(name)
}

describe('from finding to sharing', () => {
  test('[U131] whoever moves on from the search field is never taken back to it', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/models')
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor()
    // Its own page: with this clock, timers that were set before can't be taken back.
    await page.clock.install()
    await page.keyboard.press('/')
    await page.locator('input[aria-label="Search sessions"]:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.clock.runFor(5_000)
    expect(await page.getByLabel('Model', { exact: true }).evaluate(isFocused)).toBe(true)
    await page.context().close()
  })

  test('[U131] a session is found, opened and shared by keyboard', { timeout: patience }, async () => {
    await fetch(`${stage.address}/api/sessions/${sample}/share`, { method: 'DELETE' })
    const page = await stage.open('/models', mayCopy)
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.locator('input[aria-label="Search sessions"]:focus').waitFor()
    // Keys are quicker than a busy machine: without the list there would be nothing to move to.
    await page.getByRole('article').nth(1).waitFor()
    // Results that come late must not take the focus, nor what has it.
    await page.route('**/api/sessions?*words=hot*', async route => {
      await new Promise(resolve => setTimeout(resolve, 300))
      await route.continue()
    })
    await page.keyboard.type('hot dog')
    await tabTo(page, 'Is a hot dog a sandwich?')
    await page.locator('ul[aria-busy=false] > li:only-child').waitFor()
    expect(await page.getByRole('link', { name: 'Is a hot dog a sandwich?' }).evaluate(isFocused)).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Share', exact: true }).waitFor()
    await tabTo(page, 'Share')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create link', disabled: false }).waitFor()
    await tabTo(page, 'Create link')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copy link' }).waitFor()
    await tabTo(page, 'Copy link')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await copied(page)).toContain('/shared/')
    await page.context().close()
  })
})

describe('models and installing', () => {
  test('[U121] the catalogue has prices and context beside the record', { timeout: patience }, async () => {
    const page = await stage.open('/models')
    const rows = page.getByRole('region', { name: 'Catalogue of models' }).getByRole('row')
    await rows.nth(1).waitFor()
    await page.getByLabel('Search models').fill('claude sonnet 4.6')
    await expect
      .poll(() => rows.nth(1).innerText())
      .toMatch(/Claude Sonnet 4\.6[\s\S]*\$3[\s\S]*\$15[\s\S]*(M|k)/)
    await page.context().close()
  })

  test('[U126] the pages can be installed: a manifest, with icons that are there', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/sessions')
    const chromium = await page.context().newCDPSession(page)
    const { errors, url } = await chromium.send('Page.getAppManifest')
    expect([errors, url]).toEqual([[], `${stage.address}/assets/manifest.webmanifest`])
    const { icons } = (await (await fetch(url)).json()) as { icons: { src: string; sizes: string }[] }
    for (const { src, sizes } of icons) {
      const png = Buffer.from(await (await fetch(`${stage.address}${src}`)).arrayBuffer())
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes)
    }
    await page.context().close()
  })

  test('[U130] no page needs more than 110 kB of script before it shows something', {
    timeout: patience,
  }, async () => {
    // As it is shipped: in a test, Vite would build for development, which is larger.
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    const weights = await pageWeights()
    expect(weights.length).toBeGreaterThanOrEqual(8)
    expect(weights.filter(({ kilobytes }) => kilobytes > 110)).toEqual([])
  })
})

describe('every page but that of a session', () => {
  test('[U65] [U66] [U128] [U129] axe finds nothing, light and dark, and nothing is wider than the window', {
    timeout: 4 * patience,
  }, async () => {
    const { path } = (await (
      await fetch(`${stage.address}/api/sessions/${sample}/share`, { method: 'POST' })
    ).json()) as { path: string }
    const model = encodeURIComponent('z-ai/glm-4.7')
    const page = await stage.open('/')
    for (const address of [
      ...['/', '/sessions?words=bun', '/sessions?words=zebra', '/models', `/model?id=${model}`],
      ...['/model?id=nobody', `/compare?a=${sample}&b=hostile`, `/compare?a=${sample}&b=nothing`],
      ...['/compare', path, '/shared/nothing', '/s/nothing', '/settings', '/nowhere', '/sessions'],
    ]) {
      await page.goto(`${stage.address}${address}`)
      expect(await faultsOf(page)).toEqual([])
    }
    // The dialogs that every page, or every card, can open.
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '+ Tag' }).first().click()
    await page.getByRole('dialog', { name: 'Tags' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  })
})
