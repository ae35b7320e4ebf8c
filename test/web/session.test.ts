/** A session watched, replayed and acted on in a real browser. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tour } from '../../src/library/tour.ts'
import type { RecordedCall } from '../lab/call.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 60_000
let stage: Stage
/** The scripted tour, asked once, watched by several tests after it is over. */
let over: string

beforeAll(async () => {
  stage = await openStage({
    tokensPerSecond: 60,
    models: {
      slow: { tokensPerSecond: 8 },
      ...Object.fromEntries(['d', 'e', 'f'].map(name => [name, { tokensPerSecond: 20 }])),
      broken: { fault: 'no-credit' },
      once: { fault: 'empty', first: 4 },
    },
  })
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

const seats = (...names: string[]): object => ({
  question: 'Should a small team start early?',
  seats: names.map(name => `lab/${name}`),
  moderator: null,
  protocol: 'poll',
})

describe('a session in the browser', () => {
  test('[U20] [P80] a session is watched to its verdict: reasons, headlines and points as they are written', {
    timeout: patience,
  }, async () => {
    over = await stage.ask(tour().input)
    const page = await stage.open(`/s/${over}`)
    const progress = page.getByRole('heading', { name: /Sealed round/ })
    await progress.waitFor()
    await page.getByText('writing').first().waitFor()
    // The sentence that a seat is at stands there, and then its headline.
    const line = page.locator('section[aria-labelledby=progress] .said')
    await page
      .locator('section[aria-labelledby=progress] .said.text-soft', { hasText: /[a-z]{3}/ })
      .first()
      .waitFor()
    await line
      .filter({ hasText: /^A mirror swaps/ })
      .first()
      .waitFor()
    await page.getByRole('heading', { name: /Open round 1/ }).waitFor({ timeout: patience })
    // Points stand in the card for as long as their answer is being written.
    await page.locator('article [aria-busy=true] li').first().waitFor()
    await page.getByText('5 of 6 models agreed').first().waitFor({ timeout: patience })
    await page
      .getByText('A mirror swaps front and back; left and right stay where they are.')
      .first()
      .waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Add a round' }).count()).toBe(1)
    await page.context().close()
  })

  test('[U21] a reload in the middle goes on without a gap', { timeout: patience }, async () => {
    const id = await stage.ask(tour().input)
    const page = await stage.open(`/s/${id}`)
    await page.getByText('writing').first().waitFor()
    await page.reload()
    await page.getByText('5 of 6 models agreed').first().waitFor({ timeout: patience })
    // The verdict is not the last event.
    await page.getByText('The session is over').first().waitFor()
    const shown = Number(await page.getByLabel('Moment of the session').getAttribute('max'))
    const { events } = (await (await fetch(`${stage.address}/api/sessions/${id}`)).json()) as { events: [] }
    expect(shown).toBe(events.length)
    await page.context().close()
  })

  test('[U70] a reload in the middle of an answer shows its words again', { timeout: patience }, async () => {
    const id = await stage.ask(seats('slow', 'a'))
    const page = await stage.open(`/s/${id}`)
    const writing = page.getByRole('article', { name: 'slow' }).locator('[aria-busy=true]')
    await writing.getByText(/A small start keeps mistakes cheap/).waitFor({ timeout: patience })
    /** Without the line above the words, which says what the seat is at. */
    const words = () => writing.innerText().then(text => text.replace(/^Writing…\s*/, ''))
    const before = await words()
    expect(before).not.toContain('…')
    await page.reload()
    // Nothing is missing, nothing is there twice: what comes is added to the words that were.
    // The headline comes last, and above them.
    await expect.poll(() => words().then(text => text.split(before).length), { timeout: 10_000 }).toBe(2)
    await page.getByText('The session is over').first().waitFor({ timeout: patience })
    await page.context().close()
  })

  test('[P67] [U75] advocates are heard as they speak, and drawings have what came after the page', {
    timeout: patience,
  }, async () => {
    const question = {
      question: 'Should a small team start early?',
      format: 'choice',
      options: ['Yes', 'No'],
    }
    const table = { seats: ['lab/d', 'lab/e', 'lab/f'], moderator: 'lab/judge' }
    const id = await stage.ask({ ...question, ...table, protocol: 'cross-examination', rounds: 1, seed: '1' })
    const page = await stage.open(`/s/${id}`)
    const heard = page.getByRole('region', { name: 'Advocates' })
    await page.getByText('speaking', { exact: true }).first().waitFor({ timeout: patience })
    await heard
      .locator('[aria-busy=true]')
      .getByText(/small team/)
      .waitFor()
    await page.getByText('The session is over').first().waitFor({ timeout: patience })
    expect(await heard.getByText(/^turn \d$/).allInnerTexts()).toEqual(['turn 1', 'turn 2'])
    expect(await page.locator('[aria-busy=true]').count()).toBe(0)
    const drawing = page.getByRole('img', { name: /^Confidence by round/ })
    expect((await drawing.boundingBox())?.width).toBeGreaterThan(100)
    await page.context().close()
  })

  test('[U23] any moment can be shown again, and the whole replayed', { timeout: patience }, async () => {
    const page = await stage.open(`/s/${over}`)
    const line = page.getByLabel('Moment of the session')
    await line.focus()
    await page.keyboard.press('Home')
    await page.getByText('The seats are being filled.').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'Sealed round: 0 of 6 have answered.' }).waitFor()
    await page.getByLabel('Speed of the replay').selectOption('8')
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('5 of 6 models agreed').first().waitFor({ timeout: patience })
    await page.context().close()
  })

  test('[U24] a silent seat tells why in its provider’s words, and is asked again', {
    timeout: patience,
  }, async () => {
    const id = await stage.ask(seats('a', 'b', 'once'))
    const page = await stage.open(`/s/${id}`)
    const card = page.getByRole('article', { name: 'once' })
    await card.getByText('Silent: empty reply').waitFor({ timeout: patience })
    await page.getByText('The session is over').first().waitFor()
    await card.getByRole('button', { name: 'Ask it again' }).click()
    await card.getByText('a small team should').first().waitFor({ timeout: patience })
    await page.getByText('All 3 models agreed').or(page.getByText('of 3 models agreed')).first().waitFor()
    await page.context().close()
  })

  test('[U24] another model takes a silent seat', { timeout: patience }, async () => {
    const id = await stage.ask(seats('a', 'b', 'broken'))
    const page = await stage.open(`/s/${id}`)
    await page.getByText('You exceeded your current quota').first().waitFor({ timeout: patience })
    await page.getByText('The session is over').first().waitFor()
    await page.getByRole('button', { name: 'Seat another model' }).click()
    await page.getByLabel('Model').fill('lab/c')
    await page.getByRole('button', { name: 'Seat it' }).click()
    await page
      .getByRole('article', { name: 'c', exact: true })
      .getByText('a small team should')
      .waitFor({ timeout: patience })
    await page.context().close()
  })

  test('[U191] a seat that is held from outside, and the asker’s instruction, are said in words', {
    timeout: patience,
  }, async () => {
    const more = { people: [{ name: 'Host', deadline: 900, program: true }], instruction: 'Be <b>brief</b>.' }
    const page = await stage.open(`/s/${await stage.ask({ ...seats('a', 'b'), ...more })}`)
    await page.getByText('2 models and 1 seat from outside').waitFor()
    await page.getByText('Host answers from outside: somebody hands in').waitFor()
    await page.getByText('Instruction of the asker: Be <b>brief</b>.').waitFor()
    await page.getByText('Waiting for Host to answer from outside').waitFor({ timeout: patience })
    await page.getByText('of 15:00').waitFor()
    const card = page.locator('article', { hasText: 'Its answer is awaited from outside.' })
    await card.getByText('answers from outside', { exact: true }).waitFor()
    await page.context().close()
  })

  test('[U33] quoted words are shown where they stand', { timeout: patience }, async () => {
    const page = await stage.open(`/s/${over}`)
    await page
      .getByRole('button', { name: /Birch.*wrote this/ })
      .first()
      .click()
    await expect
      .poll(() => page.evaluate(() => getSelection()?.toString()))
      .toBe('Point at the glass and your reflection points back at you')
    await page.context().close()
  })

  test('[U25] a share link opens for anybody, to read alone, until it is revoked', {
    timeout: patience,
  }, async () => {
    const page = await stage.open(`/s/${over}`)
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    const path = new URL(link).pathname
    const guest = await stage.open(path)
    await guest.getByText('5 of 6 models agreed').first().waitFor()
    expect(await guest.getByRole('button', { name: /^(Add a round|Export|Share|More)/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Create link' }).waitFor()
    await guest.reload()
    await guest.getByRole('heading', { name: 'This link was revoked or is incomplete' }).waitFor()
    await Promise.all([page.context().close(), guest.context().close()])
  })

  test('[U26] every form of export is downloaded', { timeout: patience }, async () => {
    const page = await stage.open(`/s/${over}`)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem').first().waitFor()
    const labels = await page.getByRole('menuitem').allInnerTexts()
    expect(labels.length).toBeGreaterThanOrEqual(4)
    await page.keyboard.press('Escape')
    for (const label of labels) {
      await page.getByRole('button', { name: 'Export' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: label, exact: true }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(new RegExp(`^${over}\\.\\w+$`))
      expect(await download.failure()).toBeNull()
    }
    await page.context().close()
  })

  test('[U27] the keyboard is enough: skip, act, scrub, read', { timeout: patience }, async () => {
    const page = await stage.open(`/s/${over}`)
    await page.getByRole('button', { name: 'More', exact: true }).waitFor()
    // What is below the verdict loads after it.
    await page.getByText('Its earlier answers').first().waitFor()
    await page.keyboard.press('Tab')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Skip to the content')
    await page.keyboard.press('Enter')
    const reached = new Set<string>()
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab')
      reached.add(
        await page.evaluate(() => {
          const element = document.activeElement
          return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
        }),
      )
    }
    for (const name of [
      /^Add a round/,
      /^Share/,
      /^Export/,
      /^A, Amber/,
      /wrote this: show it/,
      /^Its earlier answers/,
    ]) {
      expect([...reached]).toContainEqual(expect.stringMatching(name))
    }
    await page.getByRole('button', { name: 'More', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    // The menu takes the focus a moment after it is seen.
    await expect
      .poll(async () => {
        await page.keyboard.press('End')
        return page.evaluate(() => document.activeElement?.textContent)
      })
      .toBe('Delete')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Delete this session?' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.context().close()
  })

  test('[U36] a session is resolved from its page', { timeout: patience }, async () => {
    const page = await stage.open(`/s/${over}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: /^Resolve/ }).click()
    await page.getByRole('dialog').getByLabel('It swaps front and back').check()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('✓ Right answer:').waitFor()
    await page.context().close()
  })

  test('[U34] on paper a session reads in the order of a transcript', { timeout: patience }, async () => {
    const page = await stage.open(`/s/${over}`)
    await page.getByText('5 of 6 models agreed').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('heading', { name: 'Model Responses' }).waitFor()
    const text = await page.locator('#main').innerText()
    const order = [
      'AI Roundtable Open Debate · 6 models',
      'Does a mirror',
      'Answer: A mirror',
      'Model Responses',
      'A · Amber (changed its mind)',
      'Final Summary',
      'Counterpoint:',
      '5 of 6 models agreed',
    ]
    const places = order.map((words, index) =>
      index === order.length - 1 ? text.lastIndexOf(words) : text.indexOf(words),
    )
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places[0]).toBe(0)
    expect(text).not.toContain('Add a round')
    await page.context().close()
  })

  test('[A6] a fork from the page keeps briefs, temperatures and rounds', { timeout: patience }, async () => {
    const seats = [
      { model: 'lab/a', brief: 'Doubt.', temperature: 0.4 },
      { model: 'lab/b', name: 'Bea' },
    ]
    const id = await stage.ask({
      question: 'Early?',
      seats,
      moderator: null,
      protocol: 'roundtable',
      rounds: 1,
    })
    const page = await stage.open(`/s/${id}`)
    await page.getByText('The session is over').first().waitFor({ timeout: patience })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('Ask another table').click()
    await page.getByLabel('Estimate').waitFor()
    await page.getByRole('button', { name: 'Ask the table' }).click()
    await page.waitForURL(url => url.pathname.startsWith('/s/') && !url.pathname.endsWith(id))
    const forked = new URL(page.url()).pathname.slice('/s/'.length)
    const { events } = (await (await fetch(`${stage.address}/api/sessions/${forked}`)).json()) as {
      events: [object]
    }
    expect(events[0]).toMatchObject({ seats, rounds: 1, protocol: 'roundtable' })
    await page.context().close()
  })

  test('[U31] the content policy refused nothing, and nothing was fetched from elsewhere', () => {
    const expected = /404|Failed to load resource/
    expect(stage.complaints.filter(words => !expected.test(words))).toEqual([])
    expect(stage.strangers).toEqual([])
    expect(stage.lab.calls.every((call: RecordedCall) => !call.path.includes('pixel'))).toBe(true)
  })
})
