/** A log from elsewhere names files of this machine, and somebody resumes it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { allStamped, type Happening } from '../src/core/event.ts'
import { fold } from '../src/core/fold.ts'
import type { Seat } from '../src/core/opening.ts'
import { exporterNamed } from '../src/exports/index.ts'
import { documentSchema, type SessionDocument } from '../src/exports/json.ts'
import { createRoundtable } from '../src/library/index.ts'
import { terminals } from './command-line.ts'
import { keepArchive } from './keep-archive.ts'
import { labFor } from './worker/setting.ts'

const file = '/etc/hostname'

interface Names {
  readonly seats?: readonly string[]
  readonly moderator?: string
  /** Takes the first seat before the session was stopped. */
  readonly newcomer?: string
}

/** A session that was stopped before anybody answered, as a JSON document. */
const stoppedSession = async ({ seats = [], moderator, newcomer }: Names): Promise<string> => {
  const table = createRoundtable({ endpoints: [{ id: 'lab', baseURL: 'http://127.0.0.1:9/v1' }], env: {} })
  const opened = await table.open({
    question: 'Is it so?',
    ...{ format: 'choice', options: ['Yes', 'No'], protocol: 'poll', deadline: 5 },
    seats: ['lab/a', 'lab/b'],
  })
  const changed = {
    ...opened,
    seats: opened.seats.map((seat, index) => ({ ...seat, model: seats[index] ?? seat.model })),
    moderator: moderator ?? null,
  }
  const [first] = changed.seats as [Seat]
  const error = { kind: 'cancelled', message: 'Somebody stopped the session.' } as const
  const later: Happening[] = [
    { type: 'round-opened', round: 0, sealed: true },
    ...changed.seats.map(({ id }) => ({ type: 'seat-silent', round: 0, seat: id, error }) as const),
    ...(newcomer === undefined
      ? []
      : [
          { type: 'seat-replaced', round: 0, seat: { ...first, model: newcomer } } as const,
          { type: 'seat-silent', round: 0, seat: first.id, error } as const,
        ]),
    { type: 'session-stopped', reason: 'interrupted', words: error.message },
    { type: 'session-finished', outcome: 'interrupted' },
  ]
  return exporterNamed('json').write([changed, ...allStamped(later, 1, Date.now)])
}

const cases: readonly [string, Names][] = [
  ['a seat', { seats: [`house/${file}`] }],
  ['the moderator', { moderator: `house/${file}` }],
  ['a newcomer', { newcomer: `house/${file}` }],
]

test('[H64] a server does not run a log that names a file as seat, moderator or newcomer', async () => {
  const lab = await labFor()
  const { start } = terminals({ ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` })
  const server = start(['serve', '--port', '0'])
  const address = await server.wrote(/Roundtable is at (http:\S+)/)
  const post = async (path: string, body: string | null): Promise<Response> => {
    const reply = await fetch(`${address}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'text/plain' },
    })
    expect([path, reply.ok, await reply.clone().text()]).toMatchObject([path, true, expect.anything()])
    return reply
  }
  const resumed = cases.map(async ([, names]): Promise<SessionDocument> => {
    const { id } = (await (await post('/api/import', await stoppedSession(names))).json()) as { id: string }
    await post(`/api/sessions/${id}/resume`, null)
    return vi.waitFor(
      async () => {
        const session = documentSchema.parse(await (await fetch(`${address}/api/sessions/${id}`)).json())
        expect(['failed', 'no-quorum', 'verdict']).toContain(session.outcome)
        return session
      },
      { timeout: 30_000, interval: 100 },
    )
  })
  for (const { outcome, events } of await Promise.all(resumed)) {
    expect(outcome).toBe('failed')
    expect(fold(events).stopped?.words).toContain(`"house/${file}" isn't a built-in model here`)
    const begun = events.findIndex(({ type }) => type === 'session-resumed')
    expect(events.slice(begun).map(({ type }) => type)).toEqual([
      'session-resumed',
      'session-stopped',
      'session-finished',
    ])
  }
  expect(lab.calls).toEqual([])
}, 60_000)

test('[T114] an imported log loads a file only if the person names it', async () => {
  const lab = await labFor()
  const { folder, run } = terminals({ ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` })
  await keepArchive(join(folder, 'data'))
  writeFileSync(join(folder, 'session.json'), await stoppedSession({ newcomer: `house/${file}` }))
  expect((await run('import', 'session.json')).code).toBe(0)
  const refused = await run('resume', 'last', '--file', '/etc/other.gguf')
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(new RegExp(`${file}\\..*--file <path>`))
  expect(lab.calls).toEqual([])
  const { out } = await run('resume', 'last', '--file', file, '--json')
  const { events } = documentSchema.parse(JSON.parse(out))
  expect(events.filter(({ type }) => type === 'session-resumed')).toHaveLength(1)
  expect(lab.calls.length).toBeGreaterThan(0)
})
