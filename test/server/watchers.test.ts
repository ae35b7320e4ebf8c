/** Watchers who leave, stall or are too many: none of them may cost the server more than a little. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import type { SessionEvent } from '../../src/core/event.ts'
import { logFrames } from '../../src/http/stream.ts'
import type { Archive } from '../../src/store/archive.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { type Setup, startSetup } from './setup.ts'
import { openStream, positionsIn } from './stream.ts'

const stop = (position: number, words: string): SessionEvent => ({
  ...{ position, at: '2026-01-01T00:00:00.000Z', type: 'session-stopped' },
  ...{ reason: 'budget', words },
})

const watchersOf = async (setup: Setup): Promise<number> => {
  const text = await (await setup.call('/metrics')).text()
  return Number(/^roundtable_watchers (\d+)$/m.exec(text)?.[1])
}

const patience = { timeout: 20_000 }

const watchedBy = (setup: Setup, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await watchersOf(setup)).toBe(count), patience)

const pathTo = (id: string): string => `/api/sessions/${id}/events`
const requestFor = (id: string, more = ''): string =>
  `GET ${pathTo(id)} HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}\r\n`

/** A connection that sends this and reads nothing. */
const silent = async (setup: Setup, text: string): Promise<Socket> => {
  const socket = connect(setup.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.pause()
  socket.write(text)
  return socket
}

/** An archive whose reads wait until the gate is opened. */
const gated = (): { archive: Archive; reads: () => number; close(): void; open(): void } => {
  const store = memoryStore()
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  let reads = 0
  return {
    archive: {
      ...store,
      async read(...given) {
        reads++
        await gate.promise
        return store.read(...given)
      },
    },
    reads: () => reads,
    close() {
      gate = Promise.withResolvers()
      reads = 0
    },
    open: () => gate.resolve(),
  }
}

test('[H238] a watcher whose log is being read when the server stops gets the end of its stream', async () => {
  const { archive, reads, close, open } = gated()
  const setup = await startSetup({ archive, runs: false })
  const id = await setup.ask()
  close()
  // A connection that is cut off instead of ended fails here.
  const stream = setup.call(pathTo(id)).then(reply => reply.text())
  await vi.waitFor(() => expect(reads()).toBeGreaterThan(0), patience)
  const closed = setup.close()
  open()
  expect(await stream).toBe('retry: 1000\n\n')
  await closed
})

test('[H66] watchers that leave while the log is being read do not stay', async () => {
  const { archive, reads, close, open } = gated()
  const setup = await startSetup({ archive, runs: false })
  const id = await setup.ask()
  close()
  const sockets = await Promise.all(Array.from({ length: 20 }, () => silent(setup, requestFor(id))))
  await vi.waitFor(() => expect(reads()).toBeGreaterThan(0), patience)
  // All of them have been received, and share one read.
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(reads()).toBe(1)
  for (const socket of sockets) socket.destroy()
  await new Promise(resolve => setTimeout(resolve, 200))
  open()
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await watchersOf(setup)).toBe(0)
})

test('[H66] watchers whose connection breaks before its turn do not stay', async () => {
  const setup = await startSetup({ runs: false, heartbeatMs: 20 })
  const id = await setup.ask()
  const socket = await silent(setup, requestFor(id).repeat(10))
  await watchedBy(setup, 10)
  socket.destroy()
  await watchedBy(setup, 0)
})

test('[H67] the streams of a session and of an address are limited, and whoever leaves makes room', async () => {
  const limits = { streamsPerSession: 3, streamsPerAddress: 5 }
  const setup = await startSetup({ runs: false, limits })
  const [one, other] = [await setup.ask(), await setup.ask()]
  const open = (id: string) => openStream(`${setup.address}${pathTo(id)}`)
  const streams = await Promise.all([one, one, one, other, other].map(open))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await open(one)).status).toBe(429)
  const refused = await setup.call(pathTo(other))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
  expect(await refused.text()).toContain('Your address has 5 streams open already')
  streams[0]!.cut()
  await watchedBy(setup, 4)
  const again = await open(one)
  expect(again.status).toBe(200)
  for (const stream of [...streams, again]) stream.cut()
  await watchedBy(setup, 0)
})

test('[H68] a watcher that reads nothing is cut off, and resumes at its position', async () => {
  const setup = await startSetup({ runs: false, heartbeatMs: 100 })
  const id = await setup.ask()
  const length = 300
  const words = 'x'.repeat(100_000)
  for (let position = 1; position < length; position++)
    await setup.archive.append(id, [stop(position, words)])
  const lazy = await silent(setup, requestFor(id))
  await vi.waitFor(() => expect(setup.log()).toContain('/api/sessions/:id/events'), patience)
  await watchedBy(setup, 0)
  let text = ''
  lazy.on('data', chunk => {
    text += chunk.toString('latin1').replaceAll('x', '')
  })
  lazy.resume()
  await once(lazy, 'close')
  expect(text).toContain('retry: 1000')
  // Only an event that ended in a blank line was received.
  const seen = [...text.matchAll(/^id: (\d+)\r?\ndata: .*\}\n\n/gm)].map(match => Number(match[1]))
  expect(seen.length).toBeLessThan(length)
  // On a busy machine a watcher that reads may be cut off too: it resumes as well.
  while (seen.at(-1) !== length - 1) {
    const headers: Record<string, string> = seen.length > 0 ? { 'last-event-id': String(seen.at(-1)) } : {}
    const rest = await openStream(`${setup.address}${pathTo(id)}`, headers)
    seen.push(...positionsIn(await rest.until(all => positionsIn(all).includes(length - 1))))
    rest.cut()
  }
  expect(seen).toEqual(Array.from({ length }, (_, index) => index))
})

test('[H68] everybody who catches up shares one copy of the log', async () => {
  const log = Array.from({ length: 50 }, (_, position) => stop(position, 'words'))
  let reads = 0
  const frames = logFrames(async after => {
    reads++
    return log.slice(after + 1)
  })
  await Promise.all(Array.from({ length: 40 }, (_, index) => frames.load(index - 1)))
  expect(reads).toBe(1)
  const first = frames.at(49)?.bytes
  log.push(stop(50, 'more'))
  await Promise.all([frames.load(49), frames.load(49), frames.load(10)])
  expect([reads, frames.at(50)?.position, frames.at(49)?.bytes === first]).toEqual([2, 50, true])
  frames.forget()
  await frames.load(30)
  expect([frames.at(30), frames.at(31)?.position]).toEqual([undefined, 31])
  await frames.load(-1)
  expect([0, 31, 50].map(position => frames.at(position)?.position)).toEqual([0, 31, 50])
  expect([frames.at(51), frames.at(-1)]).toEqual([undefined, undefined])
})

test('[H16] a watcher that reads nothing does not keep the server from stopping', async () => {
  const setup = await startSetup({ runs: false })
  const id = await setup.ask()
  for (let position = 1; position < 200; position++)
    await setup.archive.append(id, [stop(position, 'x'.repeat(100_000))])
  await silent(setup, requestFor(id))
  await watchedBy(setup, 1)
  // Until the buffers of the system are full.
  await new Promise(resolve => setTimeout(resolve, 500))
  await setup.close()
})

test('[H69] HEAD on a stream gives its headers and ends', async () => {
  const setup = await startSetup({ runs: false })
  const id = await setup.ask()
  const share = (await (await setup.call(`/api/sessions/${id}/share`, { method: 'POST' })).json()) as {
    token: string
  }
  for (const path of [pathTo(id), `/api/shared/${share.token}/events`]) {
    const head = await setup.call(path, { method: 'HEAD', signal: AbortSignal.timeout(5_000) })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(await head.text()).toBe('')
  }
  expect(await watchersOf(setup)).toBe(0)
  expect((await setup.call(pathTo('nobody'), { method: 'HEAD' })).status).toBe(404)
})
