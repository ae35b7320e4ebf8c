/** A person cites exhibits on the page of their seat, in a real browser, and everybody sees what stands. */
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { pdfFile } from '../evidence/files.ts'
import { faultsOf } from './faults.ts'
import { openStage } from './stage.ts'

const patience = 60_000
const peer = {
  ...{
    reading: null,
    points: [],
    citations: [],
    reasoning: 'Because.',
    headline: 'Yes, leave.',
    choice: 'Yes',
  },
  ...{ confidence: 0.8, decision: 'kept', reason: null, because: [] },
}
const words = 'Notice: three months.'
const attachments = [
  { name: 'lease.pdf', data: Buffer.from(pdfFile(['Preamble.', words])).toString('base64') },
  { name: 'letter.txt', data: Buffer.from('The rent rises by 3 percent.').toString('base64') },
]

/** Selects words of an exhibit as a person does. */
const select = async (page: Page, exhibit: string, wanted: string): Promise<void> => {
  const card = page.getByRole('article', { name: exhibit, exact: true })
  await card.getByText(wanted).evaluate((element, text) => {
    const node = element.firstChild!
    const at = node.textContent!.indexOf(text)
    document.getSelection()!.setBaseAndExtent(node, at, node, at + text.length)
  }, wanted)
}

const handIn = (page: Page) => page.getByRole('button', { name: 'Hand it in' }).click()

test('[EV100] a person cites words by selecting them or by hand; the session’s page marks which stand', {
  timeout: 180_000,
}, async () => {
  const stage = await openStage({ handler: () => peer })
  onTestFinished(() => stage.stop())
  const reply = await fetch(`${stage.address}/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ question: 'May she leave?', options: ['Yes', 'No'], seats: ['lab/a', 'lab/b'], people: ['Ada'] },
      ...{ moderator: null, protocol: 'roundtable', rounds: 1, attachments },
    }),
  })
  const { id, people } = (await reply.json()) as { id: string; people: { path: string }[] }
  const page = await stage.open(people[0]!.path)
  await page.getByText('Answer on your own first').waitFor({ timeout: patience })
  await select(page, 'Exhibit 1, p. 2', words)
  await page.getByRole('button', { name: 'Cite these words of exhibit 1' }).click()
  const cited = page.getByRole('list', { name: 'Citations' }).getByRole('listitem')
  await cited.first().waitFor()
  expect(await cited.first().getByLabel('Exact words').inputValue()).toBe(words)
  expect(await cited.first().getByLabel('Place').inputValue()).toBe('p. 2')
  await page.getByRole('button', { name: 'Add a citation' }).click()
  await cited.nth(1).getByLabel('Exhibit').selectOption({ label: '[2] letter.txt' })
  await page.getByRole('radio', { name: 'No', exact: true }).check()
  await page.getByLabel('Your answer in one sentence').fill('No, stay.')
  await handIn(page)
  await page.getByText('Citation 2: copy at least 8 characters of the exact words.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await cited.nth(1).getByLabel('Exact words').fill('The rent rises by 9 percent.')
  await handIn(page)
  await page.getByText('Read what the others think').waitFor({ timeout: patience })
  // What was cited before is in the form again.
  expect(await cited.count()).toBe(2)
  await page.getByRole('button', { name: 'Remove citation 2' }).click()
  expect(await cited.count()).toBe(1)
  await handIn(page)
  await page.getByText('This seat is done').waitFor({ timeout: patience })
  const owner = await stage.open(`/s/${id}`)
  const marks = owner.getByRole('list', { name: 'Cites' }).getByRole('listitem')
  await marks.first().waitFor({ timeout: patience })
  const texts = (await marks.allInnerTexts()).map(text => text.replace(/\s+/g, ' '))
  expect(texts).toContainEqual(
    expect.stringMatching(/\[1, p\. 2\] lease\.pdf ✓ stands.*Notice: three months/),
  )
  const { events } = (await (await fetch(`${stage.address}/api/sessions/${id}`)).json()) as {
    events: { type: string; outside?: true; answer?: { citations?: object[] } }[]
  }
  const own = events.filter(({ type, outside }) => type === 'answer-given' && outside)
  expect(own.map(({ answer }) => answer?.citations)).toMatchObject([
    [{ verified: true }, { exhibit: 2, verified: false }],
    [{ exhibit: 1, verified: true, place: 'p. 2' }],
  ])
  // A link whose session is over opens nothing.
  expect(stage.complaints.filter(words => !words.includes('404'))).toEqual([])
})
