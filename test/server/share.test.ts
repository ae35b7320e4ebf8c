/** Share links: one session, read-only, until they are revoked. */

import { expect, test } from 'vitest'
import { sharedSchema, shareSchema } from '../../src/api/sessions.ts'
import { startSetup } from './setup.ts'
import { openStream } from './stream.ts'

test("[H30] a share link shows only its session, can't be guessed, and stays the same", async () => {
  const { call, ask } = await startSetup({ runs: false })
  const [id, other] = [await ask(), await ask()]
  await call(`/api/sessions/${id}/tags`, { method: 'PUT', json: { tags: ['private'] } })
  const make = async (session: string) =>
    shareSchema.parse(await (await call(`/api/sessions/${session}/share`, { method: 'POST' })).json())
  const { token, path } = await make(id)
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(path).toBe(`/shared/${token}`)
  expect(await make(id)).toEqual({ token, path })
  expect((await make(other)).token).not.toBe(token)
  const shown = await (await call(`/api/shared/${token}`)).json()
  expect(sharedSchema.parse(shown).id).toBe(id)
  expect(shown).not.toHaveProperty('tags')
  expect(shown).not.toHaveProperty('share')
  const session = (await (await call(`/api/sessions/${id}`)).json()) as { share: unknown }
  expect(session.share).toEqual({ token, path })
  for (const wrong of [id, `${token}x`, token.slice(1), '%00', '..%2Fsessions'])
    expect((await call(`/api/shared/${wrong}`)).status).toBeGreaterThanOrEqual(400)
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await call(`/api/shared/${token}`, { method })).status).toBe(404)
})

test('[H31] a revoked link shows nothing, and the streams through it end', async () => {
  const { call, ask, address } = await startSetup({ runs: false })
  const id = await ask()
  const share = async () =>
    shareSchema.parse(await (await call(`/api/sessions/${id}/share`, { method: 'POST' })).json()).token
  const token = await share()
  const owner = await openStream(`${address}/api/sessions/${id}/events`)
  const guest = await openStream(`${address}/api/shared/${token}/events`)
  expect((await guest.until(all => all.length === 1))[0]?.id).toBe('0')
  expect((await call(`/api/sessions/${id}/share`, { method: 'DELETE' })).status).toBe(204)
  await guest.ended
  for (const path of ['', '/events']) expect((await call(`/api/shared/${token}${path}`)).status).toBe(404)
  expect(await share()).not.toBe(token)
  expect(owner.messages).toHaveLength(1)
  owner.cut()
})

test('[H32] the link of a deleted session shows nothing', async () => {
  const { call, ask } = await startSetup({ runs: false })
  const id = await ask()
  const { token } = shareSchema.parse(
    await (await call(`/api/sessions/${id}/share`, { method: 'POST' })).json(),
  )
  await call(`/api/sessions/${id}`, { method: 'DELETE' })
  expect((await call(`/api/shared/${token}`)).status).toBe(404)
})
