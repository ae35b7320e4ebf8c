/** The verdict on the page of a session, in every state that it can have. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tour } from '../../src/library/tour.ts'
import { sampled } from '../sampled.ts'
import { axeFaults, looksInTurn, widthFaults } from './faults.ts'
import { sessionStates } from './session-states.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 120_000
let stage: Stage
const ids = new Map<string, string>()

beforeAll(async () => {
  stage = await openStage()
  for (const [name, text] of Object.entries(sessionStates())) ids.set(name, await stage.importText(text))
}, 180_000)
afterAll(() => stage?.stop(), 30_000)

const openState = async (name: string, options = {}): Promise<Page> => {
  const page = await stage.open(`/s/${ids.get(name)}`, { reducedMotion: 'reduce', ...options })
  await page.locator('#answers').waitFor()
  return page
}

/** Looks at a state, and closes its window. */
const looking = async <T>(name: string, look: (page: Page) => Promise<T>, options = {}): Promise<T> => {
  const page = await openState(name, options)
  const seen = await look(page)
  await page.context().close()
  return seen
}

const verdict = (page: Page) =>
  page.getByRole('region', { name: /^The table’s answer|^Where the table|^No verdict|^The result/ })

const phone = { viewport: { width: 390, height: 844 } }

describe('one verdict', () => {
  test.each([
    ['unanimous', 'Unanimous', 'All 3 models agreed'],
    ['large', 'Large majority', '5 of 6 models agreed'],
    ['majority', 'Majority', 'All 3 models that answered agreed; '],
    ['plurality', 'No majority', '3 of 6 models share the leading answer'],
    ['tie', 'Tie', '3 against 3'],
    ['split', 'Split', '3 different answers, and no two agree'],
    ['no-quorum', 'No quorum', 'Only 2 of 6 models answered'],
  ])(
    '[U105] %s has its own words, colour and shape, and none is a camp’s',
    { timeout: patience },
    async (name, title, line) => {
      await looking(name, async page => {
        const badge = verdict(page).getByText(title, { exact: true })
        await verdict(page).getByText(line).first().waitFor()
        const [colour, camps] = await Promise.all([
          badge.evaluate(element => getComputedStyle(element).backgroundColor),
          page.evaluate(() => {
            const probe = document.body.appendChild(document.createElement('i'))
            return Array.from({ length: 8 }, (_, index) => {
              probe.style.color = `var(--camp-${index})`
              return getComputedStyle(probe).color
            })
          }),
        ])
        expect(camps).not.toContain(colour)
        expect(await badge.locator('svg').count()).toBe(1)
      })
    },
  )

  test('[U150] a tie shows its sides, and who is on them', { timeout: patience }, async () => {
    await looking('tie', async page => {
      expect(await page.getByRole('figure', { name: 'The table' }).innerText()).toContain('3 : 3')
      const positions = await page.getByRole('list', { name: 'Positions' }).innerText()
      expect(positions).toContain('A GLM 4.7, B Gemini 3.5 Flash, C Grok 4.20')
    })
  })

  test('[U267] a dissenter is named beside the count', { timeout: patience }, async () => {
    await looking('large', async page => {
      await verdict(page).getByText('5 of 6 models agreed; Mistral Medium 3.1 disagrees').waitFor()
    })
    await looking('tie', async page => {
      expect(await verdict(page).innerText()).not.toContain('disagree')
    })
  })

  test('[U266] if nobody moved, one sentence says so, and no chart is empty', {
    timeout: patience,
  }, async () => {
    await looking('market', async page => {
      await page.getByText('No model changed its mind.').waitFor()
      await page.getByRole('heading', { name: 'In numbers' }).waitFor()
      expect(await page.getByRole('heading', { name: 'How minds moved' }).count()).toBe(0)
      expect(await page.getByRole('heading', { name: 'Who moved whom' }).count()).toBe(0)
    })
    await looking('unanimous', async page => {
      await page.getByRole('heading', { name: 'How minds moved' }).waitFor()
      await page.getByRole('heading', { name: 'Who moved whom' }).waitFor()
    })
  })

  test('[U293] that nobody moderated is a note below the report, not a warning', {
    timeout: patience,
  }, async () => {
    await looking('tie', async page => {
      await page.getByText('Code wrote this report, without a moderator.').waitFor()
      expect(await page.getByText(/^Read with care/).count()).toBe(0)
    })
  })

  test('[U295] answers come before seats that gave none', { timeout: patience }, async () => {
    await looking('no-quorum', async page => {
      const heads = page.locator('section:has(#answers) h3')
      expect(await heads.allTextContents()).toEqual([
        expect.stringContaining('Yes'),
        expect.stringContaining('Silent'),
        expect.stringContaining('Abstained'),
      ])
    })
  })

  test('[U294] a follow-up offers to tell its seats only what there is', { timeout: patience }, async () => {
    const choices = (name: string) =>
      looking(name, page => page.getByLabel('The seats are told').locator('option').allTextContents())
    expect(await choices('stopped')).toEqual(['What came of it', 'Nothing'])
    expect(await choices('tie')).toEqual(['Verdict, camps, dissent', 'The verdict', 'Nothing'])
  })

  test.each([
    ['stopped', 'Stopped'],
    ['budget-early', 'Out of budget'],
    ['failed', 'Failed'],
  ])(
    '[V86] the badge of a session that ended too early says why: %s',
    { timeout: patience },
    async (name, title) => {
      await looking(name, async page => {
        await verdict(page).getByText(title, { exact: true }).waitFor()
        expect(await verdict(page).getByText('No quorum', { exact: true }).count()).toBe(0)
      })
    },
  )

  test('[U106] what to know is one sentence that opens', { timeout: patience }, async () => {
    await looking('fifty', async page => {
      const sentence = page.getByText(/^Read with care: seats joined the largest camp/)
      const words = page.getByLabel('What to know about this verdict')
      expect(await words.isVisible()).toBe(false)
      await sentence.focus()
      await page.keyboard.press('Enter')
      await words.waitFor()
    })
  })

  test.each([
    [
      'no-quorum',
      'Only 2 of 6 models answered, and a verdict needs more than half of them.',
      'button',
      'Ask the silent seats again',
    ],
    [
      'stopped',
      'The session was stopped when 2 of 6 models had answered, too few for a verdict.',
      'button',
      'Resume',
    ],
    [
      'budget-early',
      'The budget ran out when 1 of 6 models had answered, too few for a verdict.',
      'button',
      'Ask again with a larger budget',
    ],
    [
      'budget',
      'The budget ran out before the end: this is the vote of the sealed round.',
      'button',
      'Ask again with a larger budget',
    ],
    [
      'failed',
      'The session failed when 1 of 3 models had answered (The disk is full), too few for a verdict.',
      'button',
      'Resume',
    ],
  ] as const)(
    '[U107] %s is said once, with the one act that helps',
    { timeout: patience },
    async (name, words, role, act) => {
      await looking(name, async page => {
        await verdict(page).getByRole(role, { name: act }).waitFor()
        expect(await verdict(page).getByText(words).count()).toBe(1)
        const text = await verdict(page).innerText()
        expect(text).not.toMatch(/budget reached|stopped \(|interrupted|Too few models/)
        await page.getByRole('button', { name: 'Share' }).waitFor()
        expect(await page.getByRole('button', { name: /^(Add a round|Resume|Stop)$/ }).count()).toBe(
          act === 'Resume' ? 1 : 0,
        )
      })
    },
  )

  test('[U108] [U194] those who do not see them are told changes, failures and the verdict when they come', {
    timeout: patience,
  }, async () => {
    const id = await stage.ask(tour().input)
    const page = await stage.open(`/s/${id}`)
    const news = page.getByRole('log', { name: 'Changes and failures' })
    await news.waitFor({ state: 'attached' })
    const region = page.getByRole('status', { name: 'Verdict' })
    await region.waitFor({ state: 'attached' })
    expect(await region.innerText()).toBe('')
    for (const words of [/: silent, /, /^Amber.*: (changed its mind|says it changed)/])
      await news.getByText(words).first().waitFor({ state: 'attached', timeout: 60_000 })
    await expect
      .poll(() => region.innerText(), { timeout: 90_000 })
      .toMatch(/^Verdict: Large majority\. 5 of 6 models agreed.*\. A mirror/)
    await page.context().close()
  })
})

describe('the table and its count', () => {
  test('[U109] the table is drawn from the round that was counted', { timeout: patience }, async () => {
    await looking('budget', async page => {
      const table = page.getByRole('figure', { name: 'The table' })
      expect(await table.getByRole('button', { name: /camp 1, Yes/ }).count()).toBe(4)
      expect(await table.innerText()).toMatch(/4\s*of 6\s*agree/)
      const other = page.getByText('Its other answers')
      await other.first().click()
      await page.getByText('Open round 1, not counted').first().waitFor()
    })
  })

  test('[U110] what a transcript claims is marked as imported and unchecked', {
    timeout: patience,
  }, async () => {
    await looking('imported', async page => {
      await verdict(page).getByText('Imported, unchecked', { exact: true }).waitFor()
      await verdict(page)
        .getByText(/^The transcript says: /)
        .waitFor()
      const table = page.getByRole('figure', { name: 'The table' })
      expect(await table.getByRole('button', { name: /camp \d/ }).count()).toBe(0)
      expect(await page.getByText('held its position').count()).toBe(0)
      await page.getByText('changed its mind, as the transcript says (imported, unchecked)').first().waitFor()
    })
  })

  test('[U111] a card tells the whole way of its seat, and its badge stays', {
    timeout: patience,
  }, async () => {
    await looking('large', async page => {
      const card = page.getByRole('article', { name: 'GPT-5.5' })
      const head = await card.locator('header').innerText()
      expect(head).toMatch(/changed its mind in round 1/)
      expect(head.replace(/\s+/g, ' ')).toMatch(/Sealed .*→ Round 1/)
      expect(head).not.toContain('held')
      const seat = page.getByRole('button', { name: /^E, GPT-5.5: .*: changed its mind in round 1$/ })
      expect(await seat.getByText('↷').count()).toBe(1)
    })
    const page = await (await fetch(`${stage.address}/api/sessions/${ids.get('large')}/export/html`)).text()
    const own = page.slice(page.indexOf('GPT-5.5 <span class="mark">changed its mind</span>'))
    expect(own.slice(0, own.indexOf('</article>'))).toMatch(/changed its mind in round 1/)
    expect(own.slice(0, own.indexOf('</article>'))).not.toContain('held its position')
  })

  test('[U112] no seat is under the timeline, nor is what has the focus', { timeout: patience }, async () => {
    await looking('large', async page => {
      const line = await page.getByRole('region', { name: 'Timeline' }).boundingBox()
      const seats = page.getByRole('figure', { name: 'The table' }).getByRole('button')
      const boxes = await Promise.all((await seats.all()).map(seat => seat.boundingBox()))
      expect(Math.max(...boxes.map(box => box!.y + box!.height))).toBeLessThanOrEqual(line!.y)
      for (let press = 0; press < 30; press++) {
        await page.keyboard.press('Tab')
        const box = await page.evaluate(() => {
          const focused = document.activeElement
          return focused?.closest('section[aria-label="Timeline"], header')
            ? null
            : (focused?.getBoundingClientRect().bottom ?? null)
        })
        if (box !== null) expect(box).toBeLessThanOrEqual(line!.y + 1)
      }
    })
  })

  test('[U102] fifty seats can be hit on a phone', { timeout: patience }, async () => {
    await looking(
      'fifty',
      async page => {
        const seats = await page.getByRole('figure', { name: 'The table' }).getByRole('button').all()
        expect(seats).toHaveLength(50)
        for (const seat of seats) expect((await seat.boundingBox())!.width).toBeGreaterThanOrEqual(24)
        await page.getByRole('button', { name: /^Show all \d+ changes of mind$/ }).waitFor()
      },
      phone,
    )
  })
})

describe('a result for each format', () => {
  test('[U113] choices are bars from the sealed vote to the last', { timeout: patience }, async () => {
    await looking('large', async page => {
      const bars = page.getByRole('list', { name: 'Positions' }).getByRole('listitem')
      const texts = (await bars.allInnerTexts()).map(text => text.replace(/\s+/g, ' '))
      expect(texts[0]).toMatch(/^1? ?Yes 4 → ?, then 5 of 6/)
      expect(texts[1]).toMatch(/^2? ?No 2 → ?, then 1 of 6/)
    })
  })

  test('[U114] a ranking is an ordered list with the places that seats gave', {
    timeout: patience,
  }, async () => {
    await looking('ranking', async page => {
      const order = page.getByRole('list', { name: 'Combined order' })
      const places = await order.getByRole('list', { name: 'Places of Go' }).innerText()
      expect(places.replace(/\s+/g, ' ')).toBe('1. A B 2. C')
      const options = await order.locator(':scope > li').allInnerTexts()
      expect(options.map(text => text.split(/\s+/)[1])).toEqual(['Go', 'Rust', 'Python', 'C'])
    })
  })

  test('[U72] [U115] numbers are dots that cover nothing, with median, spread and range of each round', {
    timeout: patience,
  }, async () => {
    await looking('number', async page => {
      const drawing = page.getByRole('img', { name: /^Sealed round: median about 110 km/ })
      expect(await drawing.getAttribute('aria-label')).toBe(
        'Sealed round: median about 110 km (middle half from 100 to 250); all answers 90 to 400 km. ' +
          'Open round 1: median about 105 km (middle half from 100 to 110); all answers 90 to 120 km',
      )
      const dots = await drawing.locator('circle').evaluateAll(all =>
        all.map(one => {
          const { x, y } = one.getBoundingClientRect()
          return { x, y }
        }),
      )
      expect(dots).toHaveLength(12)
      const covered = dots.filter((dot, index) =>
        dots.slice(0, index).some(other => Math.hypot(dot.x - other.x, dot.y - other.y) < 15),
      )
      expect(covered).toEqual([])
    })
  })

  test('[U116] a market has a line of prices for each option', { timeout: patience }, async () => {
    await looking('market', async page => {
      await page
        .getByRole('img', {
          name: 'Market estimate by round. Yes: 50%, then 60%, then 70%. No: 50%, then 40%, then 30%',
        })
        .waitFor()
    })
  })

  test('[U116] options at the same price are told apart', { timeout: patience }, async () => {
    await looking('market-level', async page => {
      const lines = page.getByRole('img', { name: /^Market estimate by round/ }).locator('polyline')
      const drawn = await lines.evaluateAll(all =>
        all.map(line => [line.getAttribute('points'), line.getAttribute('stroke-dasharray')].join(' ')),
      )
      expect(new Set(drawn).size).toBe(3)
      await page
        .getByRole('img', { name: /^Market estimate by round/ })
        .getByText('3', { exact: true })
        .waitFor()
    })
  })
})

/** Every colour that a verdict or a result can have. */
const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const

describe('every state', () => {
  test('[U101] an Arabic counterpoint runs from right to left', { timeout: patience }, async () => {
    await looking('arabic', async page => {
      const counterpoint = verdict(page).getByRole('complementary')
      expect(await counterpoint.evaluate(element => getComputedStyle(element).direction)).toBe('rtl')
      expect(await counterpoint.locator('p').evaluate(element => getComputedStyle(element).direction)).toBe(
        'rtl',
      )
    })
  })

  test('[U28] [U117] axe finds nothing in any state, light and dark, and none is wider than the window', {
    timeout: 600_000,
  }, async () => {
    // One window for all of them: a new one would load every script anew.
    const page = await stage.open('/sessions', { reducedMotion: 'reduce' })
    for (const [turn, [name, id]] of sampled([...ids], 4).entries()) {
      await page.goto(`${stage.address}/s/${id}`)
      await page.locator('#answers').waitFor()
      const faults = await widthFaults(page, [320, 390, 1440])
      for (const look of looksInTurn(looks, turn)) faults.push(...(await axeFaults(page, look)))
      expect([name, faults]).toEqual([name, []])
    }
    await page.context().close()
  })
})
