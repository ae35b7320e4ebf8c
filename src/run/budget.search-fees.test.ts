/** The fee of each search, in budgets and in the ledger. */

import { expect, test } from 'vitest'
import { questionOf, seatsOf, table } from '../../test/contracts/core-testing.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold, usageOf } from '../core/fold.ts'
import type { Budget } from '../core/opening.ts'
import { verdictOf } from '../count/verdict.ts'
import { dearestSearch } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import type { Charge, HoldRequest, Ledger } from '../store/archive.ts'
import { callQueues, costOf, meterFor, payerMeter } from './budget.ts'
import { run } from './run.ts'

const price = { input: 1, output: 10, search: 0.01 }
const wanted = { inputTokens: 1_000, searches: 5, leastOutput: 100, mostOutput: 100 }

test('[EV95] a fee that nobody knows counts as the highest', () => {
  const usage = { inputTokens: 0, outputTokens: 0, searches: 2 }
  expect(costOf(usage, price)).toBeCloseTo(0.02)
  expect(costOf(usage, { input: 1, output: 10 })).toBeCloseTo(2 * dearestSearch)
})

test('[EV96] the fees of all searches that a call may make are reserved, and those that it did not make are free again', async () => {
  expect(await meterFor({ usd: 0.051 }).reserve(wanted, price)).toBeUndefined()
  const meter = meterFor({ usd: 0.053 })
  const first = await meter.reserve(wanted, price)
  expect(first?.outputTokens).toBe(100)
  const second = meter.reserve({ ...wanted, searches: 3 }, price)
  first?.settle({ inputTokens: 1_000, outputTokens: 100, searches: 1, costUsd: null })
  expect(await second).toBeDefined()
  expect(meter.exceeded).toBe(false)
})

test('[EV96] a reply that gets more room keeps the room of its searches', async () => {
  const meter = meterFor({ usd: 0.1 })
  const first = await meter.reserve(wanted, price)
  expect(first?.extend(300)).toBe(300)
  // $0.1 less $0.054 that the first one holds.
  expect(await meter.reserve({ ...wanted, searches: 4 }, price)).toBeDefined()
  const stop = new AbortController()
  const third = meter.reserve({ ...wanted, searches: 1 }, price, stop.signal)
  stop.abort()
  expect(await third).toBeUndefined()
})

test('[EV96] a resumed session counts what its log says that searches cost', async () => {
  const before = [{ inputTokens: 0, outputTokens: 0, searches: 1, costUsd: 0.005 }]
  const one = { inputTokens: 0, leastOutput: 0, mostOutput: 0, searches: 1 }
  const fee = { input: 0, output: 0, search: 0.005 }
  expect(await meterFor({ usd: 0.01 }, before).reserve(one, fee)).toBeDefined()
  expect(await meterFor({ usd: 0.009 }, before).reserve(one, fee)).toBeUndefined()
})

/** Remembers what is held and used. */
const notes = (left: Charge): { ledger: Ledger; held: Charge[]; used: Charge[] } => {
  const held: Charge[] = []
  const used: Charge[] = []
  const ledger: Ledger = {
    async hold({ choose, payers }: HoldRequest) {
      const charge = choose(left)
      if (!charge)
        return { short: { payer: payers[0]!, period: 'day', budget: { usd: left.usd }, tooSmall: false } }
      held.push(charge)
      return { held: charge }
    },
    settle: async (_id, charge) => void used.push(charge),
    holders: async () => [],
    release: async () => {},
  }
  return { ledger, held, used }
}

test('[EV96] the ledger holds the fees, and takes those that were charged', async () => {
  const payers = [{ id: 'ada', name: 'Ada' }]
  const rich = notes({ usd: 0.053, tokens: Infinity })
  const meter = payerMeter({ ledger: rich.ledger, payers, clock: () => 0 })
  const reserved = await meter.reserve(wanted, price)
  reserved?.settle({ inputTokens: 1_000, outputTokens: 50, searches: 2, costUsd: null })
  await meter.settled()
  expect(rich.held[0]!.usd).toBeCloseTo(0.052)
  expect(rich.used[0]!.usd).toBeCloseTo(0.001 + 0.0005 + 0.02)
  const poor = notes({ usd: 0.051, tokens: Infinity })
  const refusing = payerMeter({ ledger: poor.ledger, payers, clock: () => 0 })
  expect(await refusing.reserve(wanted, price)).toBeUndefined()
  expect(refusing.words).toContain('The budget of Ada, $0.051 a day')
})

const openedWith = (budget: Budget): readonly SessionEvent[] =>
  table({
    seats: seatsOf(6).map(seat => ({ ...seat, model: `scripted/${seat.id}` })),
    question: questionOf({ format: 'open' }),
    ...{ protocol: 'roundtable', rounds: 4, moderator: null, search: 'native', budget },
  }).events

test('[EV96] a budget in dollars is never exceeded by models that search as often as they may', async () => {
  let calls = 0
  const greedy = {
    ...scripted(({ maxOutputTokens, model }) => {
      calls++
      const answer = { headline: `It is ${model}.`, reasoning: 'Because.', confidence: 0.5 }
      return {
        parts: [
          { type: 'text', text: JSON.stringify(answer) },
          { type: 'usage', usage: { inputTokens: 20_000, outputTokens: maxOutputTokens, searches: 5 } },
          { type: 'finish', reason: 'stop' },
        ],
      }
    }),
    searches: () => 5,
    known: () => ({ price: { input: 0.1, output: 0.4, search: 0.01 } }),
  }
  const signal = new AbortController().signal
  const runner = { providers: [greedy], openQueue: callQueues(), clock: () => 0, signal, publish() {} }
  for (const usd of [0.04, 0.3, 0.7]) {
    calls = 0
    const log = await run(runner, openedWith({ usd }))
    const session = fold(log)
    const { costUsd, searches = 0 } = usageOf(session)
    expect(costUsd).toBeLessThanOrEqual(usd)
    expect(searches).toBe(calls * 5)
    expect(calls > 0).toBe(usd > 0.05)
    expect(session.outcome).toBe('budget')
    expect(verdictOf(session).flags).not.toContain('over budget')
    const resumed = fold(await run(runner, log.slice(0, 4)))
    expect(usageOf(resumed).costUsd).toBeLessThanOrEqual(usd)
  }
})
