/** Two hundred seats through the real wire: what is measured is what the formula says, and nothing is quadratic. */

import { afterEach, expect, test } from 'vitest'
import { questionSchema } from '../src/core/question.ts'
import type { SessionDocument } from '../src/exports/json.ts'
import { createRoundtable } from '../src/library/index.ts'
import { protocolNamed } from '../src/protocols/index.ts'
import { questionPart } from '../src/protocols/parts.ts'
import { tokensIn } from '../src/run/reply.ts'
import type { AskInput } from '../src/table/ask.ts'
import { instructionTokens } from '../src/table/estimate.ts'
import { type ChatBody, objectsIn, type RecordedCall } from './lab/call.ts'
import { type Lab, startLab } from './lab/server.ts'

let lab: Lab | undefined
afterEach(async () => {
  await lab?.stop()
  lab = undefined
})

const seats = (count: number): string[] => Array.from({ length: count }, (_, index) => `lab/m${index}`)
const numberOf = ({ model }: ChatBody): number => Number(model.slice(1))
const words = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => `reason${(from + index) % 97}`).join(' ')
const textOf = ({ messages }: ChatBody): string => messages.map(({ content }) => content).join('\n')

interface Argued {
  readonly seat: string
  readonly quote: string
}

/** Six positions with two quotes each, half as long as they may be: what the formula calls a digest. */
const digest = (body: ChatBody) => {
  const quotes = objectsIn(textOf(body).split('\n')).flatMap((one): Argued[] =>
    Array.isArray(one.arguments)
      ? (one.arguments as Argued[])
      : [
          {
            seat: String(one.seat),
            quote: String(one.reasoning)
              .slice(0, 250)
              .replace(/\s\S*$/, ''),
          },
        ],
  )
  return {
    positions: Array.from({ length: 6 }, (_, index) => ({
      position: `Position ${index}: ${words(8, index)}.`,
      arguments: [quotes[(2 * index) % quotes.length], quotes[(2 * index + 1) % quotes.length]],
    })),
  }
}

/** A seat in ten takes the other side each time it is asked, so that every round is held. */
const choice = (body: ChatBody): string => {
  const last = /"value":"(Yes|No)"/.exec(body.messages.at(-1)?.content ?? '')?.[1]
  if (last) return numberOf(body) % 10 === 0 ? (last === 'Yes' ? 'No' : 'Yes') : last
  return numberOf(body) % 2 === 0 ? 'Yes' : 'No'
}

const answer = (body: ChatBody, open: boolean) => {
  const text = textOf(body)
  const short = text.includes('under 40 words')
  return {
    headline: open ? `Answer ${numberOf(body)}: position ${numberOf(body) % 3}.` : `It is ${choice(body)}.`,
    ...(!open && { choice: choice(body) }),
    reasoning: words(short ? 30 : 110, numberOf(body)),
    confidence: 0.7,
    wouldChangeMind: 'A measured counterexample.',
    language: 'en',
    ...(text.includes('Your last answer was') && { decision: 'keep', reason: null, peer: null, quote: null }),
  }
}

/** Labels by what the headline says; the longest answer that a seat writes is what the formula calls one. */
const labels = (body: ChatBody) =>
  Object.fromEntries(
    objectsIn(textOf(body).split('\n'))
      .filter(one => typeof one.seat === 'string')
      .map(one => [one.seat, positionOf(one.headline) ?? 'none']),
  )

const positionOf = (headline: unknown): string | undefined => /position \d/.exec(String(headline))?.[0]

const relationsIn = (body: ChatBody) =>
  Object.fromEntries(
    objectsIn(textOf(body).split('\n'))
      .filter(one => typeof one.pair === 'string')
      .map(one => [one.pair, positionOf(one.first) === positionOf(one.second) ? 'same' : 'different']),
  )

const handler =
  (open: boolean) =>
  ({ body }: RecordedCall) => {
    switch (body.response_format?.json_schema?.name) {
      case 'digest':
        return digest(body)
      case 'kind':
        return { reasoning: 'It can be measured.', kind: 'estimate' }
      case 'positions':
        return labels(body)
      case 'relations':
        return relationsIn(body)
      case 'challenge':
        return { objection: null, check: null }
      case 'report':
        return { answer: 'Yes.', summary: words(60, 0), counterpoint: null }
      default:
        return answer(body, open)
    }
  }

const question = `Does it hold? ${'The town has grown, and its bridge has not. '.repeat(20)}`

const ask = async (count: number, wish: Partial<AskInput>): Promise<SessionDocument> => {
  lab = await startLab({ handler: handler(wish.format === undefined) })
  const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }] })
  const session = await roundtable.ask({
    question,
    seats: seats(count),
    moderator: 'lab/moderator',
    rounds: 2,
    seed: 'large',
    ...wish,
  }).result
  return session
}

const calls = (): number => lab!.calls.filter(call => call.path.endsWith('/chat/completions')).length
/** Makers count the form that a model fills in as input. The lab counts messages only. */
const formTokens = (): number =>
  lab!.calls.reduce((sum, { body }) => {
    const { schema } = body.response_format?.json_schema ?? {}
    return sum + (schema ? tokensIn(JSON.stringify(schema)) : 0)
  }, 0)
const yesOrNo = { format: 'choice', options: ['Yes', 'No'] } as const

const expected = (count: number) =>
  protocolNamed('hybrid').expect({
    seats: count,
    rounds: 2,
    question:
      tokensIn(questionPart({ seed: '', question: questionSchema.parse({ text: question, ...yesOrNo }) })) +
      instructionTokens,
    answer: tokensIn(JSON.stringify(answer({ model: 'm1', messages: [] }, false))),
    open: false,
  })

/** How far what was measured is from what was expected, as a share of the latter. */
const off = (measured: number, formula: number): number => Math.abs(measured - formula) / formula

test('[P65] 200 seats: calls, input and output are within a tenth of the formula', async () => {
  const session = await ask(200, yesOrNo)
  expect(session.rounds).toHaveLength(3)
  expect(session.failures).toEqual([])
  expect(session.verdict.answered).toBe(200)
  const formula = expected(200)
  expect(off(calls(), formula.calls)).toBeLessThan(0.1)
  expect(off(session.usage.inputTokens + formTokens(), formula.inputTokens)).toBeLessThan(0.1)
  expect(off(session.usage.outputTokens, formula.outputTokens)).toBeLessThan(0.1)
}, 120_000)

test('[P65] 200 open answers in three camps: checked in eight calls, and no prompt grows with the table', async () => {
  const session = await ask(200, {})
  expect(session.rounds.map(({ camps, contested }) => [camps.length, contested])).toEqual([
    [3, false],
    [3, false],
  ])
  // The kind, sealed, eight batches twice, their checks in eight, the three camps in one, a digest of eight parts, open, report.
  expect(calls()).toBe(1 + 200 + 16 + 8 + 1 + 9 + 200 + 1)
  const longest = Math.max(...lab!.calls.map(({ body }) => textOf(body).length / 4))
  expect(longest).toBeLessThan(12_000)
}, 120_000)

test('[P66] a large table with faults comes to a verdict, and nothing that failed is hidden', async () => {
  let digests = 0
  const usual = handler(false)
  lab = await startLab({
    handler: call => {
      const part = call.body.response_format?.json_schema?.name === 'digest' && ++digests === 2
      return part ? 'no object at all' : usual(call)
    },
    models: { m0: { fault: 'refusal' }, m1: { fault: 'context-overflow' } },
  })
  const session = await createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }] }).ask({
    question,
    seats: seats(60),
    moderator: 'lab/moderator',
    rounds: 1,
    seed: 'faults',
    ...yesOrNo,
  }).result
  expect(session.outcome).toBe('verdict')
  expect(session.verdict).toMatchObject({ of: 60, answered: 58 })
  expect(session.rounds[0]?.digest?.positions.length).toBeGreaterThan(0)
  expect(session.verdict.line).toContain('m0 abstained')
}, 60_000)
