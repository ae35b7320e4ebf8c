/** A person acts on a session while it runs, through the log alone. */

import { afterEach, expect, test, vi } from 'vitest'
import { type Happening, type LiveEvent, type SessionEvent, stamped } from '../src/core/event.ts'
import { fold } from '../src/core/fold.ts'
import { replaced, resumed, retried, roundAdded, stopped } from '../src/count/acts.ts'
import { verdictOf } from '../src/count/verdict.ts'
import { createRoundtable } from '../src/library/index.ts'
import { memoryStore } from '../src/store/memory.ts'
import { PositionTaken } from '../src/store/store.ts'
import { newcomerFor } from '../src/table/seats.ts'
import type { LabOptions } from './lab/options.ts'
import { type Lab, startLab } from './lab/server.ts'

let lab: Lab | undefined
afterEach(async () => {
  await lab?.stop()
  lab = undefined
})

/** A session that is opened and stored, and a way to run it that can be written to meanwhile. */
const opened = async (options: LabOptions, protocol = 'roundtable') => {
  lab = await startLab(options)
  const store = memoryStore()
  const table = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }], store })
  const first = await table.open({
    question: 'Should a small team start early?',
    format: 'choice',
    options: ['Yes', 'No'],
    seats: ['lab/a', 'lab/b', 'lab/c'],
    moderator: null,
    protocol,
  })
  const { id } = first
  await store.append(id, [first])
  let wake = (): void => {}
  const log = (): Promise<SessionEvent[]> => store.read(id)
  return {
    table,
    log,
    write: async (make: (log: SessionEvent[]) => Happening) => {
      const events = await log()
      await store.append(id, [stamped(make(events), events.length, Date.now)])
      wake()
    },
    run: async (publish: (event: LiveEvent) => void = () => {}) =>
      table.carryOn(await log(), {
        publish,
        interjected: listener => {
          wake = listener
          return () => {}
        },
      }),
  }
}

/** Holds back the replies of one model until it is let go; the others answer Yes at once. */
const holding = (model: string) => {
  const held = Promise.withResolvers<void>()
  const reply = {
    headline: 'Yes, early.',
    choice: 'Yes',
    reasoning: 'It keeps mistakes cheap.',
    confidence: 0.8,
    move: 'held',
  }
  return {
    release: held.resolve,
    handler: async ({ body }: { body: { model: string } }) => {
      if (body.model === model) await held.promise
      return reply
    },
  }
}

/** Until so many seats have handed in, one way or the other. */
const untilDone = (count: number) => {
  const reached = Promise.withResolvers<void>()
  let seen = 0
  return {
    reached: reached.promise,
    publish: (event: LiveEvent) => {
      if ((event.type === 'seat-silent' || event.type === 'answer-given') && ++seen === count)
        reached.resolve()
    },
  }
}

const asksFor = (model: string): number => lab!.calls.filter(call => call.body.model === model).length

test('[R42] a seat that failed is asked again, and another replaced, while a third still thinks', async () => {
  const { release, handler } = holding('a')
  const models = { b: { fault: 'unknown-model', first: 1 }, c: { fault: 'unknown-model' } } as const
  const { table, log, write, run } = await opened({ handler, models })
  const others = untilDone(2)
  const running = run(others.publish)
  await others.reached
  await write(events => retried(fold(events), 's2'))
  await write(events => {
    const session = fold(events)
    return replaced(session, 's3', newcomerFor('lab/d', session.question, table.reach))
  })
  release()
  const session = fold(await running)
  expect(session.outcome).toBe('verdict')
  expect(verdictOf(session)).toMatchObject({ agree: 3, of: 3 })
  expect(session.seats[2]).toMatchObject({ id: 's3', model: 'lab/d' })
  expect(await log()).toEqual(await running)
  // Once for the sealed round, in which all agree, and once for the failure.
  expect([asksFor('a'), asksFor('b'), asksFor('c'), asksFor('d')]).toEqual([1, 2, 1, 1])
})

test('[R42] a run stops where another runner has written', async () => {
  const { release, handler } = holding('a')
  const { run, write } = await opened({ handler, models: { b: { fault: 'unknown-model' } } })
  const others = untilDone(2)
  const running = run(others.publish)
  const stops = expect(running).rejects.toThrow(PositionTaken)
  await others.reached
  await write(() => ({ type: 'seat-abstained', round: 0, seat: 's1', words: 'No.' }))
  await stops
  release()
})

test('[R43] [R44] a stop in the log ends the session with what there is; resumed, only the rest is asked', async () => {
  const { release, handler } = holding('a')
  const { run, write, log } = await opened({ handler, models: { b: { fault: 'unknown-model', first: 1 } } })
  const others = untilDone(2)
  const running = run(others.publish)
  await others.reached
  await write(events => stopped(fold(events)))
  expect(fold(await running)).toMatchObject({ outcome: 'interrupted', stopped: { reason: 'interrupted' } })
  expect(fold(await log()).roundsSoFar[0]?.handedIn.s1).toMatchObject({ error: { kind: 'cancelled' } })
  await vi.waitFor(() => expect(lab!.calls.filter(call => call.state === 'closed')).toHaveLength(1))
  release()
  await write(events => resumed(fold(events)))
  const session = fold(await run())
  expect(session.outcome).toBe('verdict')
  // The failure of b stays: it was not cut short.
  expect(session.roundsSoFar[0]?.handedIn.s2?.status).toBe('silent')
  expect(asksFor('c')).toBe(2)
  expect((await log()).map(event => event.position)).toEqual((await log()).map((_, index) => index))
})

test.each(['roundtable', 'hybrid'])('[Q32] %s holds the round that was added', async protocol => {
  const { handler, release } = holding('nobody')
  const { run, write } = await opened({ handler }, protocol)
  release()
  const before = fold(await run())
  await write(events => roundAdded(fold(events), 4))
  const after = fold(await run())
  expect(after.roundsSoFar).toHaveLength(before.roundsSoFar.length + 1)
  expect(after).toMatchObject({ outcome: 'verdict', reportBy: 'code' })
})
