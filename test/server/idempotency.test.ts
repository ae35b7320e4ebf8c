/** Idempotency-Key: a request that is sent twice is carried out once. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Archive } from '../../src/store/archive.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { testEngine } from './engine.ts'
import { question, startSetup } from './setup.ts'

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

test('[H41] a repeated request is not carried out again, and gets the same reply', async () => {
  const { call, archive } = await startSetup({ runs: false })
  const first = await call('/api/sessions', { json: question, ...keyed('one') })
  const again = await call('/api/sessions', { json: question, ...keyed('one') })
  expect([again.status, again.headers.get('location')]).toEqual([201, first.headers.get('location')])
  expect(await again.json()).toEqual(await first.json())
  expect(again.headers.get('idempotent-replay')).toBe('true')
  await call('/api/sessions', { json: question, ...keyed('two') })
  expect(await archive.list()).toHaveLength(2)
})

test('[H42] of many identical requests at once, one is carried out', async () => {
  const { call, archive } = await startSetup({ runs: false })
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => call('/api/sessions', { json: question, ...keyed('same') })),
  )
  expect(replies.map(({ status }) => status).filter(status => status !== 201 && status !== 409)).toEqual([])
  const first = replies.filter(reply => reply.status === 201 && !reply.headers.has('idempotent-replay'))
  expect(first).toHaveLength(1)
  expect(await archive.list()).toHaveLength(1)
})

test('[H43] the same key with another request is refused; after a refusal the key may be used again', async () => {
  const { call } = await startSetup({ runs: false })
  const send = async (more: object) =>
    (await call('/api/sessions', { json: { ...question, ...more }, ...keyed('key') })).status
  expect(await send({ seats: ['nobody knows this'] })).toBe(422)
  expect(await send({})).toBe(201)
  expect(await send({ question: 'Another one?' })).toBe(422)
  expect((await call('/api/sessions', { json: question, ...keyed('not a key') })).status).toBe(400)
})

test('[H44] a restart in between does not carry it out twice, even if the reply was lost', async () => {
  const archive = memoryStore()
  let time = Date.parse('2026-01-01T00:00:00Z')
  const clock = () => time
  const before = await startSetup({ archive, clock, runs: false })
  const first = (await (
    await before.call('/api/sessions', { json: question, ...keyed('key') })
  ).json()) as object
  await before.close()
  const after = await startSetup({ archive, clock, runs: false })
  expect(await (await after.call('/api/sessions', { json: question, ...keyed('key') })).json()).toEqual(first)
  // The state after a crash between storing the session and its receipt.
  const [name, receipt] = Object.entries(await archive.settings()).find(([one]) => one.startsWith('receipt'))!
  await archive.saveSetting(name, { ...(receipt as object), reply: null })
  expect((await after.call('/api/sessions', { json: question, ...keyed('key') })).status).toBe(409)
  time += 60_000
  expect(await (await after.call('/api/sessions', { json: question, ...keyed('key') })).json()).toEqual(first)
  expect(await archive.list()).toHaveLength(1)
  await after.close()
  time += 2 * 86_400_000
  await startSetup({ archive, clock, runs: false })
  expect(Object.keys(await archive.settings())).toEqual([])
})

test('[H44] receipts older than a day are dropped while the server runs, too', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const { call, archive } = await startSetup({ runs: false, clock: () => time })
  const ask = (key: string) => call('/api/sessions', { json: question, ...keyed(key) })
  await ask('old')
  time += 20 * 3_600_000
  await ask('younger')
  expect(Object.keys(await archive.settings())).toHaveLength(2)
  time += 5 * 3_600_000
  await ask('new')
  await vi.waitFor(async () => expect(Object.keys(await archive.settings())).toHaveLength(2))
  expect((await ask('younger')).headers.get('idempotent-replay')).toBe('true')
})

test('[J62] a request that a crash cut off, on an archive of one process, is carried out once when it comes again', async () => {
  const archive = memoryStore()
  const before = await startSetup({ archive, runs: false })
  const reply = await before.call('/api/sessions', { json: question, ...keyed('key') })
  const first = (await reply.json()) as { id: string }
  await before.close()
  // The state after a crash before the session was stored.
  const [name, receipt] = Object.entries(await archive.settings()).find(([one]) => one.startsWith('receipt'))!
  await archive.saveSetting(name, { ...(receipt as object), reply: null })
  await archive.remove(first.id)
  const slow: Archive = {
    ...archive,
    async saveSetting(...given) {
      await sleep(50)
      await archive.saveSetting(...given)
    },
  }
  const engine = { ...testEngine(slow, null), alone: true }
  const after = await startSetup({ archive: slow, engine, runs: false })
  const again = () => after.call('/api/sessions', { json: question, ...keyed('key') })
  const replies = await Promise.all([again(), again(), again()])
  const isCarriedOut = ({ status, headers }: Response) => status === 201 && !headers.has('idempotent-replay')
  expect(replies.filter(isCarriedOut)).toHaveLength(1)
  expect(await (await again()).json()).toEqual(first)
  expect((await archive.list()).map(({ id }) => id)).toEqual([first.id])
})
