/** Text that databases refuse, and names that objects already have, in requests and in imported sessions. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../src/core/event.ts'
import { exporterNamed } from '../../src/exports/index.ts'
import { embeddedArchive } from '../../src/store/embedded.ts'
import { sampleLog } from '../sample-session.ts'
import { question, type Setup, startSetup } from './setup.ts'

const odd = ['a\0b', 'a\ud800b', 'constructor', '__proto__']

type Opened = Extract<SessionEvent, { type: 'session-opened' }>

/** The sample session with this first event, as a file. */
const fileWith = (change: (first: Opened) => object, from: string, to: string): string => {
  const [first, ...rest] = sampleLog as readonly [Opened, ...SessionEvent[]]
  const events = [{ ...first, ...change(first) }, ...rest]
  const whole = { ...(JSON.parse(exporterNamed('json').write(sampleLog)) as object), events }
  return JSON.stringify(whole).replaceAll(JSON.stringify(from), JSON.stringify(to))
}

const imported = async (setup: Setup, body: string): Promise<string[]> => {
  const reply = await setup.call('/api/import', {
    ...{ method: 'POST', body, headers: { 'content-type': 'text/plain' } },
  })
  if (reply.status !== 201) return [String(reply.status)]
  const { id } = (await reply.json()) as { id: string }
  const statuses = [201]
  for (const path of ['', '/export/json', '/export/markdown', '/export/html'])
    statuses.push((await setup.call(`/api/sessions/${id}${path}`)).status)
  statuses.push((await setup.call('/api/stats')).status, (await setup.call('/api/sessions')).status)
  await setup.call(`/api/sessions/${id}`, { method: 'DELETE' })
  return statuses.map(String)
}

test('[H71] text that a database refuses is refused with words or stored safely', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-text-'))
  const archive = await embeddedArchive(folder)
  const setup = await startSetup({ archive, runs: false })
  try {
    for (const path of ['/shared/%00', '/shared/a%00b/preview.png', '/api/shared/%00', '/%00', '/assets/%00'])
      expect([path, (await setup.call(path)).status]).toEqual([path, 400])
    const [seat] = (sampleLog[0] as Opened).seats
    for (const text of odd) {
      const seats = [`lab/${text}`, 'lab/b']
      const asked = await setup.call('/api/sessions', { json: { ...question, seats } })
      expect([text, asked.status < 500]).toEqual([text, true])
      const files = [
        fileWith(() => ({ protocol: text }), '', ''),
        fileWith(() => ({ at: text }), '', ''),
        fileWith(first => ({ seats: first.seats.map(one => ({ ...one, model: text })) }), '', ''),
        fileWith(() => ({}), seat!.id, text),
      ]
      for (const file of files)
        for (const status of await imported(setup, file)) expect(status).toMatch(/^(2|4)/)
    }
    expect(setup.log()).not.toContain('A request failed.')
  } finally {
    await setup.close()
    await archive.close()
    rmSync(folder, { recursive: true })
  }
}, 60_000)
