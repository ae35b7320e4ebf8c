/** Watching a session: nothing is missed or sent twice, whatever happens to the watcher or the bus. */

import { once } from 'node:events'
import { connect } from 'node:net'
import type { EventSourceMessage } from 'eventsource-parser'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Delta, SessionEvent } from '../../src/core/event.ts'
import { type Setup, startSetup } from './setup.ts'
import { openStream, positionsIn, type Stream } from './stream.ts'

const stop = (position: number, words = 'Enough.'): SessionEvent => ({
  position,
  at: '2026-01-01T00:00:00.000Z',
  type: 'session-stopped',
  reason: 'budget',
  words,
})

/** A session with this many events that nobody runs. */
const withLog = async (setup: Setup, length: number): Promise<string> => {
  const id = await setup.ask()
  for (let position = 1; position < length; position++) await setup.archive.append(id, [stop(position)])
  return id
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)

test('[H10] a watcher gets the log from the beginning, and then every event and delta as it happens', async () => {
  const setup = await startSetup()
  const id = await setup.ask()
  const stream = await openStream(`${setup.address}/api/sessions/${id}/events`)
  const messages = await stream.until(all => all.some(({ data }) => data.includes('"session-finished"')))
  const log = await setup.archive.read(id)
  expect(positionsIn(messages)).toEqual(range(0, log.length))
  const committed = messages.filter(({ id: position }) => position !== undefined)
  expect(committed.map(({ data }) => JSON.parse(data) as unknown)).toEqual(log)
  // The stream stays open, because a person may add to a finished session.
  await setup.engine.write(id, stop(log.length))
  await stream.until(all => positionsIn(all).length > log.length)
  const delta = { type: 'delta', round: 0, seat: 's1', field: 'headline', text: 'Yes' } as const
  setup.engine.tell(id, delta)
  const last = (await stream.until(all => all.at(-1)?.id === undefined)).at(-1)
  expect([last?.id, JSON.parse(last?.data ?? '')]).toEqual([undefined, delta])
  stream.cut()
})

const piece = (seat: string, text: string) =>
  ({ type: 'delta', round: 0, seat, field: 'headline', text }) as const

const textsIn = (messages: readonly EventSourceMessage[]): Record<string, string> => {
  const texts: Record<string, string> = {}
  for (const { id, data } of messages) {
    if (id !== undefined) continue
    const { seat, text, whole } = JSON.parse(data) as Delta
    texts[seat] = whole ? text : (texts[seat] ?? '') + text
  }
  return texts
}

test('[H18] a watcher who comes while seats write gets the text so far, and then every piece once', async () => {
  const setup = await startSetup({ runs: false })
  const id = await setup.ask()
  const url = `${setup.address}/api/sessions/${id}/events`
  await setup.engine.write(id, { type: 'round-opened', round: 0, sealed: true, position: 1, at: '' })
  const words = Array.from({ length: 300 }, (_, index) => `${index} `)
  const streams: Stream[] = []
  for (const [index, word] of words.entries()) {
    // Some arrive while the one before is still reading the log.
    if (index % 40 === 7) void openStream(url).then(stream => streams.push(stream))
    setup.engine.tell(id, piece('s1', word))
    if (index % 3 === 0) await new Promise(resolve => setTimeout(resolve, 1))
  }
  await vi.waitFor(() => expect(streams).toHaveLength(8), { timeout: 20_000 })
  setup.engine.tell(id, piece('s2', 'last'))
  for (const stream of streams) {
    const seen = await stream.until(all => all.some(({ data }) => data.includes('last')))
    expect(textsIn(seen)).toEqual({ s1: words.join(''), s2: 'last' })
    expect(seen.filter(({ data }) => data.includes('"whole"')).length).toBeLessThanOrEqual(1)
    stream.cut()
  }
  await setup.engine.write(id, {
    ...{ type: 'seat-silent', round: 0, seat: 's1', position: 2, at: '' },
    ...{ error: { kind: 'cancelled', message: 'Stopped.', retryable: false } },
  })
  const late = await openStream(url)
  expect(textsIn(await late.until(all => all.some(({ data }) => data.includes('last'))))).toEqual({
    s2: 'last',
  })
  late.cut()
})

test('[H11] Last-Event-ID and `after` continue after a position; anything else is refused', async () => {
  const setup = await startSetup({ runs: false })
  const id = await withLog(setup, 6)
  const url = `${setup.address}/api/sessions/${id}/events`
  const positions = async (query: string, headers: Record<string, string>) => {
    const stream = await openStream(`${url}${query}`, headers)
    const seen = await stream.until(all => positionsIn(all).includes(5))
    stream.cut()
    return positionsIn(seen)
  }
  expect(await positions('?after=3', {})).toEqual([4, 5])
  expect(await positions('', { 'last-event-id': '2' })).toEqual([3, 4, 5])
  expect(await positions('?after=0', { 'last-event-id': '4' })).toEqual([5])
  expect(await positions('?after=-1', {})).toEqual(range(0, 6))
  for (const bad of ['x', '-2', '1.5', '99999999999', '1e3'])
    expect((await openStream(url, { 'last-event-id': bad })).status).toBe(400)
  expect((await openStream(`${url}?after=99999999999`)).status).toBe(400)
})

test('[H12] a watcher whose connection breaks anywhere, any number of times, sees what others see', async () => {
  const setup = await startSetup({ runs: false, limits: { writesPerMinute: 100_000 } })
  const length = 40
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: length - 1 }), { maxLength: 6 }),
      fc.array(fc.constantFrom('plain', 'twice', 'late', 'lost'), { minLength: length, maxLength: length }),
      async (cuts, ways) => {
        const id = await setup.ask()
        const url = `${setup.address}/api/sessions/${id}/events`
        const whole = await openStream(url)
        const pieces: number[] = []
        const watch = async (): Promise<void> => {
          for (const cut of [...cuts.toSorted((one, other) => one - other), length - 1]) {
            const last = pieces.at(-1)
            if (last !== undefined && last >= cut) continue
            const stream = await openStream(url, last === undefined ? {} : { 'last-event-id': String(last) })
            pieces.push(...positionsIn(await stream.until(all => (positionsIn(all).at(-1) ?? -1) >= cut)))
            stream.cut()
          }
        }
        const write = async (): Promise<void> => {
          for (let position = 1; position < length; position++) {
            const event = stop(position)
            const way = position === length - 1 ? 'plain' : ways[position]
            await setup.archive.append(id, [event])
            if (way === 'late') await new Promise(resolve => setImmediate(resolve))
            if (way !== 'lost') setup.engine.tell(id, event)
            if (way === 'twice') setup.engine.tell(id, event)
          }
        }
        await Promise.all([watch(), write()])
        const seen = positionsIn(await whole.until(all => positionsIn(all).includes(length - 1)))
        whole.cut()
        expect(seen).toEqual(range(0, length))
        expect(pieces).toEqual(range(0, length))
      },
    ),
    { numRuns: 25 },
  )
})

test('[H13] a watcher that does not read has to catch up later, delays nobody, and misses nothing', async () => {
  const setup = await startSetup({ runs: false })
  const id = await setup.ask()
  const lazy = connect(setup.port, '127.0.0.1')
  await once(lazy, 'connect')
  lazy.pause()
  lazy.write(`GET /api/sessions/${id}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
  const keen = await openStream(`${setup.address}/api/sessions/${id}/events`)
  const length = 200
  const words = 'x'.repeat(100_000)
  await vi.waitFor(async () =>
    expect(await (await setup.call('/metrics')).text()).toContain('roundtable_watchers 2'),
  )
  for (let position = 1; position < length; position++) await setup.engine.write(id, stop(position, words))
  expect(positionsIn(await keen.until(all => positionsIn(all).length === length))).toEqual(range(0, length))
  expect(await (await setup.call('/metrics')).text()).toContain('roundtable_watchers_behind 1')
  keen.cut()
  let text = ''
  lazy.on('data', chunk => {
    text += chunk.toString('latin1').replaceAll('x', '')
  })
  lazy.resume()
  await vi.waitFor(() => expect(text).toContain(`id: ${length - 1}\n`), { timeout: 20_000 })
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(match => Number(match[1]))).toEqual(range(0, length))
  lazy.destroy()
})

test('[H14] a heartbeat keeps a stream open, and finds what the bus lost', async () => {
  const setup = await startSetup({ runs: false, heartbeatMs: 20 })
  const id = await setup.ask()
  const stream = await openStream(`${setup.address}/api/sessions/${id}/events`)
  await stream.until(all => all.length === 1)
  await stream.beats(2)
  await setup.archive.append(id, [stop(1)])
  expect(positionsIn(await stream.until(all => all.length === 2))).toEqual([0, 1])
  stream.cut()
})

test('[H15] an event is serialised once, however many watch', async () => {
  const setup = await startSetup({ runs: false })
  const id = await setup.ask()
  const streams = await Promise.all(
    range(0, 5).map(() => openStream(`${setup.address}/api/sessions/${id}/events`)),
  )
  for (const stream of streams) await stream.until(all => all.length === 1)
  let serialised = 0
  const event = { ...stop(1), toJSON: () => ({ ...stop(1), serialised: ++serialised }) }
  await setup.archive.append(id, [stop(1)])
  setup.engine.tell(id, event)
  for (const stream of streams) {
    await stream.until(all => all.length === 2)
    stream.cut()
  }
  expect(serialised).toBe(1)
})

test('[H16] a stream ends with its session, and with the server', async () => {
  const setup = await startSetup({ runs: false })
  const [gone, kept] = [await setup.ask(), await setup.ask()]
  const streams = await Promise.all(
    [gone, kept].map(id => openStream(`${setup.address}/api/sessions/${id}/events`)),
  )
  await setup.call(`/api/sessions/${gone}`, { method: 'DELETE' })
  await streams[0]!.ended
  expect((await openStream(`${setup.address}/api/sessions/${gone}/events`)).status).toBe(404)
  const closing = setup.close()
  await streams[1]!.ended
  await closing
})
