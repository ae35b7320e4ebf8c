/** A process may die after any event. Whoever goes on asks for nothing that was answered, and comes to the same verdict. */
import { afterEach, expect, test } from 'vitest'
import type { SessionEvent } from '../src/core/log/event.ts'
import { fold } from '../src/core/log/state.ts'
import { verdictOf } from '../src/core/verdict/verdict.ts'
import { createRoundtable } from '../src/index.ts'
import { type Lab, startLab } from './lab/server.ts'
import { replyIn } from './lab/table-replies.ts'

let lab: Lab | undefined
afterEach(async () => {
  await lab?.stop()
  lab = undefined
})

const calls = (): number => lab!.calls.filter(({ path }) => path.endsWith('/chat/completions')).length

/** An answered call, by what it was for. */
const answered = (log: readonly SessionEvent[]): string[] =>
  log.flatMap(event => {
    if (!('usage' in event) || !event.usage) return []
    const { usage: _usage, timing: _timing, position: _position, at: _at, ...rest } = event
    return event.type === 'report-drafted' || event.type === 'report-written'
      ? ['report']
      : [JSON.stringify(rest)]
  })

const cases = [
  ...(['split', 'objection', 'agreed'] as const).map(kind => ['hybrid', kind] as const),
  ...(['poll', 'roundtable', 'cross-examination', 'delphi'] as const).map(one => [one, 'split'] as const),
]

test.each(cases)(
  '[R80] %s, open question, %s: goes on after every event, and no answered call is repeated',
  async (protocol, kind) => {
    lab = await startLab({ handler: replyIn })
    const table = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }] })
    const first = await table.open({
      question: 'Which way should the goods go?',
      seats: Array.from({ length: 6 }, (_, seat) => `lab/${kind}-m${seat + 1}`),
      moderator: `lab/${kind}-moderator`,
      protocol,
      rounds: protocol === 'poll' ? 0 : 1,
      seed: 'resume',
    })
    const carryOn = (log: readonly SessionEvent[]) =>
      table.carryOn(log, { publish() {}, interjected: () => () => {} })
    const whole = await carryOn([first])
    const complete = answered(whole)
    expect(new Set(complete).size).toBe(complete.length)
    for (let place = 1; place < whole.length; place++) {
      const before = calls()
      const resumed = await carryOn(whole.slice(0, place))
      const known = answered(whole.slice(0, place))
      expect([place, calls() - before]).toEqual([place, complete.length - known.length])
      expect(answered(resumed).toSorted()).toEqual(complete.toSorted())
      expect(verdictOf(fold(resumed)).line).toBe(verdictOf(fold(whole)).line)
      expect(fold(resumed).report).toEqual(fold(whole).report)
    }
  },
  120_000,
)
