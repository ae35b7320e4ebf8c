/** A budget against a provider that uses as much as it may, and tells its use. */

import { describe, expect, test } from 'vitest'
import { questionOf, seatsOf, table } from '../../test/contracts/core-testing.ts'
import { logSchema, type SessionEvent } from '../core/event.ts'
import { fold, usageOf } from '../core/fold.ts'
import type { Budget } from '../core/opening.ts'
import type { Session } from '../core/session.ts'
import { verdictOf } from '../count/verdict.ts'
import type { ModelCall, ModelPart, TokenUsage } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import { callQueues } from './budget.ts'
import { run } from './run.ts'

/** No tokeniser makes more tokens of a text than it has bytes. */
const worstInput = (call: ModelCall): number =>
  Buffer.byteLength([call.system, ...call.user, JSON.stringify(call.shape.json)].join('\n\n'))

type Greed = (call: ModelCall) => TokenUsage

const greedy: Greed = call => ({ inputTokens: worstInput(call), outputTokens: call.maxOutputTokens })

const answerTo = (call: ModelCall): Record<string, unknown> =>
  call.shape.name === 'positions'
    ? Object.fromEntries(Object.keys(call.shape.json.properties as object).map(alias => [alias, alias]))
    : { headline: `It is ${call.model}.`, reasoning: 'Because.', confidence: 0.5, relation: 'different' }

/** Every third reply is in the wrong shape, and every fifth call breaks off after it was paid for. */
const provider = (greed: Greed = greedy) => {
  let calls = 0
  return scripted(call => {
    calls++
    const parts: ModelPart[] = [
      { type: 'text', text: calls % 3 === 0 ? 'Well.' : JSON.stringify(answerTo(call)) },
      { type: 'usage', usage: greed(call) },
      calls % 5 === 0
        ? { type: 'error', error: { kind: 'overload', message: 'busy' }, retryAfterMs: 1 }
        : { type: 'finish', reason: 'stop' },
    ]
    return { parts }
  })
}

const openedWith = (budget: Budget, seats: number): readonly SessionEvent[] =>
  table({
    seats: seatsOf(seats).map(seat => ({ ...seat, model: `scripted/${seat.id}` })),
    question: questionOf({ format: 'open' }),
    protocol: 'roundtable',
    rounds: 4,
    moderator: 'scripted/moderator',
    budget,
  }).events

const carriedOn = async (log: readonly SessionEvent[], asked = provider()): Promise<SessionEvent[]> => {
  const providers = [asked]
  const signal = new AbortController().signal
  return run({ providers, openQueue: callQueues(), clock: () => 0, signal, publish() {} }, log)
}

const tokensOf = (session: Session): number => {
  const { inputTokens, outputTokens } = usageOf(session)
  return inputTokens + outputTokens
}

describe.each([3, 12])('%i seats', seats => {
  test.each([3_000, 9_000, 20_000, 60_000])(
    '[R45] a budget of %i tokens is never exceeded, whatever the provider makes of its limits',
    async tokens => {
      const log = await carriedOn(openedWith({ tokens }, seats))
      const session = fold(log)
      expect(tokensOf(session)).toBeLessThanOrEqual(tokens)
      expect(tokensOf(session)).toBeGreaterThan(0)
      expect(session.outcome).toBe('budget')
      expect(verdictOf(session).flags).not.toContain('over budget')
      for (const place of [2, 4, 7]) {
        const resumed = fold(await carriedOn(log.slice(0, place)))
        expect(tokensOf(resumed)).toBeLessThanOrEqual(tokens)
        expect(resumed.outcome).toBe('budget')
      }
    },
  )
})

test('[R45] a budget in dollars is never exceeded by a model of known price', async () => {
  const priced = { ...provider(), known: () => ({ price: { input: 2, output: 10, cacheWrite: 2.5 } }) }
  const session = fold(await carriedOn(openedWith({ usd: 0.1 }, 6), priced))
  expect(usageOf(session).costUsd).toBeLessThanOrEqual(0.1)
  expect(usageOf(session).costUsd).toBeGreaterThan(0.05)
  expect(session.outcome).toBe('budget')
})

test('[R46] a provider that ignores its limit is reported by a flag, and nothing more is called', async () => {
  let calls = 0
  const ignoring = provider(call => {
    calls++
    return { inputTokens: 100, outputTokens: call.maxOutputTokens * 20 }
  })
  const session = fold(await carriedOn(openedWith({ tokens: 20_000 }, 3), ignoring))
  expect(session.outcome).toBe('budget')
  expect(verdictOf(session).flags).toEqual(expect.arrayContaining(['budget reached', 'over budget']))
  expect(calls).toBeLessThanOrEqual(3)
  const { excessTokens = 0 } = usageOf(session)
  expect(tokensOf(session) - excessTokens).toBeLessThanOrEqual(20_000)
})

const flood = 100_000

/** Writes 100,000 characters whatever its limit, in pieces of this length, and then tells what that was if asked to. */
const flooding = (character: string, piece: number, tells: boolean) =>
  scripted(() => {
    const texts = Array.from({ length: flood / piece }, () => character.repeat(piece))
    const usage = { inputTokens: 100, outputTokens: flood / 4 }
    return {
      parts: [
        ...texts.map(text => ({ type: 'text', text }) as const),
        ...(tells ? [{ type: 'usage', usage } as const] : []),
        { type: 'finish', reason: 'stop' },
      ],
    }
  })

describe.each([
  ['x', 4],
  ['x', flood],
  ['字', 1_000],
])('a provider that writes 100,000 times %s in pieces of %i', (character, piece) => {
  test.each([
    [3_000, true],
    [9_000, false],
    [20_000, true],
    [60_000, false],
  ])('[R50] keeps a budget of %i tokens (tells its use: %s)', async (tokens, tells) => {
    const log = await carriedOn(openedWith({ tokens }, 3), flooding(character, piece, tells))
    const session = fold(log)
    expect(tokensOf(session)).toBeLessThanOrEqual(tokens)
    expect(tokensOf(session)).toBeGreaterThan(600)
    expect(verdictOf(session).flags).not.toContain('over budget')
    const silent = log.find(event => event.type === 'seat-silent')
    expect(silent).toMatchObject({ error: { kind: 'cut-off' }, usage: { estimated: true } })
    const message = silent?.type === 'seat-silent' ? silent.error.message : ''
    expect(message).toMatch(
      /^by our count, the reply was longer than the \d+ tokens that it was allowed, .* It began: "(x|字){200}"$/,
    )
  })
})

test('[R50] a reply that was cut off before its first word counts as all that it was allowed', async () => {
  const allowed: number[] = []
  const wordless = scripted(call => {
    allowed.push(call.maxOutputTokens)
    return { parts: [{ type: 'finish', reason: 'length' }] }
  })
  const session = fold(await carriedOn(openedWith({ tokens: 20_000 }, 3), wordless))
  expect(usageOf(session)).toMatchObject({
    outputTokens: allowed.reduce((sum, tokens) => sum + tokens, 0),
    estimated: true,
  })
  expect(tokensOf(session)).toBeLessThanOrEqual(20_000)
})

test.each([
  ['infinitely many', Infinity],
  ['not a number of', Number.NaN],
  ['less than no', -1e6],
])('[R51] a provider that reports %s tokens can’t break the count', async (_words, outputTokens) => {
  const odd = provider(() => ({ inputTokens: 10, outputTokens }))
  const log = await carriedOn(openedWith({ tokens: 20_000 }, 3), odd)
  const session = fold(logSchema.parse(JSON.parse(JSON.stringify(log))))
  expect(tokensOf(session)).toBeGreaterThan(0)
  const over = outputTokens === Infinity
  expect(verdictOf(session).flags.includes('over budget')).toBe(over)
  expect(usageOf(session).excessTokens !== undefined).toBe(over)
})
