/** The library as its users see it. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { UsageError } from '../src/core/basics.ts'
import type { LiveEvent } from '../src/core/event.ts'
import type { SessionDocument } from '../src/exports/json.ts'
import { createRoundtable } from '../src/library/index.ts'
import { scripted } from '../src/models/scripted.ts'
import { type Lab, startLab } from './lab/server.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const roundtable = () => createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }] })
const input = { question: 'Should a small team start early?', seats: ['lab/m0', 'lab/m1', 'lab/m2'] }

const headlineOf = (session: SessionDocument, seat: string): string | undefined => {
  const answer = session.rounds[0]?.answers.find(one => one.seat === seat)
  return answer?.status === 'given' ? answer.headline : undefined
}

test('[L1] ask returns at once, streams deltas and events, and gives the session', async () => {
  const running = roundtable().ask({ ...input, moderator: 'lab/moderator' })
  const seen: LiveEvent[] = []
  for await (const event of running.events) seen.push(event)
  const session = await running.result
  expect(session.id).toBe(running.id)
  expect(seen.filter(event => 'position' in event)).toEqual(session.events)
  const headline = seen.flatMap(event =>
    event.type === 'delta' && event.seat === 's1' && event.round === 0 && event.field === 'headline'
      ? event.text
      : [],
  )
  expect(headline.join('')).toBe(headlineOf(session, 's1'))
})

test('[L2] a watcher that comes late gets every event of the log', async () => {
  const running = roundtable().ask({ ...input, protocol: 'poll' })
  const session = await running.result
  const seen: LiveEvent[] = []
  for await (const event of running.events) seen.push(event)
  expect(seen).toEqual(session.events)
})

test.each([
  [{ ...input, question: '  ' }, /question is empty/],
  [{ ...input, seats: [] }, /name at least one model/],
  [{ ...input, seats: ['nobody/m0'] }, /Your endpoints: lab/],
  [{ ...input, protocol: 'duel' }, /hybrid, roundtable, poll/],
  [{ ...input, protocol: 'poll', rounds: 2 }, /no open rounds/],
  [{ ...input, format: 'choice' as const, options: ['one'] }, /2 to 20 options/],
  [{ ...input, rounds: 9 }, /at most 4 open rounds/],
  [{ ...input, language: 'Klingonish' }, /no language/],
])(
  '[L3] a request that cannot be asked is refused at once, and the message says what to do: %#',
  (wish, words) => {
    expect(() => roundtable().ask(wish)).toThrow(UsageError)
    expect(() => roundtable().ask(wish)).toThrow(words)
  },
)

test('[L4] the same model may sit twice, and the two can be told apart', async () => {
  const session = await roundtable().ask({
    ...input,
    seats: ['lab/m0', 'lab/m0', { model: 'lab/m0', name: 'Devil', brief: 'Object.' }],
    protocol: 'poll',
  }).result
  expect(session.seats.map(seat => seat.name)).toEqual(['m0', 'm0 (2)', 'Devil'])
  const briefs = lab.calls.filter(call =>
    call.body.messages.some(message => message.content.includes('Your own brief: Object.')),
  )
  expect(briefs).toHaveLength(1)
})

test('[L5] an estimate has calls, tokens and cost, and says if a price is unknown', () => {
  const estimate = roundtable().estimate({ ...input, protocol: 'roundtable', rounds: 2, moderator: null })
  expect(estimate.calls).toEqual({ low: 3, high: 9 })
  expect(estimate.costUsd).toBeNull()
  expect(estimate.notes.join()).toContain('The price of lab/m0, lab/m1, lab/m2 is unknown')
})

test('[L6] the cost is counted if the price is known', async () => {
  const models = { m0: { price: { input: 1, output: 2 } } }
  const priced = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL, models }] })
  const { usage } = await priced.ask({ ...input, seats: ['lab/m0'], protocol: 'poll' }).result
  expect(usage.costUsd).toBeCloseTo((usage.inputTokens + 2 * usage.outputTokens) / 1e6)
  const { usage: unpriced } = await priced.ask({ ...input, seats: ['lab/m0', 'lab/m1'], protocol: 'poll' })
    .result
  expect(unpriced.costUsd).toBeNull()
})

test('[L7] a credit counts only if the quoted words are in that peer’s answer', async () => {
  const replies = scripted(call => {
    const open = 'decision' in (call.shape.json.properties as object)
    const honest = call.model === 'honest'
    const side = call.model === 'source' ? 'Yes' : 'No'
    const sealed = {
      headline: `${side}.`,
      choice: side,
      reasoning: `Words of ${call.model} that can be quoted.`,
      confidence: 0.6,
    }
    if (!open || call.model === 'source') return sealed
    const quote = honest ? 'that can be quoted' : 'words that nobody ever wrote'
    return {
      ...sealed,
      headline: 'Yes.',
      choice: 'Yes',
      decision: 'change',
      reason: 'new evidence',
      peer: 'A',
      quote,
    }
  })
  const session = await createRoundtable({ providers: [replies] }).ask({
    question: 'Is it so?',
    seats: ['scripted/source', 'scripted/honest', 'scripted/inventor'],
    protocol: 'roundtable',
    format: 'choice',
    options: ['Yes', 'No'],
  }).result
  const credits = session.rounds[1]!.answers.map(answer =>
    answer.status === 'given' ? answer.credit?.verified : undefined,
  )
  expect(credits).toEqual([undefined, true, false])
})
