/** What the younger protocols add, through the real wire: faults, refusals, and that every form of it is shown. */

import { afterEach, describe, expect, test } from 'vitest'
import { fold } from '../src/core/fold.ts'
import { exporters } from '../src/exports/index.ts'
import type { SessionDocument } from '../src/exports/json.ts'
import { createRoundtable } from '../src/library/index.ts'
import type { Running } from '../src/run/runtime.ts'
import type { AskInput } from '../src/table/ask.ts'
import { roundView } from '../src/terminal/round-view.ts'
import { noPaint } from '../src/terminal/terminal.ts'
import { defaultHandler } from './lab/answers.ts'
import type { RecordedCall } from './lab/call.ts'
import type { LabOptions } from './lab/options.ts'
import { errorStatus } from './lab/reply.ts'
import { type Lab, startLab } from './lab/server.ts'

let lab: Lab | undefined
afterEach(async () => {
  await lab?.stop()
  lab = undefined
})

const yesOrNo = { format: 'choice', options: ['Yes', 'No'] } as const

const begin = async (options: LabOptions, input: Partial<AskInput>): Promise<Running> => {
  await lab?.stop()
  lab = await startLab(options)
  return createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }] }).ask({
    question: 'Should a small team start early?',
    seats: Array.from({ length: 7 }, (_, index) => `lab/m${index}`),
    moderator: 'lab/moderator',
    seed: 'one',
    deadline: 5,
    ...input,
  })
}

const ask = async (options: LabOptions, input: Partial<AskInput>): Promise<SessionDocument> =>
  (await begin(options, input)).result

const calls = () => lab!.calls.filter(call => call.path.endsWith('/chat/completions'))
const shapeOf = (call: RecordedCall) => call.body.response_format?.json_schema?.name

/** A page without markup: words that are set apart in one form run on in another. */
const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*>|[\\*_>#]/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#39;|&apos;/g, "'")
    .replaceAll(/\s+/g, ' ')

/** Everything that people can read of a session, by name. */
const formsOf = ({ events }: SessionDocument): [string, string][] => {
  const session = fold(events)
  const look = { columns: 200, paint: noPaint }
  const terminal = session.roundsSoFar.flatMap(round => roundView(session, round, look)).join('\n')
  return [
    ...exporters.map(({ id, write }): [string, string] => [id, plain(write(events))]),
    ['terminal', plain(terminal)],
  ]
}

describe('faults', () => {
  test('[P53] an advocate that fails is told with its reason, and the next of its camp speaks', async () => {
    const first = await ask({}, { protocol: 'cross-examination', ...yesOrNo })
    const advocate = first.rounds[0]!.statements![0]!.seat
    const usual = defaultHandler()
    const session = await ask(
      {
        handler: call =>
          call.body.model === `m${Number(advocate.slice(1)) - 1}` && shapeOf(call) === 'statement'
            ? errorStatus(400, 'I lost my voice.', null)
            : usual(call),
      },
      { protocol: 'cross-examination', ...yesOrNo },
    )
    const { statements = [] } = session.rounds[0]!
    expect(statements[0]).toMatchObject({
      seat: advocate,
      error: { message: expect.stringContaining('I lost my voice.') },
    })
    expect(statements.slice(1).every(({ seat, argument }) => seat !== advocate && argument)).toBe(true)
    expect(session.outcome).toBe('verdict')
    for (const [form, text] of formsOf(session))
      expect([form, text]).toEqual([form, expect.stringContaining('I lost my voice.')])
  })

  test('[P53] a judge that fails, seats that fail and a budget that ends still leave a verdict', async () => {
    const judged = await ask(
      { models: { moderator: { fault: 'server-error' } } },
      { protocol: 'cross-examination', ...yesOrNo },
    )
    expect(judged.outcome).toBe('verdict')
    expect(judged.failures.filter(({ task }) => task === 'judge')).toHaveLength(2)
    for (const protocol of ['delphi', 'market', 'cross-examination']) {
      const session = await ask(
        { models: { m1: { fault: 'context-overflow' }, m2: { fault: 'refusal' } } },
        { protocol, ...yesOrNo },
      )
      expect(session).toMatchObject({ outcome: 'verdict', verdict: { of: 7, answered: 5 } })
      const capped = await ask({}, { protocol, rounds: 4, ...yesOrNo, budget: { tokens: 9_000 } })
      expect(['budget', 'verdict']).toContain(capped.outcome)
      expect(capped.usage.inputTokens + capped.usage.outputTokens).toBeLessThanOrEqual(9_000)
      expect(capped.report).toBeTruthy()
    }
  })
})

test('[P47] a market takes a choice; anything else is refused before a call, with what to do', async () => {
  await expect(ask({}, { protocol: 'market' })).rejects.toThrow(
    /takes questions of the format choice.*give options/,
  )
  await expect(ask({}, { protocol: 'market', format: 'number' })).rejects.toThrow(/this one is number/)
  expect(calls()).toEqual([])
})

describe('what a protocol adds is shown in every form', () => {
  test('[P54] statistics', async () => {
    const session = await ask({}, { protocol: 'delphi', format: 'number', unit: 'people' })
    expect(session.rounds[0]?.digest?.figures).toMatchObject({ kind: 'quartiles' })
    for (const [form, text] of formsOf(session).filter(([id]) => id !== 'json'))
      expect([form, text]).toEqual([form, expect.stringMatching(/Median \d+ people; the middle half from/)])
  })

  test('[P54] prices and stakes', async () => {
    const session = await ask({}, { protocol: 'market', ...yesOrNo })
    for (const [form, text] of formsOf(session).filter(([id]) => id !== 'json')) {
      expect([form, text]).toEqual([form, expect.stringMatching(/Prices: Yes 0\.\d\d, No 0\.\d\d/)])
      expect([form, text]).toEqual([
        form,
        expect.stringMatching(/staked \d+% of its purse on (?:Yes|No) at 0\.50/),
      ])
    }
  })

  test('[P54] advocates and the judge', async () => {
    const session = await ask({}, { protocol: 'cross-examination', rounds: 1, ...yesOrNo })
    expect(session.rounds[0]?.statements).toHaveLength(2)
    expect(session.rounds[0]?.rulings).toHaveLength(2)
    for (const [form, text] of formsOf(session).filter(([id]) => id !== 'json')) {
      expect([form, text]).toEqual([form, expect.stringMatching(/advocate, turn 1: |advocate, turn 1 /)])
      expect([form, text]).toEqual([
        form,
        expect.stringMatching(/The judge ruled for “(?:Yes|No)” in both orders/),
      ])
    }
    const json = exporters.find(({ id }) => id === 'json')!
    const again = json.read?.(json.write(session.events), { newId: () => 'again', clock: () => 0 })
    expect(again).toEqual(session.events)
  })

  test('[P67] the words of advocates stream in their turns', async () => {
    const running = await begin({}, { protocol: 'cross-examination', rounds: 2, ...yesOrNo })
    const streamed = new Map<string, string>()
    for await (const event of running.events) {
      if (event.type !== 'delta' || event.turn === undefined) continue
      const key = `${event.turn} ${event.seat} ${event.field}`
      streamed.set(key, (streamed.get(key) ?? '') + event.text)
    }
    const { statements = [] } = (await running.result).rounds[0]!
    expect(statements).toHaveLength(4)
    expect(Object.fromEntries(streamed)).toEqual(
      Object.fromEntries(
        statements.map(({ turn, seat, argument }) => [`${turn} ${seat} reasoning`, argument]),
      ),
    )
  })

  test('[P54] what was said and paid as an advocate counts for its seat', async () => {
    const session = await ask({}, { protocol: 'cross-examination', rounds: 1, ...yesOrNo })
    const [statement] = session.rounds[0]!.statements!
    const answers = session.rounds.flatMap(round =>
      round.answers.filter(({ seat }) => seat === statement!.seat),
    )
    const tokens = [...answers, statement!].reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0)
    expect(session.usageBySeat[statement!.seat]?.inputTokens).toBe(tokens)
  })
})
