/** A session waits for somebody outside: as a log with nothing under way, on an embedded database and on a server. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SessionEvent } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import type { SessionOpened } from '../../src/core/opening.ts'
import type { Engine, Where } from '../../src/run/jobs.ts'
import { answerFromOutside, outsideTurns } from '../../src/run/run.ts'
import type { Lab } from '../lab/server.ts'
import type { TestServer } from '../postgres-server.ts'
import {
  asksFor,
  engineAt,
  type Folders,
  finished,
  labFor,
  makeFolders,
  newServer,
  patience,
  tableOn,
  withoutPostgres,
} from './setting.ts'

const answer = { reading: null, reasoning: 'Mine.', headline: 'No, wait.', choice: 'No', confidence: 0.7 }

const opening = (lab: Lab, deadline: number): Promise<SessionEvent & SessionOpened> =>
  tableOn(lab).open({
    question: 'Should a small team start early?',
    options: ['Yes', 'No'],
    seats: ['lab/a', 'lab/b'],
    people: [{ name: 'Ada', deadline, program: true }],
    moderator: null,
    protocol: 'poll',
  })

/** The others have answered, and nothing runs. */
const waits = (engine: Engine, id: string) =>
  vi.waitFor(async () => {
    const log = await engine.archive.read(id)
    expect(log.filter(event => event.type === 'answer-given')).toHaveLength(2)
    expect(engine.running()).toEqual([])
    return fold(log)
  }, patience)

const suite = (newPlace: () => Promise<Where>): void => {
  test('[J66] while it waits, nothing is under way, and the answer from outside goes on with it', async () => {
    const lab = await labFor()
    const engine = await engineAt(await newPlace(), lab)
    const first = await opening(lab, 3_600)
    await engine.queue.open(first)
    const session = await waits(engine, first.id)
    const [turn] = outsideTurns(session)
    expect(turn).toMatchObject({ seat: 's3', round: 0 })
    const event = await answerFromOutside(session, 's3', 0, answer, Date.now())
    await engine.queue.interject(first.id, session.position, event)
    const over = await finished(engine, first.id)
    expect(over.roundsSoFar[0]!.handedIn.s3).toMatchObject({ status: 'given', answer: { choice: 'No' } })
    expect([asksFor(lab, 'a'), asksFor(lab, 'b')]).toEqual([1, 1])
  })

  test('[J67] its deadline passes also if no process was there: the seat is silent, and a late answer is refused', async () => {
    const lab = await labFor()
    const where = await newPlace()
    const engine = await engineAt(where, lab)
    const first = await opening(lab, 4)
    await engine.queue.open(first)
    const session = await waits(engine, first.id)
    await engine.close()
    const next = await engineAt(where, lab)
    const over = await finished(next, first.id)
    expect(over.roundsSoFar[0]!.handedIn.s3).toMatchObject({ status: 'silent', error: { kind: 'timeout' } })
    expect(over.outcome).toBe('verdict')
    const late = Date.now() + 60_000
    await expect(answerFromOutside(session, 's3', 0, answer, late)).rejects.toThrow('over')
    await expect(answerFromOutside(over, 's3', 0, answer, Date.now())).rejects.toThrow()
    expect([asksFor(lab, 'a'), asksFor(lab, 'b')]).toEqual([1, 1])
  })
}

describe('embedded', () => {
  let folders: Folders
  beforeAll(async () => {
    folders = await makeFolders()
  }, 120_000)
  afterAll(() => folders.stop())
  suite(async () => folders.newFolder())
})

describe.skipIf(withoutPostgres !== '')(`on a server${withoutPostgres}`, () => {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await newServer()
  }, 120_000)
  afterAll(() => server?.stop())
  suite(async () => ({ address: await server!.newDatabase() }))
})
