/** A process stores sessions and runs them, both on an embedded database and on a server. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LiveEvent, SessionEvent } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import { resumed, retried, stopped } from '../../src/count/acts.ts'
import { openEngineDatabase, type Where } from '../../src/run/jobs.ts'
import { PositionTaken } from '../../src/store/store.ts'
import type { Lab } from '../lab/server.ts'
import type { TestServer } from '../postgres-server.ts'
import { isWhole } from '../sampled.ts'
import {
  asksFor,
  engineAt,
  type Folders,
  finished,
  holding,
  labFor,
  makeFolders,
  newServer,
  opening,
  patience,
  tableOn,
  withoutPostgres,
} from './setting.ts'

const hangs = fileURLToPath(new URL('hang.ts', import.meta.url))

const answered = (lab: { calls: { state: string }[] }, count: number) =>
  vi.waitFor(() => expect(lab.calls.filter(call => call.state === 'done').length).toBe(count), patience)

const engineSuite = (newPlace: () => Promise<Where>): void => {
  test('[J1] a session and its job are stored together or not at all', async () => {
    const lab = await labFor()
    const where = await newPlace()
    const engine = await engineAt(where, lab, { work: false })
    const first = await opening(lab)
    await engine.queue.open(first)
    await expect(engine.queue.open(first)).rejects.toThrow(PositionTaken)
    await expect(engine.queue.interject(first.id, 7, { type: 'round-added' })).rejects.toThrow(PositionTaken)
    expect(await engine.archive.read(first.id)).toEqual([first])
    await engine.close()
    // The next process runs what this one has queued.
    const worker = await engineAt(where, lab)
    expect(await finished(worker, first.id)).toMatchObject({ outcome: 'verdict' })
  })

  test('[J2] watchers see every event once it is stored, and the pieces of answers before that', async () => {
    const lab = await labFor({ tokensPerSecond: 400, tokens: 40 })
    const engine = await engineAt(await newPlace(), lab)
    const first = await opening(lab)
    const seen: LiveEvent[] = []
    engine.bus.subscribe(first.id, event => void seen.push(event))
    await engine.queue.open(first)
    await finished(engine, first.id)
    await vi.waitFor(() => expect(engine.running()).toEqual([]), patience)
    const committed = seen.filter(event => 'position' in event)
    const log = await engine.archive.read(first.id)
    expect(new Map(committed.map(event => [event.position, event]))).toEqual(
      new Map(log.map(event => [event.position, event])),
    )
    const answer = seen.findIndex(event => event.type === 'answer-given')
    const { seat } = seen[answer] as { seat: string }
    expect(seen.findIndex(event => event.type === 'delta' && event.seat === seat)).toBeLessThan(answer)
  })

  test('[J3] what a person does reaches a run while it waits for an answer', async () => {
    const { handler, release } = holding('a')
    const lab = await labFor({ handler })
    const engine = await engineAt(await newPlace(), lab)
    const first = await opening(lab)
    await engine.queue.open(first)
    await answered(lab, 2)
    await vi.waitFor(async () => expect(await engine.archive.read(first.id)).toHaveLength(4), patience)
    await engine.queue.interject(first.id, 4, stopped(fold(await engine.archive.read(first.id))))
    expect(await finished(engine, first.id)).toMatchObject({ outcome: 'interrupted' })
    release()
    const { length } = await engine.archive.read(first.id)
    await engine.queue.interject(first.id, length, resumed(fold(await engine.archive.read(first.id))))
    await vi.waitFor(async () => {
      expect(fold(await engine.archive.read(first.id)).outcome).toBe('verdict')
    }, patience)
    expect(asksFor(lab, 'b')).toBe(2)
  })

  test('[J4] what a person does at the moment a run ends is not lost', async () => {
    const lab = await labFor({ models: { b: { fault: 'unknown-model', first: 2 } } })
    const interjections: Promise<SessionEvent>[] = []
    const engine = await engineAt(await newPlace(), lab, {
      runtime: (store, slots) => {
        const table = tableOn(lab, { store, slots })
        return {
          ...table,
          // The log has ended but the job has not, so the queue takes no second job for the session.
          async carryOn(...given) {
            const log = await table.carryOn(...given)
            if (interjections.length > 0) return log
            const { id } = fold(log)
            interjections.push(engine.queue.interject(id, log.length, retried(fold(log), 's2')))
            await interjections[0]
            return log
          },
        }
      },
    })
    const first = await opening(lab)
    await engine.queue.open(first)
    await vi.waitFor(async () => {
      const session = fold(await engine.archive.read(first.id))
      expect(session.outcome).toBe('verdict')
      expect(session.roundsSoFar.at(-1)?.handedIn.s2?.status).toBe('given')
    }, patience)
    expect(asksFor(lab, 'b')).toBe(3)
  })

  test("[J5] a session that can't run fails with the reason, delays no other, and can be resumed", async () => {
    const lab = await labFor()
    let others = false
    const engine = await engineAt(await newPlace(), lab, {
      concurrency: 1,
      runtime: (store, slots) => {
        const [none, both] = [[], [{ id: 'elsewhere', baseURL: lab.baseURL }]].map(more =>
          tableOn(lab, { endpoints: [{ id: 'lab', baseURL: lab.baseURL }, ...more], store, slots }),
        )
        return { ...none!, carryOn: (...given) => (others ? both! : none!).carryOn(...given) }
      },
    })
    const poisoned = await opening(lab)
    const seats = poisoned.seats.map(seat => ({ ...seat, model: seat.model.replace('lab/', 'elsewhere/') }))
    await engine.queue.open({ ...poisoned, seats })
    const healthy = await opening(lab)
    await engine.queue.open(healthy)
    expect(await finished(engine, healthy.id)).toMatchObject({ outcome: 'verdict' })
    const session = await finished(engine, poisoned.id)
    expect(session).toMatchObject({ outcome: 'failed', stopped: { reason: 'failed' } })
    expect(session.stopped?.words).toContain('"elsewhere/a" cannot be asked: its provider is not configured.')
    expect((await engine.archive.find({ outcome: 'failed' })).sessions).toHaveLength(1)
    others = true
    await engine.queue.interject(poisoned.id, session.position, resumed(session))
    await vi.waitFor(async () => {
      expect(fold(await engine.archive.read(poisoned.id)).outcome).toBe('verdict')
    }, patience)
  })

  test('[J6] [J7] a log that makes no sense fails, and a session that killed its process too often is set aside until it is resumed', async () => {
    const lab = await labFor()
    const where = await newPlace()
    const engine = await engineAt(where, lab, { work: false })
    const [odd, deadly] = [await opening(lab), await opening(lab)]
    await engine.queue.open(odd)
    await engine.archive.append(odd.id, [{ ...odd, position: 1 }])
    await engine.queue.open(deadly)
    await engine.close()
    const place = await openEngineDatabase(where)
    await place.database.execute(sql`UPDATE sessions SET tries = 10 WHERE id = ${deadly.id}`)
    await place.archive.close()
    const worker = await engineAt(where, lab)
    await vi.waitFor(async () => {
      const { sessions } = await worker.archive.find({ outcome: 'failed' })
      expect(sessions.map(session => session.id).sort()).toEqual([odd.id, deadly.id].sort())
    }, patience)
    const words = async (id: string) =>
      (await worker.archive.read(id)).find(event => event.type === 'session-stopped')
    expect(await words(odd.id)).toMatchObject({ words: expect.stringContaining('opens a second session') })
    expect(await words(deadly.id)).toMatchObject({ words: expect.stringContaining('died 10 times') })
    expect(lab.calls).toEqual([])
    const aside = fold(await worker.archive.read(deadly.id))
    await worker.queue.interject(deadly.id, aside.position, resumed(aside))
    await vi.waitFor(async () => {
      expect(fold(await worker.archive.read(deadly.id)).outcome).toBe('verdict')
    }, patience)
  })

  /** Sessions in their sealed round, during which the process crashed this many times. */
  const crashed = async (where: Where, lab: Lab, tries: readonly number[]) => {
    const engine = await engineAt(where, lab, { work: false })
    const firsts = await Promise.all(tries.map((_, number) => opening(lab, [`a${number}`, `b${number}`])))
    for (const first of firsts) {
      await engine.queue.open(first)
      await engine.archive.append(first.id, [
        { type: 'round-opened', position: 1, at: first.at, round: 0, sealed: true },
      ])
    }
    await engine.close()
    const place = await openEngineDatabase(where)
    for (const [index, { id }] of firsts.entries())
      await place.database.execute(sql`UPDATE sessions SET tries = ${tries[index]} WHERE id = ${id}`)
    await place.archive.close()
    return firsts
  }

  test.runIf(isWhole())(
    '[J18] a session in which the process hung and was killed counts as one that crashed its process',
    async () => {
      const lab = await labFor()
      const where = await newPlace()
      const [first] = await crashed(where, lab, [9])
      const hanging = spawn(process.execPath, [hangs, JSON.stringify(where)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(() => void hanging.kill('SIGKILL'))
      await once(hanging.stdout, 'data')
      hanging.kill('SIGKILL')
      await once(hanging, 'exit')
      const worker = await engineAt(where, lab)
      expect(await finished(worker, first!.id)).toMatchObject({ outcome: 'failed' })
      expect((await worker.archive.read(first!.id)).at(-2)).toMatchObject({
        type: 'session-stopped',
        words: expect.stringContaining('died 10 times'),
      })
      expect(lab.calls).toEqual([])
    },
    60_000,
  )

  const askedOf = (lab: Lab): string[] =>
    [...new Set(lab.calls.map(({ body }) => body.model))].filter(model => model.startsWith('a')).sort()

  test('[J13] sessions that killed their process three times are tried one at a time until they make progress, the least tried first', async () => {
    const { handler, release } = holding('a1', 'b1')
    const lab = await labFor({ handler })
    const where = await newPlace()
    const firsts = await crashed(where, lab, [5, 4, 3])
    const worker = await engineAt(where, lab)
    expect(await finished(worker, firsts[2]!.id)).toMatchObject({ outcome: 'verdict' })
    await vi.waitFor(() => expect(askedOf(lab)).toContain('a1'), patience)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(askedOf(lab)).toEqual(['a1', 'a2'])
    release()
    for (const first of firsts) expect(await finished(worker, first.id)).toMatchObject({ outcome: 'verdict' })
  })

  test('[J8] a session that is deleted while it runs stops, and its job is removed', async () => {
    const { handler, release } = holding('a')
    const lab = await labFor({ handler })
    const engine = await engineAt(await newPlace(), lab)
    const first = await opening(lab)
    await engine.queue.open(first)
    await answered(lab, 2)
    await engine.archive.remove(first.id)
    release()
    await vi.waitFor(() => expect(engine.running()).toEqual([]), patience)
    expect(await engine.archive.read(first.id)).toEqual([])
  })

  test('[J9] a process that closes hands its sessions over: its calls end, nothing is written, and another continues', async () => {
    const { handler, release } = holding('a')
    const lab = await labFor({ handler })
    const where = await newPlace()
    const engine = await engineAt(where, lab)
    const first = await opening(lab)
    await engine.queue.open(first)
    await answered(lab, 2)
    await vi.waitFor(async () => expect(await engine.archive.read(first.id)).toHaveLength(4), patience)
    await engine.close()
    await vi.waitFor(
      () => expect(lab.calls.filter(call => call.state === 'closed')).toHaveLength(1),
      patience,
    )
    const next = await engineAt(where, lab)
    expect((await next.archive.read(first.id)).map(event => event.type)).not.toContain('session-stopped')
    release()
    const session = await finished(next, first.id)
    expect(session).toMatchObject({ outcome: 'verdict', roundsSoFar: { length: 2 } })
    // Two calls for two rounds, and the one that was cancelled.
    expect([asksFor(lab, 'a'), asksFor(lab, 'b'), asksFor(lab, 'c')]).toEqual([3, 2, 2])
  })

  test('[J10] sessions beyond the concurrency wait for their turn', async () => {
    const lab = await labFor({ firstTokenMs: 20 })
    const engine = await engineAt(await newPlace(), lab, { concurrency: 2 })
    let most = 0
    const firsts = await Promise.all(Array.from({ length: 5 }, () => opening(lab)))
    for (const first of firsts) {
      engine.bus.subscribe(first.id, () => {
        most = Math.max(most, engine.running().length)
      })
      await engine.queue.open(first)
    }
    const sessions = await Promise.all(firsts.map(first => finished(engine, first.id)))
    expect(sessions.map(session => session.outcome)).toEqual(Array(5).fill('verdict'))
    expect(most).toBe(2)
  })
}

describe('an engine on an embedded database', () => {
  let folders: Folders | undefined
  beforeAll(async () => {
    folders = await makeFolders()
  }, 60_000)
  afterAll(() => folders?.stop())
  engineSuite(async () => folders!.newFolder())
})

describe.skipIf(withoutPostgres !== '')(`an engine on a Postgres server${withoutPostgres}`, () => {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await newServer()
  }, 60_000)
  afterAll(() => server?.stop(), 30_000)
  engineSuite(async () => ({ address: await server!.newDatabase() }))
})
