/** Processes die in the middle of calls. The provider's bill is known here, and the session has to know at least as much. */

import { expect, test } from 'vitest'
import { questionOf, seatsOf, table } from '../../test/contracts/core-testing.ts'
import { randomFor } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold, usageOf } from '../core/fold.ts'
import type { Budget } from '../core/opening.ts'
import type { ModelCall } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import { memoryStore } from '../store/memory.ts'
import { callQueues } from './budget.ts'
import { RunAbandoned, run } from './run.ts'

const isRepair = ({ user }: ModelCall): boolean =>
  user.some(part => part.startsWith('Your last reply could not'))

const answerTo = (call: ModelCall): Record<string, unknown> =>
  call.shape.name === 'positions'
    ? Object.fromEntries(Object.keys(call.shape.json.properties as object).map(alias => [alias, alias]))
    : { headline: `It is ${call.model}.`, reasoning: 'Because.', confidence: 0.5, relation: 'different' }

interface Killing {
  readonly budget?: Budget
  /** A run dies when it has made so many calls. Undefined: it doesn't. */
  readonly diesAfter: () => number | undefined
  readonly kills: number
}

/** Runs a session to its end by as many processes as it takes. What is begun is billed, whoever lives to hear the reply. */
const survive = async ({ budget, diesAfter, kills }: Killing) => {
  const begun = table({
    id: 'killed',
    seats: seatsOf(4).map(seat => ({ ...seat, model: `scripted/${seat.id}` })),
    ...{ question: questionOf({ format: 'open' }), protocol: 'roundtable', rounds: 2 },
    ...{ moderator: 'scripted/moderator', ...(budget && { budget }) },
  }).events
  const store = memoryStore()
  await store.append('killed', begun)
  const calls: ModelCall[] = []
  let [bill, killed, inFlight] = [0, 0, 0]
  for (;;) {
    const dead = new AbortController()
    const last = killed < kills ? diesAfter() : undefined
    const before = calls.length
    const provider = scripted(call => {
      calls.push(call)
      const text = call.model === 's2' && !isRepair(call) ? 'Well.' : JSON.stringify(answerTo(call))
      const usage = {
        inputTokens: [call.system, ...call.user].join('').length >> 2,
        outputTokens: text.length >> 2,
      }
      bill += usage.inputTokens + usage.outputTokens
      if (calls.length - before === last) {
        inFlight++
        setImmediate(() => dead.abort())
        return { parts: [{ type: 'hang' }] }
      }
      return {
        parts: [
          { type: 'text', text },
          { type: 'usage', usage },
          { type: 'finish', reason: 'stop' },
        ],
      }
    })
    const signal = new AbortController().signal
    const runner = {
      providers: [provider],
      openQueue: callQueues(),
      clock: () => 0,
      signal,
      publish() {},
      store,
    }
    try {
      const log = await run({ ...runner, abandoned: dead.signal }, await store.read('killed'))
      const { inputTokens, outputTokens } = usageOf(fold(log))
      return { log, bill, calls, killed, inFlight, told: inputTokens + outputTokens }
    } catch (error) {
      if (!(error instanceof RunAbandoned)) throw error
      killed++
    }
  }
}

const held = (log: readonly SessionEvent[]) =>
  log.flatMap(event => (event.type === 'calls-begun' ? event.calls : [])).filter(call => call.held)

test('[R372] a session that isn’t killed tells its use to the token, with a budget or without', async () => {
  for (const budget of [undefined, { tokens: 1e6 }, { usd: 1e3 }, { tokens: 12_000 }]) {
    const { log, bill, told } = await survive({
      ...(budget && { budget }),
      diesAfter: () => undefined,
      kills: 0,
    })
    expect(told).toBe(bill)
    expect(held(log).length > 0).toBe(budget !== undefined)
    expect(fold(log).callsBegun ?? {}).toEqual({})
  }
})

test('[R372] a budget outlives 31 killed processes: the bill stays below it, and what the session tells covers the bill', async () => {
  const random = randomFor('kills')
  let kills = 0
  for (const tokens of [9_000, 20_000, 40_000, 150_000, 1e6, 1e6, 1e6]) {
    const diesAfter = () => 1 + Math.floor(random() * 5)
    const { log, bill, told, killed } = await survive({ budget: { tokens }, diesAfter, kills: 31 })
    kills += killed
    expect(bill).toBeLessThanOrEqual(tokens)
    expect(told).toBeGreaterThanOrEqual(bill)
    expect(told).toBeLessThanOrEqual(tokens)
    expect(fold(log).outcome).toMatch(/verdict|budget/)
  }
  expect(kills).toBeGreaterThanOrEqual(31)
})

test('[R373] a process that dies during a repair has paid for the first reply, and the next one goes on with the repair', async () => {
  for (const budget of [undefined, { tokens: 1e6 }]) {
    const { log, bill, calls, told, inFlight } = await survive({
      ...(budget && { budget }),
      // The fifth call is the repair of the second seat's reply.
      diesAfter: () => 5,
      kills: 1,
    })
    const round = calls.filter(({ model, shape }) => model === 's2' && shape.name === 'answer')
    const sealed = round.slice(0, 3)
    expect(sealed.map(isRepair)).toEqual([false, true, true])
    expect(sealed[2]!.user).toEqual(sealed[1]!.user)
    const [lost] = [inFlight]
    expect(lost).toBe(1)
    if (budget) expect(told).toBeGreaterThan(bill)
    const open = log.filter(
      event => event.type === 'answer-given' && event.seat === 's2' && event.round === 0,
    )
    expect(open).toMatchObject([{ call: 'ask-seat 0 s2' }])
  }
})
