/** Two people in two browsers and four models at one table; a third person never answers, and the server is killed. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { SessionEvent } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { buildPages, launchBrowser } from './stage.ts'

const main = fileURLToPath(new URL('server-process.ts', import.meta.url))
const patience = 60_000

const start = async (...words: readonly string[]): Promise<{ child: ChildProcess; port: string }> => {
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, port: line.toString().trim() }
}

const peerWords = 'A small release shows what people really need'
const answers = (choice: string) => ({
  ...{ reading: null, points: [], confidence: 0.8, decision: 'kept', reason: null, because: [] },
  ...{ reasoning: `${peerWords}. The rest can wait.`, headline: `${choice}, clearly.`, choice },
})

interface Table {
  readonly address: string
  readonly browser: Browser
  readonly lab: Lab
  /** Kills the server, and starts it again on the same data and port. */
  restart(): Promise<void>
}

const openTable = async (): Promise<Table> => {
  const lab = await startLab({ handler: ({ body }) => answers(body.model === 'd' ? 'No' : 'Yes') })
  const [pages, browser] = [await buildPages(), await launchBrowser()]
  const data = mkdtempSync(join(tmpdir(), 'roundtable-people-'))
  onTestFinished(async () => {
    await Promise.all([browser.close(), lab.stop()])
    await Promise.all([data, pages].map(folder => rm(folder, { recursive: true, force: true })))
  })
  let server = await start(lab.baseURL, data, pages)
  const { port } = server
  return {
    address: `http://127.0.0.1:${port}`,
    browser,
    lab,
    async restart() {
      const ended = once(server.child, 'exit')
      server.child.kill('SIGKILL')
      await ended
      server = await start(lab.baseURL, data, pages, port)
    },
  }
}

interface Opened {
  readonly id: string
  readonly people: readonly { readonly name: string; readonly seat: string; readonly path: string }[]
}

const ask = async (address: string): Promise<Opened> => {
  const reply = await fetch(`${address}/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      question: 'Should a small team start early?',
      options: ['Yes', 'No'],
      seats: ['lab/a', 'lab/b', 'lab/c', 'lab/d'],
      // The third one never answers.
      people: ['Ada', 'Bob', { name: 'Cleo', deadline: 1 }],
      ...{ moderator: null, protocol: 'roundtable', rounds: 1 },
    }),
  })
  expect(reply.status).toBe(201)
  return (await reply.json()) as Opened
}

const answerSealed = async (page: Page, choice: string, headline: string): Promise<void> => {
  await page.getByText('Answer on your own first').waitFor({ timeout: patience })
  expect(await page.content()).not.toContain(peerWords)
  await page.getByRole('radio', { name: choice, exact: true }).check()
  await page.getByLabel('Your answer in one sentence').fill(headline)
  await page.getByLabel('Your reasons').fill('My own reasons.')
  await page.getByRole('button', { name: 'Hand it in' }).click()
}

/** Selects words of a seat's card as a person does, and takes them. */
const quote = async (page: Page, seat: string, words: string): Promise<void> => {
  const card = page.getByRole('article', { name: `Seat ${seat}` })
  // Once the parser is there, its elements take the place of the plain text.
  await card.locator('p', { hasText: words }).waitFor({ timeout: patience })
  await card.locator('p', { hasText: words }).evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(wanted) ?? -1
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      document.getSelection()?.removeAllRanges()
      document.getSelection()?.addRange(range)
    }
  }, words)
  await page.getByRole('button', { name: `Quote these words of Seat ${seat}` }).click()
  await page.getByRole('list', { name: 'Quoted words' }).getByText(words).waitFor()
}

test('[U200] two people and four models: sealed answers, a change of mind with a quote, and a verdict with people apart, over a killed server', {
  timeout: 300_000,
}, async () => {
  const { address, browser, lab, restart } = await openTable()
  const { id, people } = await ask(address)
  const seatPage = async (name: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${address}${people.find(one => one.name === name)!.path}`)
    return page
  }
  const [ada, bob] = [await seatPage('Ada'), await seatPage('Bob')]
  await answerSealed(ada, 'No', 'No, wait a little.')
  await ada.getByText('Your answer is in').waitFor({ timeout: patience })
  // It waits for Bob, and nobody holds anything.
  await restart()
  await answerSealed(bob, 'Yes', 'Yes, start now.')
  await ada.getByText('Read what the others think').waitFor({ timeout: patience })
  expect(await ada.getByLabel('Your answer in one sentence').inputValue()).toBe('No, wait a little.')
  await quote(ada, 'A', peerWords)
  await ada.getByRole('radio', { name: 'I change it' }).check()
  await ada.getByRole('radio', { name: 'Yes', exact: true }).check()
  await ada.getByLabel('Your answer in one sentence').fill('Yes, after all.')
  await ada.getByRole('button', { name: 'Hand it in' }).click()
  await ada.getByText('Your answer is in').waitFor({ timeout: patience })
  await bob.getByText('Read what the others think').waitFor({ timeout: patience })
  await bob.getByRole('button', { name: 'Hand it in' }).click()
  await bob.getByText('This seat is done').waitFor({ timeout: patience })
  const owner = await (await browser.newContext()).newPage()
  await owner.goto(`${address}/s/${id}`)
  await owner.getByText('people 2 of 3, models 3 of 4').first().waitFor({ timeout: patience })
  const reply = (await (await fetch(`${address}/api/sessions/${id}`)).json()) as {
    events: SessionEvent[]
    verdict: { ledger: object[]; line: string; flags: string[] }
  }
  const session = fold(reply.events)
  const seatOf = (name: string): string => people.find(one => one.name === name)!.seat
  expect(reply.verdict.ledger).toMatchObject([
    { seat: seatOf('Ada'), credit: { seat: 's1', verified: true } },
  ])
  expect(reply.verdict.line).toContain('Cleo was silent')
  for (const round of session.roundsSoFar)
    expect(round.handedIn[seatOf('Cleo')]).toMatchObject({ status: 'silent', error: { kind: 'timeout' } })
  // Nobody was asked twice, however often the session was carried on.
  expect(lab.calls).toHaveLength(8)
})

test('[U201] [U272] on the session page: the links of people, a word to the table, and a seat for one more person', {
  timeout: 300_000,
}, async () => {
  const { address, browser } = await openTable()
  const { id } = await ask(address)
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await page.goto(`${address}/s/${id}`)
  const link = page.getByRole('button', { name: 'Copy link of Ada' })
  await link.waitFor({ timeout: patience })
  const bottom = (await link.boundingBox())!
  expect(bottom.y + bottom.height).toBeLessThan(844)
  expect(bottom.y).toBeLessThan((await page.getByText('Provisional verdict').boundingBox())!.y)
  await page.getByLabel('A word to the table').fill('The budget is 4,711 euros.')
  await page.getByRole('button', { name: 'Say it' }).click()
  await page.getByText('Said. The seats read it in the next round').waitFor({ timeout: patience })
  await page.getByRole('button', { name: 'Join the next round' }).click()
  await page.getByLabel('Name').fill('Grace')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Copy link of Grace' }).waitFor({ timeout: patience })
  const { events } = (await (await fetch(`${address}/api/sessions/${id}`)).json()) as {
    events: SessionEvent[]
  }
  const session = fold(events)
  expect(session.roundsSoFar.flatMap(({ said = [] }) => said)).toMatchObject([
    { words: 'The budget is 4,711 euros.' },
  ])
  expect(session.seats.at(-1)).toMatchObject({ name: 'Grace', person: true, since: 1 })
  await page.getByText('The budget is 4,711 euros.').first().waitFor({ timeout: patience })
})
