import { expect, test } from 'vitest'
import type { DraftField } from '../core/event.ts'
import { draftPoint } from '../core/session.ts'
import { draftReader } from './reply.ts'

const readIn = (reply: object, size = 1): Record<string, string> => {
  const found: Partial<Record<DraftField, string>> = {}
  const reader = draftReader({
    onDelta(field, text) {
      found[field] = (found[field] ?? '') + text
    },
  })
  const text = JSON.stringify(reply)
  for (let from = 0; from < text.length; from += size) reader.push(text.slice(from, from + size))
  return found
}

const points = [
  { seat: 'B', quote: 'It "floods".', why: 'The map says so.', judgement: 'holds' },
  { seat: 'C', quote: 'It is dear.', why: '', judgement: 'cannot be checked' },
]

test.each([1, 7, 10_000])(
  '[P80] points, reasons, text and headline are read as they come, %i at a time',
  size => {
    const reply = {
      points,
      reasoning: 'So.',
      decision: 'kept',
      reason: null,
      text: 'Dear all',
      headline: 'Yes.',
    }
    expect(readIn(reply, size)).toEqual({
      points: points.map(draftPoint).join('\n'),
      reasoning: 'So.',
      text: 'Dear all',
      headline: 'Yes.',
    })
  },
)

test('[P80] a maker that sorts keys, or a point without words, spoils no line', () => {
  expect(readIn({ points: [{ why: 'First.' }, { quote: 'b' }, { quote: 'c', why: 'Third.' }] }).points).toBe(
    'First.\n“b”\n“c” Third.',
  )
})

test('[P80] an advocate argues, a small model concludes', () => {
  expect(readIn({ argument: 'Because.', question: 'Why not?' })).toEqual({ reasoning: 'Because.' })
  expect(readIn({ question: 'Q?', reasoning: 'So.', conclusion: 'Yes.' })).toEqual({
    reasoning: 'So.',
    headline: 'Yes.',
  })
})
