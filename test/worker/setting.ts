/** Engines on a new database, sessions for them, and a lab that answers. */

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { SessionEvent } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import type { SessionOpened } from '../../src/core/opening.ts'
import type { Session } from '../../src/core/session.ts'
import { createRoundtable, type Roundtable, type RoundtableOptions } from '../../src/library/index.ts'
import type { Engine, Where } from '../../src/run/jobs.ts'
import { type EngineOptions, openEngine } from '../../src/run/worker.ts'
import type { LabOptions } from '../lab/options.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { postgresPrograms, startPostgres, type TestServer } from '../postgres-server.ts'

export interface Folders {
  /** A new embedded database, with everything in it that an engine needs. */
  newFolder(): { readonly folder: string }
  stop(): void
}

/** Creating a database takes seconds, so one is created and copied for each test. */
export const makeFolders = async (): Promise<Folders> => {
  const template = mkdtempSync(join(tmpdir(), 'roundtable-template-'))
  const engine = await openEngine({
    where: { folder: template },
    runtime: () => createRoundtable(),
    work: false,
  })
  await engine.close()
  return {
    newFolder() {
      const folder = mkdtempSync(join(tmpdir(), 'roundtable-engine-'))
      cpSync(template, folder, { recursive: true })
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      return { folder }
    },
    stop: () => rmSync(template, { recursive: true, force: true }),
  }
}

const programs = await postgresPrograms()
export const withoutPostgres = programs ? '' : ' (skipped: there is no Postgres here that this user may run)'

/** One server for a test file, with a new database for each test. */
export const newServer = async (): Promise<TestServer | undefined> => programs && startPostgres(programs)

export const labFor = async (options: LabOptions = {}): Promise<Lab> => {
  const lab = await startLab(options)
  onTestFinished(() => lab.stop())
  return lab
}

export const tableOn = (lab: Lab, options: RoundtableOptions = {}): Roundtable =>
  createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }], ...options })

/** An engine that is closed at the end of its test. It may be closed earlier. */
export const engineAt = async (
  where: Where,
  lab: Lab,
  options: Partial<EngineOptions> = {},
): Promise<Engine> => {
  const engine = await openEngine({
    where,
    runtime: (store, slots) => tableOn(lab, { store, slots }),
    ...options,
  })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= engine.close()
    return closing
  }
  onTestFinished(close)
  return { ...engine, close }
}

export const opening = (
  lab: Lab,
  seats: readonly string[] = ['a', 'b', 'c'],
): Promise<SessionEvent & SessionOpened> =>
  tableOn(lab).open({
    question: 'Should a small team start early?',
    format: 'choice',
    options: ['Yes', 'No'],
    seats: seats.map(seat => `lab/${seat}`),
    // Calls of the seats alone are counted.
    moderator: null,
    protocol: 'roundtable',
    rounds: 1,
  })

export const patience = { timeout: 25_000, interval: 20 }

export const finished = (engine: Engine, id: string): Promise<Session> =>
  vi.waitFor(async () => {
    const session = fold(await engine.archive.read(id))
    if (!session.outcome) throw new Error(`${id} is not over yet`)
    return session
  }, patience)

/** Holds back the replies of some models until they are released. */
export const holding = (...models: readonly string[]) => {
  const held = Promise.withResolvers<void>()
  const handler = async ({ body }: { body: { model: string } }) => {
    if (models.includes(body.model)) await held.promise
    // One of them thinks otherwise: a table that agrees at once wouldn't hold its second round.
    const choice = body.model === 'c' ? 'No' : 'Yes'
    return {
      headline: `${choice}.`,
      choice,
      reasoning: 'It keeps mistakes cheap.',
      confidence: 0.8,
      move: 'held',
    }
  }
  return { handler, release: held.resolve }
}

export const asksFor = (lab: Lab, model: string): number =>
  lab.calls.filter(call => call.body.model === model).length
