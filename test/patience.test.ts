/** A table that doesn't wait for its slowest seat: what is decided by time is in the log, and nothing is asked twice. */

import { afterEach, expect, test, vi } from 'vitest'
import { type SessionEvent, stamped } from '../src/core/event.ts'
import { fold } from '../src/core/fold.ts'
import { wentOnWithout } from '../src/count/acts.ts'
import { verdictOf } from '../src/count/verdict.ts'
import { createRoundtable } from '../src/library/index.ts'
import { memoryStore } from '../src/store/memory.ts'
import { type Lab, startLab } from './lab/server.ts'

let lab: Lab | undefined
afterEach(async () => {
  await lab?.stop()
  lab = undefined
})

/** Three seats. The first answer of `c` is held back until it is let go; the moderator's report is held back too. */
const slowTable = async (
  wish: { protocol?: string; rounds?: number; patience?: number } = { patience: 2, rounds: 1 },
) => {
  const [answer, report] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let slow = 0
  lab = await startLab({
    async handler({ body }) {
      const { model } = body
      if (model === 'moderator') await report.promise
      if (model === 'c' && slow++ === 0) await answer.promise
      const choice = model === 'b' ? 'No' : 'Yes'
      return { headline: `${choice}.`, choice, reasoning: `So says ${model}.`, confidence: 0.8 }
    },
  })
  let now = Date.UTC(2026, 0, 2)
  const store = memoryStore()
  const table = createRoundtable({
    endpoints: [{ id: 'lab', baseURL: lab.baseURL }],
    store,
    clock: () => now,
  })
  const first = await table.open({
    question: 'Should a small team start early?',
    format: 'choice',
    options: ['Yes', 'No'],
    seats: ['lab/a', 'lab/b', 'lab/c'],
    moderator: 'lab/moderator',
    kind: 'judgement',
    protocol: 'roundtable',
    ...wish,
  })
  await store.append(first.id, [first])
  let wake = (): void => {}
  const log = (): Promise<SessionEvent[]> => store.read(first.id)
  return {
    log,
    answer: answer.resolve,
    report: report.resolve,
    asked: (model: string) => lab!.calls.filter(call => call.body.model === model).length,
    pass(seconds: number) {
      now += seconds * 1_000
      wake()
    },
    write: async (make: (events: SessionEvent[]) => Parameters<typeof stamped>[0]) => {
      const events = await log()
      await store.append(first.id, [stamped(make(events), events.length, () => now)])
      wake()
    },
    run: async (abandoned?: AbortSignal) =>
      table.carryOn(await log(), {
        ...(abandoned && { abandoned }),
        interjected: listener => {
          wake = listener
          return () => {}
        },
      }),
  }
}

type SlowTable = Awaited<ReturnType<typeof slowTable>>

const seen = async (table: SlowTable, type: SessionEvent['type'], count: number): Promise<void> =>
  vi.waitFor(async () => {
    const events = await table.log()
    expect(events.filter(event => event.type === type)).toHaveLength(count)
  })

test('[R66] a seat that takes too long no longer holds the round up; its answer counts, is marked, and is asked for once', async () => {
  const table = await slowTable()
  const running = table.run()
  await seen(table, 'answer-given', 2)
  table.pass(11)
  await seen(table, 'round-opened', 2)
  await seen(table, 'answer-given', 5)
  table.answer()
  await seen(table, 'answer-given', 6)
  table.report()
  const session = fold(await running)
  expect(session.roundsSoFar[0]?.handedIn.s3).toMatchObject({ status: 'given', late: 1 })
  expect(session.roundsSoFar[1]?.handedIn.s3).toMatchObject({ status: 'given' })
  expect(session.roundsSoFar[1]?.handedIn.s3?.late).toBeUndefined()
  expect(verdictOf(session).sealed).toMatchObject({ answered: 3, agree: 2 })
  expect(table.asked('c')).toBe(2)
  expect((await table.log()).filter(({ type }) => type === 'seat-overdue')).toMatchObject([
    { seat: 's3', round: 0, by: 'patience' },
  ])
})

test('[R66] without a patience the round waits', async () => {
  const table = await slowTable({ rounds: 1 })
  const running = table.run()
  await seen(table, 'answer-given', 2)
  table.pass(100)
  table.answer()
  table.report()
  const events = await running
  expect(events.filter(({ type }) => type === 'seat-overdue')).toEqual([])
  expect(fold(events).roundsSoFar[0]?.handedIn.s3?.late).toBeUndefined()
})

test('[R67] a report that was asked for before a late answer came is asked for again, and both are paid', async () => {
  const table = await slowTable({ protocol: 'poll', patience: 2 })
  const running = table.run()
  await seen(table, 'answer-given', 2)
  table.pass(11)
  await vi.waitFor(() => expect(table.asked('moderator')).toBe(1))
  table.answer()
  await seen(table, 'answer-given', 3)
  table.report()
  const events = await running
  const reports = events.filter(event => event.type === 'report-written')
  expect(reports.filter(({ outdated }) => outdated)).toHaveLength(1)
  expect(reports.filter(({ outdated }) => !outdated)).toHaveLength(1)
  expect(verdictOf(fold(events))).toMatchObject({ agree: 2, answered: 3 })
})

test('[R68] a seat whose answer does not come before the end is silent, for that reason', async () => {
  const table = await slowTable({ protocol: 'poll', patience: 2 })
  const running = table.run()
  await seen(table, 'answer-given', 2)
  table.pass(11)
  await vi.waitFor(() => expect(table.asked('moderator')).toBe(1))
  table.report()
  const session = fold(await running)
  expect(session.outcome).toBe('verdict')
  expect(session.roundsSoFar[0]?.handedIn.s3).toMatchObject({
    status: 'silent',
    error: { kind: 'cancelled', message: 'the session ended before it answered' },
  })
  await vi.waitFor(() => expect(lab!.calls.filter(call => call.state === 'closed')).toHaveLength(1))
})

test('[R69] a run that takes over follows what the log says, and asks the slow seat for no closed round', async () => {
  const table = await slowTable()
  const left = new AbortController()
  const running = table.run(left.signal)
  await seen(table, 'answer-given', 2)
  table.pass(11)
  await seen(table, 'answer-given', 5)
  left.abort()
  await expect(running).rejects.toThrow('given up')
  table.report()
  const session = fold(await table.run())
  expect(session.roundsSoFar[0]?.handedIn.s3).toMatchObject({ status: 'silent', late: 1 })
  expect(session.roundsSoFar[1]?.handedIn.s3).toMatchObject({ status: 'given' })
  expect(table.asked('c')).toBe(2)
  expect(table.asked('a')).toBe(2)
})

test('[R70] a person goes on without a seat while the session runs, with or without a patience', async () => {
  const table = await slowTable({ rounds: 1 })
  const running = table.run()
  await seen(table, 'answer-given', 2)
  await table.write(events => wentOnWithout(fold(events), 's3'))
  await seen(table, 'answer-given', 5)
  table.answer()
  await seen(table, 'answer-given', 6)
  table.report()
  expect(fold(await running).roundsSoFar[0]?.handedIn.s3).toMatchObject({ status: 'given', late: 1 })
})
