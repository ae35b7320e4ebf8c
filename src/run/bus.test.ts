import { expect, test, vi } from 'vitest'
import type { Delta, LiveEvent } from '../core/event.ts'
import { coalescing, localBus, messagesOf, mostBytes, packed } from './bus.ts'

const piece = (text: string, seat = 's1', field: Delta['field'] = 'headline'): Delta => ({
  type: 'delta',
  round: 0,
  seat,
  field,
  text,
})
const opened: LiveEvent = { type: 'round-opened', round: 0, sealed: true, position: 1, at: '' }

test('[J20] pieces of an answer are joined, and come before the event that follows them', async () => {
  const local = localBus()
  const bus = coalescing(local)
  const seen: LiveEvent[] = []
  bus.subscribe('a', event => void seen.push(event))
  bus.publish('a', piece('Ye'))
  bus.publish('a', piece('No', 's2'))
  bus.publish('a', piece('s.'))
  bus.publish('a', piece('Because', 's1', 'reasoning'))
  expect(seen).toEqual([])
  bus.publish('a', opened)
  expect(seen).toEqual([piece('Yes.'), piece('No', 's2'), piece('Because', 's1', 'reasoning'), opened])
  bus.publish('a', piece('And so'))
  await vi.waitFor(() => expect(seen.at(-1)).toEqual(piece('And so')))
  await bus.close()
})

test('[J21] a subscriber for committed events gets no pieces', async () => {
  const bus = coalescing(localBus())
  const seen: LiveEvent[] = []
  const leave = bus.subscribe('a', event => void seen.push(event), 'committed')
  bus.publish('a', piece('Yes'))
  bus.publish('a', opened)
  expect(seen).toEqual([opened])
  leave()
  bus.publish('a', opened)
  expect(seen).toHaveLength(1)
  await bus.close()
})

const silence = (seat: string): LiveEvent => ({
  ...{ type: 'seat-silent', round: 0, seat, position: 2, at: '' },
  ...{ error: { kind: 'cancelled', message: 'Stopped.', retryable: false } },
})

test('[J26] with the drafts, a late watcher has what others have, whether or not anybody watched before', async () => {
  const bus = coalescing(localBus())
  bus.publish('a', piece('Ye'))
  bus.publish('a', piece('No', 's2'))
  bus.publish('a', opened)
  const before = bus.drafts('a')
  expect(before).toEqual([
    { ...piece('Ye'), whole: true },
    { ...piece('No', 's2'), whole: true },
  ])
  const seen: LiveEvent[] = []
  bus.subscribe('a', event => void seen.push(event))
  bus.publish('a', piece('s.'))
  // A piece that waits for its frame is not in the drafts yet, or it would be sent twice.
  expect(bus.drafts('a')).toEqual(before)
  bus.publish('a', silence('s2'))
  expect(seen[0]).toEqual(piece('s.'))
  expect(bus.drafts('a')).toEqual([{ ...piece('Yes.'), whole: true }])
  const again: LiveEvent = { type: 'retrying', round: 0, seat: 's1', attempt: 2, why: 'overloaded' }
  bus.publish('a', again)
  expect(bus.drafts('a')).toEqual([again])
  const turns = [0, 2].map((turn): Delta => ({ ...piece('I say', 's1', 'reasoning'), turn }))
  for (const turn of turns) bus.publish('a', turn)
  bus.publish('a', opened)
  expect(bus.drafts('a')).toEqual([{ ...turns[1], whole: true }])
  bus.publish('a', { type: 'session-finished', outcome: 'verdict', position: 3, at: '' })
  expect(bus.drafts('a')).toEqual([])
  await bus.close()
})

test('[J27] drafts are limited: the end of a long one and those of the newest sessions are kept', () => {
  const bus = localBus()
  for (let index = 0; index < 100; index++) bus.publish('long', piece(`${index} `.padEnd(1_000, '.')))
  const [draft] = bus.drafts('long')
  const { text } = draft as Delta
  expect(text.length).toBeLessThanOrEqual(40_000)
  expect(text.endsWith('99 '.padEnd(1_000, '.'))).toBe(true)
  for (let index = 0; index < 1_000; index++) bus.publish(`session ${index}`, piece('x'))
  expect(bus.drafts('long')).toEqual([])
  expect(bus.drafts('session 0')).toHaveLength(1)
})

test('[J22] what is too large for a message is sent by its position, or in pieces', () => {
  const words = 'x'.repeat(20_000)
  const stopped: LiveEvent = { type: 'session-stopped', reason: 'failed', words, position: 3, at: '' }
  expect(messagesOf('a', stopped)).toEqual([JSON.stringify({ session: 'a', position: 3 })])
  const pieces = messagesOf('a', piece(words)).map(message => JSON.parse(message) as { event: Delta })
  expect(pieces.map(({ event }) => event.text).join('')).toBe(words)
  const whole = messagesOf('a', { ...piece(words), whole: true }).map(
    message => JSON.parse(message) as { event: Delta },
  )
  expect(whole.map(({ event }) => event.whole)).toEqual([true, ...whole.slice(1).map(() => undefined)])
  const messages = [
    ...messagesOf('a', piece('é'.repeat(3_000))),
    ...messagesOf('a', piece('é'.repeat(3_000))),
  ]
  const payloads = packed(messages, mostBytes)
  expect(payloads.join('\n')).toBe(messages.join('\n'))
  expect(payloads.every(payload => Buffer.byteLength(payload) <= mostBytes)).toBe(true)
})
