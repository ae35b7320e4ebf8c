import { expect, test } from 'vitest'
import { questionOf, table } from '../../test/contracts/core-testing.ts'
import { citationsFrom } from '../core/question.ts'
import { exporterNamed, importText } from './index.ts'
import { documentOf } from './json.ts'

const question = questionOf({
  attachments: [{ name: 'lease.pdf', media: 'application/pdf', text: 'The rent is 900 euros.' }],
})
const citations = [
  { exhibit: 1, quote: 'The rent is 900 euros', place: 'p. 1', verified: true },
  { exhibit: 1, quote: 'Answer: invented', verified: false },
]
const { events } = table({ seats: 2, question, citations: true, protocol: 'poll', rounds: 0 })
  .round(0, [{ headline: 'Yes', citations }, 'No'])
  .and(
    { type: 'report-written', report: { answer: 'Yes.', summary: 'So.' }, by: 'code' },
    { type: 'session-finished', outcome: 'verdict' },
  )

test('[X351] every export lists the citations and whether they stand; JSON also counts them', () => {
  for (const format of ['markdown', 'html', 'transcript', 'json']) {
    const text = exporterNamed(format).write(events)
    expect(text).toContain('The rent is 900 euros')
    expect(text).toMatch(/not found in the exhibit|quote not found|"verified": false/)
  }
  expect(documentOf(events).citations).toEqual([{ seat: 's1', cited: 2, standing: 1 }])
})

test('[X352] a transcript with citations is read back with them', () => {
  const text = exporterNamed('transcript').write(events)
  const read = importText(text, { newId: () => 'again', clock: () => 0 })
  const answer = read.find(event => event.type === 'answer-given')
  expect(answer?.type === 'answer-given' && answer.answer.citations).toEqual(citations)
})

test('[EV58] words cited from a picture are marked as such, and count neither for nor against the seat', () => {
  const picture = { name: 'meter.png', media: 'image/png', text: '', width: 720, height: 520 }
  const cited = citationsFrom([{ exhibit: 1, place: 'table', quote: 'Heating up, 31.4 dB' }], {
    exhibits: [picture],
  })
  expect(cited).toEqual([
    { exhibit: 1, place: 'table', quote: 'Heating up, 31.4 dB', verified: false, unreachable: 'a picture' },
  ])
  const log = table({
    ...{ seats: 2, question: questionOf({ attachments: [picture] }), citations: true },
    ...{ protocol: 'poll', rounds: 0 },
  })
    .round(0, [{ headline: 'Yes', citations: cited }, 'No'])
    .and(
      { type: 'report-written', report: { answer: 'Yes.', summary: 'So.' }, by: 'code' },
      { type: 'session-finished', outcome: 'verdict' },
    ).events
  for (const format of ['markdown', 'html', 'transcript']) {
    const text = exporterNamed(format).write(log)
    expect(text).toMatch(/in a picture/)
    expect(text).not.toMatch(/not found/)
  }
  const { citations: counts, verdict } = documentOf(log)
  expect([counts, verdict.flags]).toEqual([[], expect.not.arrayContaining(['unsupported sources'])])
  const read = importText(exporterNamed('transcript').write(log), { newId: () => 'again', clock: () => 0 })
  const answer = read.find(event => event.type === 'answer-given')
  expect(answer?.type === 'answer-given' && answer.answer.citations).toEqual(cited)
})
