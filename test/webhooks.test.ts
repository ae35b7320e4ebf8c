/** Webhooks of a real server: a seat that is held from outside has its turn, and the session ends. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openWebhooks } from '../src/webhooks/webhooks.ts'
import { terminals } from './command-line.ts'
import { startLab } from './lab/server.ts'
import { engineAt, type Folders, finished, makeFolders, opening, tableOn } from './worker/setting.ts'

interface Told {
  readonly type: string
  readonly data: { readonly session: string; readonly seat?: string; readonly outcome?: string }
}

let folders: Folders
beforeAll(async () => {
  folders = await makeFolders()
})
afterAll(() => folders.stop())

const startReceiver = async () => {
  const told: Told[] = []
  const server = createServer(async (request, response) => {
    told.push(JSON.parse(await text(request)) as Told)
    response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { told, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

test('[H327] a server tells about the turn of a seat that is held from outside, and about the verdict', async () => {
  const [lab, receiver] = await Promise.all([startLab({}), startReceiver()])
  onTestFinished(() => lab.stop())
  const { start } = terminals({
    ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`,
    ROUNDTABLE_WEBHOOKS: receiver.address,
    ROUNDTABLE_WEBHOOK_SECRET: 'a-secret-that-is-long-enough',
  })
  const server = start(['serve', '--port', '0'])
  const address = await server.wrote(/Roundtable is at (\S+)/)
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(reply.status).toBeLessThan(300)
    return (await reply.json()) as { id: string }
  }
  const question = { question: 'Is it late?', format: 'choice', options: ['Yes', 'No'], protocol: 'poll' }
  const { id } = await post('/api/sessions', {
    ...{ ...question, seats: ['lab/a', 'lab/b'], people: [{ name: 'Ada', deadline: 600, program: true }] },
  })
  const ofType = (type: string) => receiver.told.filter(one => one.type === type)
  await expect.poll(() => ofType('seat.turn').length, { timeout: 60_000 }).toBe(1)
  const [turn] = ofType('seat.turn')
  expect(turn?.data).toMatchObject({ session: id, name: 'Ada', round: 0 })
  expect(ofType('session.finished')).toEqual([])
  await post(`/api/sessions/${id}/seats/${turn?.data.seat}/answer`, {
    round: 0,
    answer: { headline: 'Yes, it is.', reasoning: 'It is dark.', confidence: 0.9, choice: 'Yes' },
  })
  await expect.poll(() => ofType('session.finished').length, { timeout: 60_000 }).toBe(1)
  expect(ofType('session.finished')[0]?.data).toMatchObject({ session: id, outcome: 'verdict' })
  expect(ofType('seat.turn')).toHaveLength(1)
  server.child.kill('SIGTERM')
  await server.done
}, 120_000)

test('[H476] of a private session nothing is told, or that it exists if that is asked for; once it is shared, all is', async () => {
  const lab = await startLab({})
  onTestFinished(() => lab.stop())
  const tellers = await Promise.all(['no', 'ids'].map(async ids => ({ ids, ...(await startReceiver()) })))
  const [silent, brief] = tellers.map(({ ids, address }) => {
    const settings = {
      ...{ ROUNDTABLE_WEBHOOKS: address, ROUNDTABLE_WEBHOOKS_PRIVATE: ids },
      ROUNDTABLE_WEBHOOK_SECRET: 'a-secret-that-is-long-enough',
    }
    const webhooks = openWebhooks(settings, { info() {}, warn() {} })!
    onTestFinished(() => webhooks.close())
    return webhooks
  })
  const engine = await engineAt(folders.newFolder(), lab, {
    runtime: (store, slots) => brief!.runtime(silent!.runtime(tableOn(lab, { store, slots }))),
  })
  const asks = async (visibility: 'private' | 'team'): Promise<string> => {
    const first = await opening(lab, ['a', 'b'])
    await engine.queue.open(first, [], { owner: 'ada', visibility })
    await finished(engine, first.id)
    return first.id
  }
  const [hidden, shared] = [await asks('private'), await asks('team')]
  await expect.poll(() => tellers.map(({ told }) => told.length)).toEqual([1, 2])
  expect(tellers.flatMap(({ told }) => told.filter(({ data }) => data.session === hidden))).toEqual([
    { type: 'session.finished', timestamp: expect.any(String), data: { session: hidden } },
  ])
  for (const { told } of tellers)
    expect(told.find(({ data }) => data.session === shared)?.data).toMatchObject({ outcome: 'verdict' })
})
