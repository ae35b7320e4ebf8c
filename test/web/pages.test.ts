/** Asking, finding, comparing and setting up, in a real browser. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transcript } from '../../src/exports/transcript.ts'
import { sampleLog } from '../sample-session.ts'
import { fileOf, hostileLog, largeLog } from './hostile.ts'
import { sessionStates } from './session-states.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 60_000
let stage: Stage

beforeAll(async () => {
  stage = await openStage({ tokensPerSecond: 400 })
  await stage.importText(fileOf(sampleLog))
  await stage.importText(fileOf(hostileLog()))
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

/** The reference sessions, if they are beside the project. */
const references = (): { name: string; text: string }[] => {
  const folder = join(import.meta.dirname, '../../../shared/seeds')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

/** Drops files on a page. */
const drop = async (page: Page, target: string, files: readonly { name: string; text: string }[]) => {
  const carried = await page.evaluateHandle(list => {
    const transfer = new DataTransfer()
    for (const { name, text } of list) transfer.items.add(new File([text], name))
    return transfer
  }, files)
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.locator(target).dispatchEvent(type, { dataTransfer: carried })
}

const seat = async (page: Page, ...names: string[]): Promise<void> => {
  await page.getByRole('button', { name: 'Add a model' }).focus()
  await page.keyboard.press('Enter')
  for (const name of names) {
    await page.getByRole('combobox', { name: 'Search models' }).fill(name)
    await page.getByRole('option', { name }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(`${name} is seated.`).waitFor()
  }
  await page.keyboard.press('Escape')
}

describe('asking', () => {
  test('[U56] nothing is configured: the page says so, and offers keys and the tour', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/')
    await page.getByRole('heading', { name: 'First, choose who answers' }).waitFor()
    await page.getByRole('button', { name: 'Watch the tour' }).click()
    await page.getByRole('heading', { name: 'Does a mirror swap left and right?' }).waitFor()
    await page.getByText('scripted').first().waitFor()
    await page.context().close()
  })

  test('[U57] a question can be asked by keyboard only, and the estimate follows every choice', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/')
    await seat(page, 'lab/a', 'lab/b', 'lab/c', 'lab/c')
    await page.getByRole('button', { name: 'c (2)' }).waitFor()
    const calls = page.getByLabel('Estimate').getByText('calls').locator('..').locator('dd')
    await calls.waitFor()
    const before = await calls.innerText()
    await page.getByRole('radio', { name: /^Poll/ }).focus()
    await page.keyboard.press('Space')
    await expect.poll(() => calls.innerText()).not.toBe(before)
    await page.getByLabel('Your question').fill('Should a small team start early?')
    await page.keyboard.press('Control+Enter')
    // It is there when the session is over, also if that was before the page was.
    await page.getByLabel('Moment of the session').waitFor({ timeout: patience })
    const verdict = await page.getByRole('region', { name: /^The table’s answer/ }).innerText()
    expect(verdict).toMatch(/\b4\b/)
    expect(verdict).not.toContain('No quorum')
    await page.context().close()
  })

  test('[U57] what is typed just before Ctrl-Enter is asked, even before it is painted', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/')
    await seat(page, 'lab/a', 'lab/b')
    const box = page.getByLabel('Your question')
    await box.fill('Should')
    await box.evaluate(async (field: HTMLTextAreaElement) => {
      const write = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
      write?.call(field, 'Should we wait?')
      field.dispatchEvent(new Event('input', { bubbles: true }))
      // The page has drawn it then, and the browser hasn't painted it.
      for (let turn = 0; turn < 100; turn++) await null
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
    })
    await page.getByRole('heading', { name: 'Should we wait?' }).waitFor()
    await page.context().close()
  })

  test('[U58] a seat gets a brief, a table is saved as a line-up, and the draft is kept after a reload', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/')
    await seat(page, 'lab/a', 'lab/b')
    await page.getByRole('button', { name: 'a', exact: true }).click()
    await page.getByLabel('Brief').fill('Doubt everything.')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Save this table' }).click()
    await page.getByLabel('Name', { exact: true }).fill('doubters')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: /^doubters/ }).waitFor()
    await page.getByLabel('Your question').fill('What for?')
    await page.reload()
    expect(await page.getByLabel('Your question').inputValue()).toBe('What for?')
    await page.getByRole('button', { name: /with its own brief/ }).waitFor()
    await page.getByRole('button', { name: 'Delete the saved table doubters' }).click()
    await expect.poll(() => page.getByRole('button', { name: /^doubters/ }).count()).toBe(0)
    await page.context().close()
  })

  test('[U54] a dropped file is attached to the question', { timeout: patience }, async () => {
    const page = await stage.open('/')
    await drop(page, '#question', [{ name: 'notes.txt', text: 'plain words' }])
    await page.getByText('notes.txt').waitFor()
    await page.getByRole('button', { name: 'Remove notes.txt' }).click()
    await expect.poll(() => page.getByText('notes.txt').count()).toBe(0)
    await page.context().close()
  })
})

describe('the archive', () => {
  test('[U59] [U183] sessions are found while typing, the filters are in the address, and a search can be cleared', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/sessions')
    const hotDog = page.getByRole('article', { name: 'Is a hot dog a sandwich?' })
    await hotDog.getByRole('img').waitFor()
    await page.getByLabel('Search sessions').fill('hot do')
    await expect.poll(() => page.getByRole('article').count()).toBe(1)
    await page.getByLabel('Protocol').selectOption('poll')
    await page.getByRole('heading', { name: 'No session found' }).waitFor()
    expect(page.url()).toContain('protocol=poll')
    await page.getByRole('button', { name: 'Clear' }).click()
    await hotDog.waitFor()
    const search = page.getByLabel('Search sessions')
    await search.fill('zebra')
    await page.getByRole('heading', { name: 'No session found' }).waitFor()
    let release = (): void => {}
    await page.route('**/api/sessions?limit=30', async route => {
      await new Promise<void>(resolve => (release = resolve))
      await route.continue()
    })
    await search.fill('')
    // What is shown until the list is there belongs to the search.
    await expect.poll(() => page.url()).not.toContain('words')
    expect(await page.getByRole('heading', { name: 'No sessions yet' }).count()).toBe(0)
    expect(await search.evaluate(element => element === document.activeElement)).toBe(true)
    release()
    await hotDog.waitFor()
    await page.context().close()
  })

  test('[U60] a session is tagged, and found by its tag', { timeout: patience }, async () => {
    const page = await stage.open('/sessions?words=sandwich')
    await page.getByRole('button', { name: '+ Tag' }).click()
    await page.getByRole('textbox', { name: 'Tags' }).fill('food, food, law')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('article').getByText('law').waitFor()
    await page.goto(`${stage.address}/sessions?tag=law`)
    await expect.poll(() => page.getByRole('article').count()).toBe(1)
    await page.context().close()
  })

  test('[U61] dropped sessions and transcripts are imported, and any other file is named', {
    timeout: patience,
  }, async () => {
    const files = [
      { name: 'session.json', text: fileOf(largeLog()) },
      { name: 'transcript.txt', text: transcript().write(sampleLog, {}) },
      ...references(),
    ]
    const page = await stage.open('/sessions')
    await page.getByRole('article').first().waitFor()
    await drop(page, 'h1', [...files, { name: 'shopping.txt', text: 'milk, bread' }])
    const imported = page.getByLabel('Imported files')
    await imported.getByText('shopping.txt:').waitFor()
    expect(await imported.getByRole('link').count()).toBe(files.length)
    await page.context().close()
  })

  test('[U64] [U111] [U189] two chosen sessions are shown side by side, and one that is gone is asked for once', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/sessions')
    await page.getByRole('checkbox', { name: 'Compare' }).nth(0).check()
    await page.getByRole('checkbox', { name: 'Compare' }).nth(1).check()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('region', { name: 'What is different' }).waitFor()
    expect(await page.getByRole('region', { name: 'Where they ended' }).count()).toBe(2)
    const changed = await stage.importText(sessionStates().large!)
    const asked: string[] = []
    page.on('request', request => void asked.push(new URL(request.url()).pathname))
    await page.goto(`${stage.address}/compare?a=${changed}&b=nothing`)
    const seats = page.getByRole('region', { name: /^Where they ended/ })
    await seats.getByText('changed its mind in round 1', { exact: true }).first().waitFor()
    await page
      .getByRole('alert')
      .getByText('There is no session "nothing". It may have been deleted. Choose another one.')
      .waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked.filter(path => path === '/api/sessions/nothing')).toHaveLength(1)
    await page.context().close()
  })
})

test('[U280] both choices stand under the heading, and begin with what tells the same question apart', {
  timeout: patience,
}, async () => {
  const page = await stage.open('/compare?a=20260102-sample&b=nothing', {
    viewport: { width: 390, height: 844 },
  })
  await page.getByRole('region', { name: /^Where they ended/ }).waitFor()
  const [first, second] = [
    page.getByRole('combobox', { name: 'The first session' }),
    page.getByRole('combobox', { name: 'The second session' }),
  ]
  await page.getByRole('alert').waitFor()
  const [one, other] = await Promise.all([first.boundingBox(), second.boundingBox()])
  expect(other!.y - one!.y).toBeLessThan(100)
  const chosen = first.locator('option:checked')
  await expect.poll(() => chosen.innerText()).toBe('Jan 2, 2026 · Hybrid · Is a hot dog a sandwich?')
  expect(await second.locator('option:checked').innerText()).toBe('Choose a session')
  await page.context().close()
})

test('[U286] pages below one of the menu mark it', { timeout: patience }, async () => {
  const page = await stage.open('/compare')
  const marked = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current]:not([aria-label])')
  const below = { '/compare': 'Sessions', '/letters': 'Sessions', '/model?id=nobody': 'Models' }
  for (const [path, name] of [...Object.entries(below), ['/models', 'Models'], ['/', 'Ask']]) {
    await page.goto(`${stage.address}${path}`)
    await page.locator('h1').first().waitFor()
    expect(await marked.allInnerTexts(), path).toEqual([name])
  }
  await page.context().close()
})

describe('a divided table', () => {
  test('[U193] the positions of a divided table are not strung together', { timeout: patience }, async () => {
    const divided = await stage.importText(sessionStates()['plurality-open'] ?? '')
    const page = await stage.open('/sessions')
    const words = '2 of 4 models share the leading answer'
    await page.getByRole('article').filter({ hasText: words }).waitFor()
    await page.goto(`${stage.address}/compare?a=${divided}&b=20260102-sample`)
    await page.getByText(words).waitFor()
    await page.context().close()
  })
})

describe('models and settings', () => {
  test('[U62] [U72] [U184] [U187] [U192] [U284] [U288] the track record is drawn, says how to fill it, and links to each model', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/models')
    await page.getByText('No session is resolved yet').waitFor()
    const resolve = (id: string, answer: string): Promise<Response> =>
      fetch(`${stage.address}/api/sessions/${id}/resolve`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ answer }),
      })
    await resolve('20260102-sample', 'No')
    // Fifty models on one spot: their names must stay in the drawing.
    await resolve('large', 'No')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.getByText(', 2 resolved').waitFor()
    await page.getByRole('region', { name: 'Catalogue of models' }).waitFor()
    const names = page.getByRole('region', { name: 'Agreement in percent' }).locator('tbody th:visible')
    for (const name of await names.all())
      expect(await name.evaluate(element => element.scrollWidth - element.clientWidth)).toBe(0)
    const records = page
      .getByRole('region', { name: 'Track record of each model' })
      .locator('tbody tr:visible')
    expect(await records.count()).toBe(3)
    expect(await records.locator('td:visible').filter({ hasText: '–' }).count()).toBe(0)
    await page
      .getByRole('button', { name: /^Show all/ })
      .first()
      .click()
    await expect.poll(() => records.count()).toBeGreaterThan(12)
    for (const table of await page.getByRole('region', { name: /Track record|Catalogue|Agreement/ }).all())
      expect(await table.evaluate(element => element.scrollWidth - element.clientWidth)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    const drawing = page.getByRole('img', { name: /^Persuasiveness/ })
    const heights = await drawing
      .locator('text')
      .evaluateAll(all => all.map(one => Number(one.getAttribute('y'))))
    expect(Math.min(...heights)).toBeGreaterThan(0)
    await drawing
      .getByText(/ and \d+ more$/)
      .first()
      .waitFor()
    const apart = await drawing.evaluate(element => {
      const of = (name: string, place: string): number[] =>
        [...element.querySelectorAll(name)].map(one => Number(one.getAttribute(place)))
      const dots = of('circle', 'cy')
      return of('text[fill="var(--ink)"]', 'y').map(y => Math.min(...dots.map(dot => Math.abs(dot - y))))
    })
    expect(Math.max(...apart)).toBeLessThan(30)
    await page
      .getByRole('img', { name: /^Calibration of/ })
      .first()
      .waitFor()
    // The server may have gone: what is loaded must be enough. The other pages load some seconds after the first.
    const loaded = (): Promise<boolean> =>
      page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /one-model/.test(name)))
    await expect.poll(loaded).toBe(true)
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'GLM 4.7' }).first().click()
    await page.getByRole('heading', { name: 'GLM 4.7' }).waitFor()
    await page.getByText('Agrees with').waitFor()
    await page.getByText(/^On the dashed line, confidence matches/).waitFor()
    for (const share of await page.locator('dd', { hasText: '%' }).allInnerTexts())
      expect(share).toMatch(/^\d+% \(\d+\/\d+\)$/)
    await page.context().close()
  })

  test('[U63] [U186] [U283] settings show what is configured and what works, and only the names of variables', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/settings')
    await page.getByText('OPENROUTER_API_KEY').waitFor()
    await page.getByRole('button', { name: 'Check the setup' }).click()
    await page.getByText(/^No provider is set up\. /).waitFor({ timeout: patience })
    expect(await page.getByText('the archive answers').isVisible()).toBe(false)
    await page.getByText('Technical details').click()
    await page.getByText('the archive answers').waitFor()
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await page.getByRole('button', { name: /^Theme: dark/ }).waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    await page.context().close()
  })
})

describe('all of them', () => {
  test('[U31] nothing is loaded from another origin, and the content policy blocked nothing', () => {
    expect(stage.strangers).toEqual([])
    expect(stage.complaints.filter(words => /content security|refused/i.test(words))).toEqual([])
  })
})
