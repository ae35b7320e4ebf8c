import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sampleLog } from '../../test/sample-session.ts'
import { fold } from '../core/fold.ts'
import { createDeliveries, type DeliveryLimits, newsOf, webhooksFrom } from './webhooks.ts'

const secret = 'a-secret-that-is-long-enough'

interface Arrived {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver that answers with these statuses, one after another, and then with 204. */
const startReceiver = async (...statuses: number[]) => {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    arrived.push({ headers: request.headers, body: await text(request) })
    response.writeHead(statuses.shift() ?? 204, { location: '/elsewhere' }).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, arrived }
}

const limits: DeliveryLimits = { pauses: [1, 1], perMinute: 100, waiting: 100, timeout: 5_000 }
const news = { id: 'x.1.finished', type: 'session.finished', data: { session: 'x' } } as const

const open = (address: string, more: Partial<DeliveryLimits> = {}) => {
  const log = { info: vi.fn(), warn: vi.fn() }
  const settings = webhooksFrom({ ROUNDTABLE_WEBHOOKS: address, ROUNDTABLE_WEBHOOK_SECRET: secret })!
  const deliveries = createDeliveries(settings, log, Date.now, { ...limits, ...more })
  onTestFinished(() => deliveries.close())
  return { ...deliveries, log }
}

test('[H320] webhooks need addresses and a secret of the environment', () => {
  expect(webhooksFrom({})).toBeUndefined()
  const two = webhooksFrom({
    ROUNDTABLE_WEBHOOKS: 'https://a/x, https://b/y',
    ROUNDTABLE_WEBHOOK_SECRET: secret,
  })
  expect(two?.addresses.map(String)).toEqual(['https://a/x', 'https://b/y'])
  const encoded = webhooksFrom({
    ROUNDTABLE_WEBHOOKS: 'https://a/x',
    ROUNDTABLE_WEBHOOK_SECRET: `whsec_${Buffer.from(secret).toString('base64')}`,
  })
  expect(encoded?.secret.toString()).toBe(secret)
  expect(() => webhooksFrom({ ROUNDTABLE_WEBHOOKS: 'https://a/x' })).toThrow(/ROUNDTABLE_WEBHOOK_SECRET/)
  expect(() =>
    webhooksFrom({ ROUNDTABLE_WEBHOOKS: 'ftp://key@a', ROUNDTABLE_WEBHOOK_SECRET: secret }),
  ).toThrow(/^(?!.*key).*must begin with http/)
})

test('[H321] a webhook is signed over its id, time and body', async () => {
  const { address, arrived } = await startReceiver()
  open(address).send(news)
  await expect.poll(() => arrived.length).toBe(1)
  const { headers, body } = arrived[0]!
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', secret).update(signed).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${expected}`)
  expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60)
  expect(JSON.parse(body)).toMatchObject({ type: 'session.finished', data: { session: 'x' } })
})

test('[H322] a failed delivery is tried again with the same id, and given up after the last try', async () => {
  const { address, arrived } = await startReceiver(500, 302, 204)
  const patient = open(address)
  patient.send(news)
  await expect.poll(() => arrived.length).toBe(3)
  expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(patient.log.warn).toHaveBeenCalledTimes(2)
  const never = await startReceiver(500, 500, 500, 500)
  const giving = open(never.address)
  giving.send(news)
  await expect.poll(() => giving.log.warn.mock.calls.at(-1)?.[1]).toBe('A webhook was given up.')
  expect(never.arrived).toHaveLength(3)
})

test('[H323] the same news is sent once, and not more than so many in a minute', async () => {
  const { address, arrived } = await startReceiver()
  const { send, log } = open(address, { perMinute: 2 })
  for (const id of ['a', 'a', 'b', 'c']) send({ ...news, id })
  await expect.poll(() => arrived.length).toBe(2)
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ webhook: 'c' }),
    'Too many webhooks: one was dropped.',
  )
})

test('[H324] news is that a session is over, with its verdict, and only once for each end', () => {
  const log = sampleLog
  const session = fold(log)
  expect(newsOf(log.slice(0, 1), log)).toEqual([
    {
      id: `${session.id}.${session.position}.finished`,
      type: 'session.finished',
      data: expect.objectContaining({ session: session.id, outcome: 'verdict', line: expect.any(String) }),
    },
  ])
  expect(newsOf(log, log)).toEqual([])
  expect(newsOf([], [])).toEqual([])
})
