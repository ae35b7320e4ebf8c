/** Every protocol with a budget, at a server on which a third of all replies ignore their limit. */

import { expect, test } from 'vitest'
import { randomFor } from '../src/core/basics.ts'
import type { SessionEvent } from '../src/core/event.ts'
import { fold, usageOf } from '../src/core/fold.ts'
import { verdictOf } from '../src/count/verdict.ts'
import { openAICompatible } from '../src/models/chat.ts'
import { protocols } from '../src/protocols/index.ts'
import { callQueues } from '../src/run/budget.ts'
import { run } from '../src/run/run.ts'
import { seatsOf, table, yesOrNo } from './contracts/core-testing.ts'
import { defaultHandler } from './lab/answers.ts'
import { startLab } from './lab/server.ts'

const openedWith = (protocol: string, tokens: number): readonly SessionEvent[] =>
  table({
    seats: seatsOf(4).map(seat => ({ ...seat, model: `lab/${seat.id}` })),
    question: yesOrNo,
    protocol,
    rounds: 2,
    moderator: 'lab/moderator',
    budget: { tokens },
  }).events

test.each(protocols.map(({ id }) => id))(
  '[R50] no flood takes a session of the protocol %s over its budget',
  async protocol => {
    const random = randomFor(protocol)
    const usual = defaultHandler()
    const floods = ['x'.repeat(100_000), ' '.repeat(60_000), '字'.repeat(30_000), '🙂'.repeat(10_000)]
    let flooded = 0
    const lab = await startLab({
      tokensPerSecond: Infinity,
      handler: call => (random() < 2 / 3 ? usual(call) : floods[flooded++ % floods.length]!),
    })
    try {
      const providers = [openAICompatible({ id: 'lab', baseURL: lab.baseURL })]
      const signal = new AbortController().signal
      const runner = { providers, openQueue: callQueues(), clock: () => 0, signal, publish() {} }
      for (let times = 0; times < 8; times++) {
        const budget = 1_500 + Math.floor(random() * 40_000)
        const session = fold(await run(runner, openedWith(protocol, budget)))
        const { inputTokens, outputTokens, excessTokens } = usageOf(session)
        expect(inputTokens + outputTokens).toBeLessThanOrEqual(budget)
        expect(excessTokens).toBeUndefined()
        expect(verdictOf(session).flags).not.toContain('over budget')
      }
      expect(flooded).toBeGreaterThan(4)
    } finally {
      await lab.stop()
    }
  },
)
