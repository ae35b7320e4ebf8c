import { expect, test, vi } from 'vitest'
import type { Delta, LiveEvent } from '../core/event.ts'
import { localBus } from './bus.ts'
import { coalescing } from './coalesce.ts'
import { messagesOf } from './shared-bus.ts'
import { mostBytes, packed } from './wire.ts'

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

test('[J21] pieces go to nobody who asked for committed events alone, and are not kept for nobody', async () => {
  const bus = coalescing(localBus())
  const seen: LiveEvent[] = []
  const leave = bus.subscribe('a', event => void seen.push(event), 'committed')
  bus.publish('a', piece('Yes'))
  const late: LiveEvent[] = []
  bus.subscribe('a', event => void late.push(event))
  bus.publish('a', opened)
  expect([seen, late]).toEqual([[opened], [opened]])
  leave()
  bus.publish('a', opened)
  expect([seen.length, late.length]).toEqual([1, 2])
  await bus.close()
})

test('[J22] what is too large for a message is sent by its place, or in pieces', () => {
  const words = 'x'.repeat(20_000)
  const stopped: LiveEvent = { type: 'session-stopped', reason: 'failed', words, position: 3, at: '' }
  expect(messagesOf('a', stopped)).toEqual([JSON.stringify({ session: 'a', position: 3 })])
  const pieces = messagesOf('a', piece(words)).map(message => JSON.parse(message) as { event: Delta })
  expect(pieces.map(({ event }) => event.text).join('')).toBe(words)
  const messages = [
    ...messagesOf('a', piece('é'.repeat(3_000))),
    ...messagesOf('a', piece('é'.repeat(3_000))),
  ]
  const payloads = packed(messages, mostBytes)
  expect(payloads.join('\n')).toBe(messages.join('\n'))
  expect(payloads.every(payload => Buffer.byteLength(payload) <= mostBytes)).toBe(true)
})
