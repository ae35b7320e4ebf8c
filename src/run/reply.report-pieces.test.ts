import { expect, test } from 'vitest'
import { table } from '../../test/contracts/core-testing.ts'
import type { DraftField } from '../core/event.ts'
import { draftReader, reportPieces } from './reply.ts'

const { session } = table({ seats: 3 })
  .round(0, ['Rail', 'Rail', 'Road'])
  .labels(0, ['Rail', 'Rail', 'Road'])
  .settle()
  .check(0, 's3', 's1@0', 'different')

const [first, , third] = session.seats.map(({ name }) => name)

const shown = (reply: string, size: number): Map<DraftField, string[]> => {
  const pieces = new Map<DraftField, string[]>()
  const listener = reportPieces(session, (field, text) =>
    pieces.set(field, [...(pieces.get(field) ?? []), text]),
  )
  const reader = draftReader(listener)
  for (let at = 0; at < reply.length; at += size) reader.push(reply.slice(at, at + size))
  return pieces
}

const reply = JSON.stringify({
  reasons: [
    { seat: 'A', quote: 'It lasts.', reason: 'Rails last, says Seat A, and {agreement} want them.' },
    { seat: null, quote: null, reason: 'Only {dissent} objects, {moved} never, {nonsense} too.' },
  ],
  moved: null,
  open: 'What it costs.',
  answer: 'Rail it is.',
})

test.each([1, 3, 7, 1000])(
  '[E37] a report streams without placeholders or letters, in pieces of %i',
  size => {
    const pieces = shown(reply, size)
    const whole = (field: DraftField): string => (pieces.get(field) ?? []).join('')
    expect(whole('points')).toBe(
      `Rails last, says ${first}, and 2 of 3 want them.\nOnly ${third} objects, … never, … too.`,
    )
    expect(whole('reasoning')).toBe('What it costs.')
    expect(whole('headline')).toBe('Rail it is.')
    for (const text of [...pieces.values()].flat()) expect(text).not.toMatch(/[{}]|Seat/)
  },
)

test('[E37] a brace that never closes is held back for a while only', () => {
  const pieces = shown(JSON.stringify({ open: `{${'x '.repeat(200)}` }), 5)
  expect((pieces.get('reasoning') ?? []).join('').length).toBeGreaterThan(200)
})

test.each([4, 100_000])(
  '[R82] a reply of nothing but placeholders does not flood watchers, in pieces of %i',
  size => {
    const long = 'Rail and nothing else. '.repeat(80)
    const { session: wordy } = table({ seats: 2 }).round(0, [long, long])
    let length = 0
    const { onDelta } = reportPieces(wordy, (_, text) => {
      length += text.length
    })
    const text = '{leading} '.repeat(5_000)
    for (let at = 0; at < text.length; at += size) onDelta('reasoning', text.slice(at, at + size))
    expect(length).toBeLessThan(2 * text.length)
  },
)
