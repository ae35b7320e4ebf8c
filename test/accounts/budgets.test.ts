/** The budgets of a person and of the team, over sessions that several processes run. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fold } from '../../src/core/fold.ts'
import type { Archive } from '../../src/store/archive.ts'
import type { RecordedCall } from '../lab/call.ts'
import { promptTokens } from '../lab/sending.ts'
import type { Lab } from '../lab/server.ts'
import type { TestServer } from '../postgres-server.ts'
import { isWhole } from '../sampled.ts'
import {
  engineAt,
  finished,
  labFor,
  newServer,
  opening,
  patience,
  withoutPostgres,
} from '../worker/setting.ts'

const ada = { owner: 'ada', visibility: 'private' } as const

const usedBy = async (archive: Archive, payer: string): Promise<number> =>
  (await archive.spending('2000-01-01', '2999-12-31'))
    .filter(one => one.payer === payer)
    .reduce((sum, { tokens }) => sum + tokens, 0)

/** What the lab would bill at least: the input of every call that reached it. */
const billed = ({ calls }: Lab): number =>
  calls
    .filter(({ path }: RecordedCall) => path.endsWith('/completions'))
    .reduce((sum, { body }) => sum + promptTokens(body.messages), 0)

const startWorker = async (address: string, lab: Lab): Promise<ChildProcess> => {
  const worker = spawn(process.execPath, ['test/accounts/paying-worker.ts', address, lab.baseURL], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void worker.kill('SIGKILL'))
  await once(worker.stdout!, 'data')
  return worker
}

describe.skipIf(withoutPostgres !== '')(`budgets over two processes on Postgres${withoutPostgres}`, () => {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await newServer()
  })
  afterAll(() => server?.stop())

  test('[AC66] a session stops with words that say whose budget is used up, and when there is room again', async () => {
    const lab = await labFor()
    const engine = await engineAt({ address: await server!.newDatabase() }, lab)
    await engine.archive.saveRecord('person', 'ada', { id: 'ada', name: 'Ada', role: 'member' })
    await engine.archive.saveRecord('budget', 'ada', { day: { tokens: 10 } })
    const first = await opening(lab)
    await engine.queue.open(first, [], ada)
    const { stopped } = await finished(engine, first.id)
    expect(stopped).toMatchObject({
      reason: 'budget',
      words: expect.stringMatching(/^The budget of Ada, 10 tokens a day, is smaller than this call/),
    })
    expect(lab.calls).toHaveLength(0)
  })

  test('[AC67] a session without an owner is paid by nobody, unless accounts are on', async () => {
    const lab = await labFor()
    const address = await server!.newDatabase()
    const off = await engineAt({ address }, lab)
    await off.archive.saveRecord('budget', 'team', { day: { tokens: 10 } })
    const free = await opening(lab)
    await off.queue.open(free)
    expect(await finished(off, free.id)).toMatchObject({ outcome: 'verdict' })
    expect(await off.archive.spending('2000-01-01', '2999-12-31')).toEqual([])
    await off.close()
    const on = await engineAt({ address }, lab, { accounts: true })
    const team = await opening(lab)
    await on.queue.open(team)
    const { stopped } = await finished(on, team.id)
    expect(stopped?.words).toMatch(/^The team's budget, 10 tokens a day/)
  })

  test.runIf(isWhole())(
    '[AC68] with two workers at once and one killed, nobody is over budget by a token',
    async () => {
      const lab = await labFor({ firstTokenMs: 150, tokens: 60, tokensPerSecond: 400 })
      const address = await server!.newDatabase()
      const desk = await engineAt({ address }, lab, { work: false })
      const limit = 8_000
      await desk.archive.saveRecord('budget', 'ada', { day: { tokens: limit } })
      const [killed] = [await startWorker(address, lab), await startWorker(address, lab)]
      const firsts = await Promise.all(Array.from({ length: 14 }, () => opening(lab)))
      for (const first of firsts) await desk.queue.open(first, [], ada)
      await vi.waitFor(() => expect(lab.calls.length).toBeGreaterThan(6), patience)
      killed!.kill('SIGKILL')
      const ended = (id: string) =>
        vi.waitFor(
          async () => {
            const session = fold(await desk.archive.read(id))
            expect(session.outcome).toBeDefined()
            return session
          },
          { ...patience, timeout: 60_000 },
        )
      const sessions = await Promise.all(firsts.map(({ id }) => ended(id)))
      expect(sessions.some(({ stopped }) => stopped?.reason === 'budget')).toBe(true)
      const used = await usedBy(desk.archive, 'ada')
      expect(used).toBeLessThanOrEqual(limit)
      // No call that reached the provider is missing.
      expect(used).toBeGreaterThan(limit / 2)
      expect(used).toBeGreaterThanOrEqual(billed(lab))
      expect(await usedBy(desk.archive, 'team')).toBe(used)
    },
    90_000,
  )
})
