/** A process may die after any event. Whoever goes on asks for nothing that was answered, and comes to the same verdict. */

import { afterEach, expect, test, vi } from 'vitest'
import { nonceFor } from '../src/core/basics.ts'
import type { SessionEvent } from '../src/core/event.ts'
import { fold } from '../src/core/fold.ts'
import { verdictOf } from '../src/count/verdict.ts'
import { createRoundtable } from '../src/library/index.ts'
import { callKey, givenUpBy, questionOf, settledCalls } from './crash/calls.ts'
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

const slowSeat = 's6'

/** A whole session in which the table went on without one seat, and its answer came while the report was written. */
const lateSession = async () => {
  const [answer, report] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFirst = true
  lab = await startLab({
    async handler(call) {
      const { model, response_format: format } = call.body
      if (model === 'split-m6' && isFirst) {
        isFirst = false
        await answer.promise
      }
      if (format?.json_schema?.name === 'report') await report.promise
      return replyIn(call)
    },
  })
  let now = Date.UTC(2026, 0, 2)
  const table = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }], clock: () => now })
  const first = await table.open({
    question: questionOf(1),
    seats: Array.from({ length: 6 }, (_, seat) => `lab/split-m${seat + 1}`),
    moderator: 'lab/split-moderator',
    protocol: 'hybrid',
    rounds: 1,
    patience: 2,
    seed: 'late',
  })
  const seen: SessionEvent[] = []
  const count = (type: SessionEvent['type'], least: number) =>
    vi.waitFor(
      () => expect(seen.filter(event => event.type === type).length).toBeGreaterThanOrEqual(least),
      20_000,
    )
  let wake = (): void => {}
  const running = table.carryOn([first], {
    publish: event => void ('position' in event && seen.push(event)),
    interjected: listener => {
      wake = listener
      return () => {}
    },
  })
  await count('answer-given', 5)
  now += 11_000
  wake()
  await count('answer-given', 11)
  await vi.waitFor(() => expect(lab!.calls.some(call => callKey(call) === reportKey)).toBe(true), 20_000)
  answer.resolve()
  await count('answer-given', 12)
  report.resolve()
  return {
    whole: await running,
    carryOn: (log: readonly SessionEvent[]) =>
      table.carryOn(log, { publish() {}, interjected: () => () => {} }),
  }
}

const reportKey = `1 ${nonceFor('late report')}`

test('[R93] with a patience, it goes on after every event: nothing that was answered is asked again, nor what came late or was given up', async () => {
  const { whole, carryOn } = await lateSession()
  const { line } = verdictOf(fold(whole))
  const overdue = whole.findIndex(({ type }) => type === 'seat-overdue')
  const late = whole.findIndex(
    event => event.type === 'answer-given' && event.seat === slowSeat && event.round === 0,
  )
  expect([overdue > 0, late > overdue]).toEqual([true, true])
  expect(whole.some(event => 'outdated' in event && event.outdated)).toBe(true)
  for (let place = 1; place < whole.length; place++) {
    const prefix = whole.slice(0, place)
    const before = lab!.calls.length
    const session = fold(await carryOn(prefix))
    const asked = lab!.calls.slice(before).map(callKey)
    const known = [
      ...settledCalls(1, prefix).map(({ key }) => key),
      ...prefix.flatMap(event => givenUpBy(1, event) ?? []),
    ]
    expect([place, asked.filter(key => known.includes(key))]).toEqual([place, []])
    expect([place, asked.length]).toEqual([place, new Set(asked).size])
    expect([place, session.outcome]).toEqual([place, 'verdict'])
    const handedIn = session.roundsSoFar[0]?.handedIn[slowSeat]
    if (place > late) expect([place, verdictOf(session).line, handedIn?.late]).toEqual([place, line, 1])
    // Its call died with the process, and may have been paid for.
    else if (place > overdue) expect([place, handedIn?.status]).toEqual([place, 'silent'])
    else expect([place, handedIn?.status, handedIn?.late]).toEqual([place, 'given', undefined])
  }
}, 120_000)
