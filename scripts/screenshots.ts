/** Screenshots of every page, light and dark, on a phone and a desktop: `npm run screenshots [folder]`. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { tour } from '../src/library/tour.ts'
import { sampleLog } from '../test/sample-session.ts'
import { fileOf, largeLog } from '../test/web/hostile.ts'
import { openStage, type Stage } from '../test/web/stage.ts'

const folder = process.argv[2] ?? 'screenshots'
const widths = [390, 1280] as const
const themes = ['light', 'dark'] as const

interface Shot {
  readonly name: string
  readonly path: string
  /** Shown when the page is ready. */
  readonly ready: string
  /** The whole page instead of only the visible part. */
  readonly whole?: boolean
  /** What a person does first. */
  readonly act?: (page: Page) => Promise<void>
}

const chosen = ['lab/a', 'lab/b', 'lab/c', 'lab/c']

/** Seats models from the list. */
const seatSome = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add a seat' }).click()
  for (const name of chosen) {
    await page.getByRole('combobox', { name: 'Search models' }).fill(name)
    await page.getByRole('option', { name }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(`${name} is seated.`).waitFor()
  }
  await page.keyboard.press('Escape')
  await page.getByLabel('Your question').fill('Should a small team start early?')
}

const searchModels = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add a seat' }).click()
  await page.getByRole('combobox', { name: 'Search models' }).fill('claude')
  await page
    .getByRole('option', { name: /Claude/ })
    .first()
    .waitFor()
}

/** Sessions for the pages: one that ran here, one with every kind of event, and one with fifty seats. */
const prepared = async (stage: Stage): Promise<readonly Shot[]> => {
  const id = await stage.ask(tour().input)
  const watching = await stage.open(`/s/${id}`)
  await watching.getByText('5 of 6 models agreed').first().waitFor({ timeout: 60_000 })
  await watching.context().close()
  const sample = await stage.importText(fileOf(sampleLog))
  await fetch(`${stage.address}/api/sessions/${sample}/resolve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ answer: 'No' }),
  })
  const { models } = (await (await fetch(`${stage.address}/api/stats`)).json()) as {
    models: { model: string }[]
  }
  const model = encodeURIComponent(models[0]?.model ?? '')
  const large = await stage.importText(fileOf(largeLog()))
  const shared = (await (
    await fetch(`${stage.address}/api/sessions/${id}/share`, { method: 'POST' })
  ).json()) as { path: string }
  const said = 'What they said'
  return [
    { name: 'ask', path: '/', ready: 'No model is configured yet', whole: true },
    { name: 'ask-table', path: '/', ready: '', whole: true, act: seatSome },
    { name: 'ask-models', path: '/', ready: '', act: searchModels },
    { name: 'session', path: `/s/${id}`, ready: said },
    { name: 'session-whole', path: `/s/${id}`, ready: said, whole: true },
    { name: 'session-flags', path: `/s/${sample}`, ready: said, whole: true },
    { name: 'session-large', path: `/s/${large}`, ready: said },
    { name: 'shared', path: shared.path, ready: said },
    { name: 'archive', path: '/sessions', ready: 'Sessions', whole: true },
    { name: 'models', path: '/models', ready: 'Models', whole: true },
    { name: 'model', path: `/model?id=${model}`, ready: 'Agrees with', whole: true },
    { name: 'compare', path: `/compare?a=${id}&b=${sample}`, ready: '', whole: true },
    { name: 'settings', path: '/settings', ready: 'Settings', whole: true },
    { name: 'nothing-there', path: '/nowhere', ready: '' },
  ]
}

const settle = async (page: Page, ready: string): Promise<void> => {
  if (ready) await page.getByRole('heading', { name: ready }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
}

/** Makes the window as tall as the page. Otherwise a sticky footer would cover the middle of the picture. */
const unrolled = async (page: Page, width: number): Promise<void> => {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height })
}

/** What is seen of a session under way: seats that write, the verdict so far, and the report while it is written. */
const moments: Readonly<Record<string, (page: Page) => Locator>> = {
  running: page => page.getByText('writing').nth(2),
  'running-verdict': page => page.getByText('Provisional verdict, after').first(),
  'running-report': page => page.getByRole('heading', { name: 'The report, as it is written' }),
}

const shootRunning = async (
  stage: Stage,
  fileOf: (name: string) => string,
  options: object,
): Promise<void> => {
  const id = await stage.ask(tour().input)
  const page = await stage.open(`/s/${id}`, options)
  for (const [name, moment] of Object.entries(moments)) {
    await moment(page).waitFor({ timeout: 60_000 })
    await page.waitForTimeout(1_000)
    await page.screenshot({ path: fileOf(name) })
  }
  await page.context().close()
}

mkdirSync(folder, { recursive: true })
const stage = await openStage()
const shots = await prepared(stage)
for (const width of widths) {
  for (const colorScheme of themes) {
    const options = {
      colorScheme,
      viewport: { width, height: width < 500 ? 844 : 800 },
      deviceScaleFactor: 1,
    }
    for (const { name, path, ready, whole = false, act } of shots) {
      const page = await stage.open(path, { ...options, reducedMotion: 'reduce' })
      await settle(page, ready)
      if (act) {
        await act(page)
        // The estimate follows a moment after the last choice.
        await page.waitForTimeout(600)
        await settle(page, '')
      }
      if (whole) await unrolled(page, width)
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
      await page.context().close()
    }
    const pathOf = (name: string): string => join(folder, `${name}-${width}-${colorScheme}.png`)
    await shootRunning(stage, pathOf, options)
  }
}
await stage.stop()
const perForm = shots.length + Object.keys(moments).length
console.log(`${perForm * widths.length * themes.length} screenshots in ${folder}/`)
