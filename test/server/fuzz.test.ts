/** Every route of the OpenAPI document, with random input. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Archive } from '../../src/store/archive.ts'
import { embeddedArchive } from '../../src/store/embedded.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { type Document, type RandomRequest, randomRequests } from './random-requests.ts'
import { question, type Setup, startSetup } from './setup.ts'

/** Everything that is stored, to see whether a refused request left a trace. */
const everything = async (archive: Archive): Promise<string> => {
  const logs = await Promise.all((await archive.list()).map(({ id }) => archive.read(id)))
  const { sessions } = await archive.find({}, { limit: 200 })
  return JSON.stringify([logs, sessions, await archive.lineups(), await archive.settings()])
}

/** A stream is closed as soon as it has begun. */
const statusOf = async ({ address }: Setup, { path, method, body, type }: RandomRequest): Promise<number> => {
  const control = new AbortController()
  const response = await fetch(`${address}${path}`, {
    method: method.toUpperCase(),
    signal: control.signal,
    ...(body !== undefined && { body, headers: { 'content-type': type! } }),
  })
  control.abort()
  return response.status
}

const fuzz = async (archive: Archive, numRuns: number): Promise<void> => {
  const setup = await startSetup({ archive, runs: false, limits: { writesPerMinute: 1_000_000 } })
  const id = await setup.ask()
  const document = (await (await setup.call('/api/openapi.json')).json()) as Document
  const known = [id, 's1', 'lab/a', 'json', 'duo', 'frontier', question.question]
  for (const requests of randomRequests(document, known))
    await fc.assert(
      fc.asyncProperty(requests, async request => {
        const before = await everything(archive)
        const status = await statusOf(setup, request)
        expect(status).toBeLessThan(500)
        if (status >= 400) expect(await everything(archive)).toBe(before)
      }),
      { numRuns },
    )
  expect((await setup.call('/readyz')).status).toBe(200)
  expect(setup.log()).not.toContain('A request failed.')
}

test('[H57] no input of any route makes the server fail, and a refused request leaves no trace', async () => {
  await fuzz(memoryStore(), 25)
}, 120_000)

test('[H57] the same on a database, which has its own limits for text and numbers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-fuzz-'))
  const archive = await embeddedArchive(folder)
  try {
    await fuzz(archive, 4)
  } finally {
    await archive.close()
    rmSync(folder, { recursive: true })
  }
}, 120_000)
