/** The ledger on both databases: however many calls ask at once, nobody's budget is exceeded. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payerMeter } from '../../src/run/budget.ts'
import type { Archive, Charge, Json, Ledger } from '../../src/store/archive.ts'
import { openEmbedded } from '../../src/store/embedded.ts'
import { postgresLedger } from '../../src/store/postgres-log.ts'
import { openServer } from '../../src/store/server.ts'
import type { TestServer } from '../postgres-server.ts'
import { newServer, withoutPostgres } from '../worker/setting.ts'

interface Opened {
  readonly archive: Archive
  readonly ledgers: readonly Ledger[]
  close(): Promise<void>
}

const noon = Date.UTC(2026, 10, 18, 12)
const thisMonth = ['2026-11-01', '2026-11-30'] as const
const price = { input: 1, output: 10 }
const call = { inputTokens: 100, leastOutput: 50, mostOutput: 50 }

let server: TestServer | undefined
beforeAll(async () => {
  server = await newServer()
})
afterAll(() => server?.stop())

const databases = [
  {
    name: 'embedded',
    skip: false,
    async open(): Promise<Opened> {
      const folder = mkdtempSync(join(tmpdir(), 'roundtable-ledger-'))
      const { archive, database } = await openEmbedded(folder)
      const close = async (): Promise<void> => {
        await archive.close()
        rmSync(folder, { recursive: true, force: true })
      }
      return { archive, ledgers: [postgresLedger(database)], close }
    },
  },
  {
    name: `on a server, two processes${withoutPostgres}`,
    skip: withoutPostgres !== '',
    async open(): Promise<Opened> {
      const address = await server!.newDatabase()
      const opened = [await openServer(address), await openServer(address)]
      return {
        archive: opened[0]!.archive,
        ledgers: opened.map(({ database }) => postgresLedger(database)),
        close: async () => void (await Promise.all(opened.map(({ archive }) => archive.close()))),
      }
    },
  },
]

const usedBy = async (archive: Archive, payer: string): Promise<Charge & { calls: number }> =>
  (await archive.spending(...thisMonth))
    .filter(one => one.payer === payer)
    .reduce(
      (sum, { usd, tokens, calls }) => ({
        usd: sum.usd + usd,
        tokens: sum.tokens + tokens,
        calls: sum.calls + calls,
      }),
      { usd: 0, tokens: 0, calls: 0 },
    )

describe.each(databases)('the ledger, $name', ({ open, skip }) => {
  let opened: Opened
  beforeAll(async () => {
    if (!skip) opened = await open()
  }, 120_000)
  afterAll(() => opened?.close())

  const budget = (payer: string, value: Json) => opened.archive.saveRecord('budget', payer, value)
  const meterOf = (payer: string, { session = `session of ${payer}`, at = noon, ledger = 0 } = {}) =>
    payerMeter({
      ledger: opened.ledgers[ledger % opened.ledgers.length]!,
      payers: [{ id: payer, name: 'Ada' }, { id: 'team' }],
      session,
      clock: () => at,
    })

  test.skipIf(skip)(
    '[AC60] parallel calls never exceed the tokens of a day, and use all of them',
    async () => {
      // Each call uses all of its 150 tokens, so exactly twenty have room.
      await budget('parallel', { day: { tokens: 3_050 } })
      const meters = Array.from({ length: 60 }, (_, index) => meterOf('parallel', { ledger: index }))
      const made = await Promise.all(
        meters.map(async meter => {
          const reserved = await meter.reserve(call, price)
          if (!reserved) return 0
          await new Promise(resolve => setTimeout(resolve, 5))
          reserved.settle({ inputTokens: 100, outputTokens: 50, costUsd: null })
          await meter.settled()
          return 1
        }),
      )
      expect(made.filter(one => one === 1)).toHaveLength(20)
      expect(await usedBy(opened.archive, 'parallel')).toMatchObject({ tokens: 3_000, calls: 20 })
    },
  )

  test.skipIf(skip)('[AC60] of many who ask for the last room at once, one gets it', async () => {
    for (const payer of ['last 1', 'last 2', 'last 3', 'last 4', 'last 5']) {
      await budget(payer, { day: { tokens: 199 } })
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          opened.ledgers[index % opened.ledgers.length]!.hold({
            id: `${payer} ${index}`,
            session: payer,
            payers: [payer],
            at: noon,
            choose: left => (left.tokens >= 100 ? { usd: 0, tokens: 100 } : undefined),
          }),
        ),
      )
      expect(replies.filter(reply => 'held' in reply)).toHaveLength(1)
    }
  })

  test.skipIf(skip)('[AC61] dollars of a month hold too, over several days', async () => {
    // A call costs 100 × $1 + 50 × $10 a million: $0.0006.
    await budget('monthly', { month: { usd: 0.0015 } })
    for (const day of [17, 18, 19]) {
      const meter = meterOf('monthly', { at: Date.UTC(2026, 10, day) })
      const reserved = await meter.reserve(call, price)
      expect(reserved === undefined).toBe(day === 19)
      reserved?.settle({ inputTokens: 100, outputTokens: 50, costUsd: null })
      await meter.settled()
      if (day === 19)
        expect(meter.words).toBe(
          'The budget of Ada, $0.0015 a month, has no room for another call. There is room again from 00:00 UTC on Dec 1, 2026, or when an admin raises it.',
        )
    }
    expect((await usedBy(opened.archive, 'monthly')).usd).toBeCloseTo(0.0012, 9)
    expect(await meterOf('monthly', { at: Date.UTC(2026, 11, 1) }).reserve(call, price)).toBeDefined()
  })

  test.skipIf(skip)("[AC62] the team's budget holds for all people together, and says so", async () => {
    await budget('team', { day: { tokens: 200 } })
    const at = Date.UTC(2026, 9, 5)
    expect(await meterOf('one', { at }).reserve(call, price)).toBeDefined()
    await opened.ledgers[0]!.release('session of one')
    const meter = meterOf('another', { at })
    expect(await meter.reserve(call, price)).toBeUndefined()
    expect(meter.words).toMatch(/^The team's budget, 200 tokens a day, .* from 00:00 UTC on Oct 6, 2026/)
    await opened.archive.removeRecord('budget', 'team')
  })

  test.skipIf(skip)(
    '[AC63] what a dead runner held counts as used once its session is taken over',
    async () => {
      await budget('dead', { day: { tokens: 300 } })
      const dead = meterOf('dead', { session: 'taken over' })
      const reserved = await dead.reserve(call, price)
      await opened.ledgers.at(-1)!.release('taken over')
      // All that it held: our count of a reply may be too high, so it held more than the reply may take.
      expect(await usedBy(opened.archive, 'dead')).toMatchObject({ tokens: 200, calls: 1 })
      // It was alive after all, and comes too late: the call isn't counted twice.
      reserved!.settle({ inputTokens: 100, outputTokens: 10, costUsd: null })
      await dead.settled()
      expect(await usedBy(opened.archive, 'dead')).toMatchObject({ tokens: 200, calls: 1 })
    },
  )

  test.skipIf(skip)('[AC148] what calls under way hold is in a backup, too', async () => {
    await budget('backed up', { day: { tokens: 300 } })
    const meter = meterOf('backed up')
    const reserved = await meter.reserve(call, price)
    const inLedger = async () => (await opened.archive.ledger()).find(({ payer }) => payer === 'backed up')
    expect(await inLedger()).toMatchObject({ tokens: 200, calls: 1 })
    expect(await usedBy(opened.archive, 'backed up')).toMatchObject({ calls: 0 })
    reserved!.settle({ inputTokens: 100, outputTokens: 10, costUsd: null })
    await meter.settled()
    expect(await inLedger()).toMatchObject({ tokens: 110, calls: 1 })
  })

  test.skipIf(skip)('[AC64] a call waits for those under way, whose rest is free when they end', async () => {
    await budget('waiting', { day: { tokens: 200 } })
    const meter = meterOf('waiting')
    const first = await meter.reserve(call, price)
    const second = meterOf('waiting', { ledger: 1 }).reserve(call, price)
    first!.settle({ inputTokens: 20, outputTokens: 5, costUsd: null })
    expect(await second).toMatchObject({ outputTokens: 50 })
  })

  test.skipIf(skip)(
    '[AC65] a call that is larger than a whole budget says to raise it, and holds nothing',
    async () => {
      await budget('small', { day: { tokens: 100 } })
      const meter = meterOf('small')
      expect(await meter.reserve(call, price)).toBeUndefined()
      expect(meter.words).toBe(
        'The budget of Ada, 100 tokens a day, is smaller than this call. Ask an admin to raise it.',
      )
    },
  )
})
