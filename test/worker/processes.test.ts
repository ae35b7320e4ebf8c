/** Several processes on one database server tell each other what happens and share limits. Each engine here is one process. */

import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LiveEvent } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import { type Draft, written } from '../../src/core/session.ts'
import { stopped } from '../../src/count/acts.ts'
import { silentLogger } from '../../src/run/bus.ts'
import { type SharedSlots, sharedSlots } from '../../src/run/jobs.ts'
import type { TestServer } from '../postgres-server.ts'
import {
  engineAt,
  finished,
  holding,
  labFor,
  newServer,
  opening,
  patience,
  tableOn,
  withoutPostgres,
} from './setting.ts'

describe.skipIf(withoutPostgres !== '')(`processes on one Postgres server${withoutPostgres}`, () => {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await newServer()
  }, 60_000)
  afterAll(() => server?.stop(), 30_000)

  const newAddress = (): Promise<string> => server!.newDatabase()

  test('[J23] a watcher in another process sees every event, even large ones, and the pieces', async () => {
    const lab = await labFor({ firstTokenMs: 300, tokens: 3_000, tokensPerSecond: 4_000 })
    const address = await newAddress()
    const [worker, watcher] = [
      await engineAt({ address }, lab),
      await engineAt({ address }, lab, { work: false }),
    ]
    const first = await opening(lab)
    const seen: LiveEvent[] = []
    watcher.bus.subscribe(first.id, event => void seen.push(event))
    await watcher.queue.open(first)
    const session = await finished(worker, first.id)
    const committed = () =>
      new Map(seen.flatMap(event => ('position' in event ? [[event.position, event]] : [])))
    await vi.waitFor(() => expect(committed().size).toBe(session.position), patience)
    expect([...committed().values()].toSorted((one, other) => one.position - other.position)).toEqual(
      await watcher.archive.read(first.id),
    )
    expect(seen.some(event => event.type === 'delta')).toBe(true)
    expect(Math.max(...[...committed().values()].map(event => JSON.stringify(event).length))).toBeGreaterThan(
      8_000,
    )
  })

  test('[J28] a new watcher in another process gets each answer from its beginning', async () => {
    const lab = await labFor({ tokens: 150, tokensPerSecond: 100 })
    const address = await newAddress()
    const [worker, watcher] = [
      await engineAt({ address }, lab),
      await engineAt({ address }, lab, { work: false }),
    ]
    const first = await opening(lab)
    await worker.queue.open(first)
    await vi.waitFor(() => expect(worker.bus.drafts(first.id).length).toBeGreaterThan(3), patience)
    const drafts = new Map<string, Draft>()
    const answers: [Draft | undefined, { headline: string; reasoning: string }][] = []
    watcher.bus.subscribe(first.id, event => {
      if (event.type === 'delta') drafts.set(event.seat, written(drafts.get(event.seat), event))
      if (event.type === 'answer-given') answers.push([drafts.get(event.seat), event.answer])
    })
    await finished(worker, first.id)
    await vi.waitFor(() => expect(answers.length).toBeGreaterThanOrEqual(3), patience)
    for (const [draft, { headline, reasoning }] of answers)
      expect(draft).toMatchObject({ headline, reasoning })
  })

  test('[J24] what a person does in one process reaches the run in another', async () => {
    const { handler, release } = holding('a')
    const lab = await labFor({ handler })
    const address = await newAddress()
    const [worker, desk] = [
      await engineAt({ address }, lab),
      await engineAt({ address }, lab, { work: false }),
    ]
    const first = await opening(lab)
    await desk.queue.open(first)
    await vi.waitFor(async () => expect(await desk.archive.read(first.id)).toHaveLength(4), patience)
    await desk.queue.interject(first.id, 4, stopped(fold(await desk.archive.read(first.id))))
    expect(await finished(desk, first.id)).toMatchObject({ outcome: 'interrupted' })
    expect(worker.running().length).toBeLessThanOrEqual(1)
    release()
  })

  test('[J25] after the connection was down, watchers get what they missed', async () => {
    const lab = await labFor()
    const address = await newAddress()
    const watcher = await engineAt({ address }, lab, { work: false })
    const first = await opening(lab)
    const seen: LiveEvent[] = []
    watcher.bus.subscribe(first.id, event => void seen.push(event))
    const client = new Client({ connectionString: address })
    await client.connect()
    onTestFinished(() => client.end())
    const cut = await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()",
    )
    expect(cut.rows).toHaveLength(1)
    // Written without a notification.
    await watcher.archive.append(first.id, [first])
    await vi.waitFor(() => expect(seen).toEqual([first]), patience)
  })

  test('[J32] the limit of a provider holds across processes', async () => {
    let underWay = 0
    let most = 0
    const lab = await labFor({
      async handler() {
        most = Math.max(most, ++underWay)
        await new Promise(resolve => setTimeout(resolve, 30))
        underWay--
        return { headline: 'Yes.', choice: 'Yes', reasoning: 'So.', confidence: 0.5, move: 'held' }
      },
    })
    const address = await newAddress()
    const limited = (): ReturnType<typeof engineAt> =>
      engineAt({ address }, lab, {
        concurrency: 1,
        runtime: (store, slots) =>
          tableOn(lab, {
            endpoints: [{ id: 'lab', baseURL: lab.baseURL, limits: { concurrency: 2 } }],
            store,
            slots,
          }),
      })
    const engines = [await limited(), await limited()]
    const firsts = await Promise.all(Array.from({ length: 4 }, () => opening(lab)))
    for (const first of firsts) await engines[0]!.queue.open(first)
    for (const first of firsts)
      expect(await finished(engines[0]!, first.id)).toMatchObject({ outcome: 'verdict' })
    expect(most).toBe(2)
  })

  test('[J33] the slots of a process that died are free', async () => {
    const address = await newAddress()
    const slotsAt = (): SharedSlots => {
      const slots = sharedSlots(address, silentLogger)
      onTestFinished(() => slots.close())
      return slots
    }
    const [one, other] = [slotsAt(), slotsAt()]
    await one.take('lab at once', 2)
    await one.take('lab at once', 2)
    const waiting = other.take('lab at once', 2)
    const free = vi.fn()
    void waiting.then(free)
    const leave = await other.take('another at once', 1)
    leave()
    expect(free).not.toHaveBeenCalled()
    await one.close()
    await waiting
    expect(free).toHaveBeenCalledOnce()
  })
})
