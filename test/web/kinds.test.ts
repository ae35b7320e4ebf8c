/** What kind of question it is, how it is read, and sharper wordings of it, in a real browser. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exporterNamed } from '../../src/exports/index.ts'
import { table, yesOrNo } from '../contracts/core-testing.ts'
import type { RecordedCall } from '../lab/call.ts'
import type { LabReply } from '../lab/reply.ts'
import { openStage, type Stage } from './stage.ts'

const patience = { timeout: 60_000 }
const readings: Record<string, string> = { a: 'to eat alone', b: 'to serve to guests' }
const wordings = [
  { settles: 'the occasion', wording: 'Which cake should we serve to ten guests?' },
  { settles: 'the measure', wording: 'Which cake do most people in our town like best?' },
]

const reply = ({ body }: RecordedCall): LabReply => {
  const { model } = body
  switch (body.response_format?.json_schema?.name) {
    case 'sharpen':
      return model === 'content' ? { unclear: '', wordings: [] } : { unclear: 'Best for whom?', wordings }
    case 'kind':
      return { reasoning: 'Nothing settles it.', kind: 'taste' }
    case 'readings':
      return { readings: Object.entries(readings).map(([seat, reading]) => ({ reading, seats: [seat] })) }
    case 'positions':
      return { A: 'Plum cake', B: 'Cheesecake' }
    case 'report':
      return { answer: 'Two cakes.', summary: 'Seat A and Seat B like different cakes.', counterpoint: '' }
    default:
      return {
        reading: readings[model] ?? null,
        reasoning: 'I like it.',
        headline: model === 'a' ? 'Plum cake.' : 'Cheesecake.',
        confidence: 0.3,
      }
  }
}

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ handler: reply })
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

const asked = {
  question: 'Which cake is best?',
  seats: ['lab/a', 'lab/b'],
  moderator: 'lab/moderator',
  protocol: 'poll',
}

/** The question as somebody left it on the page, at this table. */
const draft = async (page: Page, moderator: string | null): Promise<void> => {
  const seats = asked.seats.map((model, index) => ({ model, key: String(index) }))
  const text = JSON.stringify({ ...asked, moderator, seats })
  // Not while the ask page is open: it may write its own draft over this one.
  await page.goto(`${stage.address}/settings`)
  await page.evaluate(one => sessionStorage.setItem('ask-draft', one), text)
  await page.goto(stage.address)
}

test(
  '[U90] [U92] a matter of taste has no right answer on its page until its kind is corrected',
  patience,
  async () => {
    const page = await stage.open(`/s/${await stage.ask(asked)}`)
    await page
      .getByText('A matter of taste: no answer is right, so read the positions. (Chosen by the moderator.)')
      .waitFor()
    await page.getByText('The split is partly about words').waitFor()
    await page.getByText('to serve to guests (b)').waitFor()
    const more = page.getByRole('button', { name: 'More', exact: true })
    await more.click()
    await page.getByRole('menuitem', { name: 'Print' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /^Resolve/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await page.getByText('low confidence').count()).toBe(0)
    await page.getByRole('button', { name: 'Change the kind of question' }).click()
    await page.getByRole('menuitem', { name: 'A question of judgement' }).click()
    await page.getByText(/^A question of judgement: .* \(Chosen by the asker\.\)$/).waitFor()
    await more.click()
    await page.getByRole('menuitem', { name: /^Resolve/ }).waitFor()
    await page.context().close()
  },
)

test('[U91] a wording is taken, edited or left, and asked only then', patience, async () => {
  const page = await stage.open('/')
  await draft(page, asked.moderator)
  const question = page.getByLabel('Your question')
  const sharpen = page.getByRole('button', { name: 'Sharpen the question' })
  await sharpen.click()
  const dialog = page.getByRole('dialog', { name: 'Sharpen the question' })
  await dialog.getByText('Best for whom?').waitFor()
  await dialog.getByText(/^By lab\/moderator: .* cost unknown\.$/).waitFor()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  expect(await question.inputValue()).toBe(asked.question)
  await sharpen.click()
  await dialog.getByRole('radio', { name: /ten guests/ }).check()
  await dialog.getByLabel('Edit it if you like').fill('Which cake should we serve to twenty guests?')
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('button', { name: 'Use this question' }).click()
  expect(await question.inputValue()).toBe('Which cake should we serve to twenty guests?')
  await page.getByText('Details', { exact: true }).click()
  await page.getByLabel('Fact, judgement or taste?').selectOption('judgement')
  await page.getByRole('button', { name: 'Ask the table' }).click()
  await page.getByText(/^A question of judgement: .* \(Chosen by the asker\.\)$/).waitFor()
  await page.getByRole('heading', { name: 'Which cake should we serve to twenty guests?' }).waitFor()
  await page.context().close()
})

test('[U91] a clear question stays, and a table without a moderator says what to do', patience, async () => {
  const page = await stage.open('/')
  await draft(page, 'lab/content')
  await page.getByRole('button', { name: 'Sharpen the question' }).click()
  await page.getByText('The question is clear as it is.').waitFor()
  await page.getByRole('button', { name: 'Good' }).click()
  await draft(page, null)
  await page.getByRole('button', { name: 'Sharpen the question' }).click()
  await page.getByText('this table has no moderator', { exact: false }).waitFor()
  // The browser itself complains of the refusal, and of nothing else.
  expect(stage.complaints).toEqual([expect.stringContaining('422')])
  await page.context().close()
})

test('[U100] the page says how often such tables were right', patience, async () => {
  const { events } = table({ seats: 3, question: yesOrNo, kind: 'fact' })
    .round(0, ['Yes', 'Yes', 'Yes'])
    .and({ type: 'session-finished', outcome: 'verdict' })
  const id = await stage.importText(exporterNamed('json').write(events))
  const page = await stage.open(`/s/${id}`)
  await page.getByText('the answer was right about 90% of the time (5,649 recorded').waitFor()
})
