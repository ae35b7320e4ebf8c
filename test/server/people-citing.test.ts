/** What a person cites, over HTTP: looked up as a model's citations are, and shown on every face. */

import { expect, test, vi } from 'vitest'
import { fold } from '../../src/core/fold.ts'
import { exporters } from '../../src/exports/index.ts'
import { documentOf } from '../../src/exports/json.ts'
import { type Setup, startSetup } from './setup.ts'

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
const own = { reasoning: 'As [1] says.', headline: 'No, stay.', choice: 'No', confidence: 0.7 }
const stands = { exhibit: 1, place: null, quote: 'Notice: three months.' }
const invented = { exhibit: 2, place: 'line 7', quote: 'The rent rises by 9 percent.' }
const file = (name: string, text: string) => ({ name, data: Buffer.from(text).toString('base64') })

const opened = async (more: object = {}) => {
  const setup = await startSetup({ lab: { handler: () => peer } })
  const reply = await setup.call('/api/sessions', {
    json: {
      ...{ question: 'May she leave?', options: ['Yes', 'No'], seats: ['lab/a', 'lab/b'], people: ['Ada'] },
      ...{ moderator: null, protocol: 'roundtable', rounds: 1 },
      attachments: [file('lease.txt', 'Preamble.\nNotice: three months.'), file('letter.txt', 'Dear tenant')],
      ...more,
    },
  })
  expect(reply.status).toBe(201)
  const { id, people } = (await reply.json()) as { id: string; people: { seat: string; path: string }[] }
  const link = `/api${people[0]!.path}`
  const hand = (round: number, answer: object) => setup.call(`${link}/answer`, { json: { round, answer } })
  return { ...setup, id, link, hand, seat: people[0]!.seat }
}

const answered = ({ archive }: Pick<Setup, 'archive'>, id: string, answers: number) =>
  vi.waitFor(async () => {
    const log = await archive.read(id)
    expect(log.filter(({ type }) => type === 'answer-given')).toHaveLength(answers)
    return log
  })

test('[EV98] a person’s citations are looked up, and stand or fall on every face like those of a model', async () => {
  const setup = await opened()
  const { id, seat, hand, link, lab } = setup
  await answered(setup, id, 2)
  expect((await hand(0, { ...own, citations: [stands, invented] })).status).toBe(202)
  const log = await answered(setup, id, 5)
  const given = fold(log).roundsSoFar[0]!.handedIn[seat]
  expect(given).toMatchObject({
    answer: {
      citations: [
        { exhibit: 1, quote: stands.quote, verified: true, place: 'line 2' },
        { exhibit: 2, quote: invented.quote, verified: false, place: 'line 7' },
      ],
    },
  })
  // The others read what she cites, and she finds it in her form.
  const read = lab.calls
    .at(-1)!
    .body.messages.map(({ content }) => content)
    .join('\n')
  expect(read).toContain(stands.quote)
  expect(read).toContain('cites')
  const { turn } = (await (await setup.call(link)).json()) as { turn: { last: { citations: object[] } } }
  expect(turn.last.citations).toHaveLength(2)
  const kept = { ...own, points: [], decision: 'kept', reason: null, because: [], citations: [stands] }
  expect((await hand(1, kept)).status).toBe(202)
  await setup.engine.idle()
  const session = (await (await setup.call(`/api/sessions/${id}`)).json()) as {
    verdict: { flags: string[] }
  }
  expect(session.verdict.flags).toContain('unsupported sources')
  const whole = await setup.archive.read(id)
  expect(documentOf(whole).citations).toEqual([{ seat, cited: 3, standing: 2 }])
  const texts = exporters.map(exporter => [exporter.id, exporter.write(whole)] as const)
  for (const [format, text] of texts.filter(([format]) => /markdown|html|json/.test(format)))
    expect(String(text), format).toContain(invented.quote)
})

test.each([
  ['a list of seven', Array(7).fill(stands), 'an answer has at most 6 citations'],
  [
    'an exhibit that is not there',
    [{ ...stands, exhibit: 3 }],
    'citation 1: its exhibit must be a number from 1 to 2',
  ],
  ['too few words', [stands, { ...stands, quote: 'Notice' }], 'citation 2: copy at least 8 characters'],
  ['no list', 'Notice: three months.', 'citations must be a list'],
])('[EV99] %s is refused in words, and nothing is handed in', async (_name, citations, problem) => {
  const setup = await opened()
  await answered(setup, setup.id, 2)
  const refused = await setup.hand(0, { ...own, citations })
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain(problem)
  expect(fold(await setup.archive.read(setup.id)).roundsSoFar[0]!.handedIn[setup.seat]).toBeUndefined()
  expect((await setup.hand(0, own)).status).toBe(202)
})

test('[EV99] a question without citations takes none from a person', async () => {
  const setup = await opened({ citations: false })
  await answered(setup, setup.id, 2)
  const refused = await setup.hand(0, { ...own, citations: [stands] })
  expect(await refused.text()).toContain('this question has nothing to cite')
})
