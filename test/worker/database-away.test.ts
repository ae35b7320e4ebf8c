/** Connections that break, a database that restarts, and one that is away for a while. */

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { Logger } from '../../src/run/bus.ts'
import type { Engine } from '../../src/run/jobs.ts'
import { openServer } from '../../src/store/server.ts'
import type { Lab } from '../lab/server.ts'
import type { TestServer } from '../postgres-server.ts'
import {
  engineAt,
  finished,
  holding,
  labFor,
  newServer,
  opening,
  patience,
  withoutPostgres,
} from './setting.ts'

declare module 'vitest' {
  interface ProvidedContext {
    secondsAway: number
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, milliseconds))

/** Three seats in two rounds, each asked once: a call more would have been paid twice. */
const callsOfOne = 6

const openMany = async (engine: Engine, lab: Lab, count: number): Promise<string[]> => {
  const firsts = await Promise.all(Array.from({ length: count }, () => opening(lab)))
  await Promise.all(firsts.map(first => engine.queue.open(first)))
  return firsts.map(({ id }) => id)
}

const expectWhole = async (engine: Engine, lab: Lab, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    await vi.waitFor(
      async () => expect((await engine.archive.read(id)).at(-1)?.type).toBe('session-finished'),
      {
        timeout: 60_000,
        interval: 100,
      },
    )
    const session = await finished(engine, id)
    expect(session.outcome).toBe('verdict')
    const log = await engine.archive.read(id)
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index))
    expect(log.filter(({ type }) => type === 'answer-given')).toHaveLength(callsOfOne)
  }
  expect(lab.calls).toHaveLength(callsOfOne * ids.length)
}

describe.skipIf(withoutPostgres !== '')(`a database that fails${withoutPostgres}`, () => {
  let server: TestServer
  beforeAll(async () => {
    server = (await newServer())!
  }, 60_000)
  afterAll(() => server?.stop(), 30_000)

  test('[J15] a connection that breaks inside a transaction fails that transaction, and no more', async () => {
    const { archive, database } = await openServer(await server.newDatabase())
    onTestFinished(() => archive.close())
    // More than there are connections in the pool: none may get lost.
    for (let round = 0; round < 12; round++) {
      const broken = database.transaction(async transaction => {
        await transaction.execute(sql`SELECT 1`)
        expect(await server.endConnections()).toBeGreaterThan(0)
        await pause(30)
        await transaction.execute(sql`SELECT 1`)
      })
      await expect(broken).rejects.toThrow()
    }
    // Some of these break when they begin.
    for (let round = 0; round < 20; round++) {
      const ending = server.endConnections()
      const tries = Array.from({ length: 10 }, () =>
        database.transaction(transaction => transaction.execute(sql`SELECT pg_sleep(0.001)`)),
      )
      await Promise.allSettled([ending, ...tries])
    }
    await pause(50)
    const after = Array.from({ length: 20 }, () =>
      database.transaction(transaction => transaction.execute(sql`SELECT 1`)),
    )
    await Promise.all(after)
    expect(await archive.list()).toEqual([])
  }, 60_000)

  test('[J16] while connections break at random, sessions go on: nothing is lost, and no answer is paid for twice', async () => {
    const lab = await labFor({
      handler: holding().handler,
      firstTokenMs: 50,
      tokens: 20,
      tokensPerSecond: 50,
    })
    const engine = await engineAt({ address: await server.newDatabase() }, lab)
    const ids = await openMany(engine, lab, 20)
    let cut = 0
    for (let round = 0; round < 30; round++) {
      cut += await server.endConnections(0.5)
      await pause(60)
    }
    expect(cut).toBeGreaterThan(30)
    await expectWhole(engine, lab, ids)
  }, 120_000)

  test('[J16] a restart of the database in the middle ends no session', async () => {
    const lab = await labFor({
      handler: holding().handler,
      firstTokenMs: 50,
      tokens: 20,
      tokensPerSecond: 50,
    })
    const engine = await engineAt({ address: await server.newDatabase() }, lab)
    const ids = await openMany(engine, lab, 10)
    await pause(200)
    await server.halt()
    await server.resume()
    await expectWhole(engine, lab, ids)
  }, 120_000)

  test('[J16] answers that arrive while the database is away are kept, even if the heartbeat lapses', async ({
    annotate,
  }) => {
    const seconds = inject('secondsAway')
    const { handler, release } = holding('b', 'c')
    const lab = await labFor({ handler })
    const warnings: string[] = []
    const logger: Logger = {
      debug() {},
      info() {},
      warn: (_, words) => void warnings.push(words),
      error() {},
    }
    const engine = await engineAt({ address: await server.newDatabase() }, lab, { logger })
    const ids = await openMany(engine, lab, 3)
    await vi.waitFor(() => expect(lab.calls).toHaveLength(9), patience)
    await server.halt()
    release()
    await pause(seconds * 1_000)
    const down = warnings.filter(words => words.includes('connection to other processes')).length
    await server.resume()
    const back = Date.now()
    await expectWhole(engine, lab, ids)
    const later = ((Date.now() - back) / 1_000).toFixed(1)
    // One try after another, not ever more at once.
    expect(down).toBeLessThan(3.5 * seconds)
    await annotate(
      `away for ${seconds} s: ${ids.length} sessions with a verdict ${later} s later, ${lab.calls.length} calls for ${callsOfOne * ids.length} answers, ${down} failed connections of the bus`,
    )
  }, 600_000)
})
