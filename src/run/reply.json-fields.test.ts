import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFields } from './reply.ts'

const read = (chunks: readonly string[], fields: readonly string[]): Record<string, string> => {
  const found: Record<string, string> = {}
  const reader = jsonFields(fields, (field, text) => {
    found[field] = (found[field] ?? '') + text
  })
  for (const chunk of chunks) reader.push(chunk)
  return found
}

const cutAt = (text: string, cutsAt: readonly number[]): string[] => {
  const cuts = [...new Set(cutsAt.map(at => at % (text.length + 1)))].sort((one, other) => one - other)
  return [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length))
}

test('[R1] streams the text of a field however the reply is cut into chunks', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.constant(null),
    fc.array(fc.string()),
  )
  const reply = fc
    .dictionary(fc.string(), value)
    .chain(rest => fc.record({ headline: fc.string({ unit: 'binary' }), rest: fc.constant(rest) }))
  fc.assert(
    fc.property(reply, fc.array(fc.nat()), ({ headline, rest }, cutsAt) => {
      const text = JSON.stringify({ ...rest, headline, nested: { headline: 'another', list: ['headline'] } })
      expect(read(cutAt(text, cutsAt), ['headline']).headline ?? '').toBe(headline)
    }),
  )
})

test('[R1] streams before the reply is complete, and passes over what is around the object', () => {
  const seen: string[] = []
  const reader = jsonFields(['headline'], (_, text) => seen.push(text))
  reader.push('```json\n{"headline": "It is')
  reader.push(' so \\u00')
  expect(seen).toEqual(['It is', ' so '])
  reader.push('e9"}')
  expect(seen.join('')).toBe('It is so é')
})

test('[R1] hands on only the fields that were asked for', () => {
  expect(read(['{"a":"1","headline":"2","c":{"headline":"3"}}'], ['headline'])).toEqual({ headline: '2' })
})

test('[R1] streams fields of the objects in a list, and nothing that is nested otherwise', () => {
  const point = fc.record({
    seat: fc.string(),
    quote: fc.string({ unit: 'binary' }),
    judgement: fc.constantFrom('holds', 'does not hold'),
    why: fc.string({ unit: 'binary' }),
    deeper: fc.constant({ why: 'no', list: [{ why: 'no' }] }),
  })
  const rest = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string()), fc.integer()))
  fc.assert(
    fc.property(fc.array(point), rest, fc.array(fc.nat()), (points, others, cutsAt) => {
      const text = JSON.stringify({
        ...others,
        nested: { points: [{ why: 'no' }], why: 'no' },
        lists: [[{ why: 'no' }]],
        points,
        reasoning: 'So.',
      })
      const found = read(cutAt(text, cutsAt), ['points.quote', 'points.why', 'reasoning'])
      expect(found['points.quote'] ?? '').toBe(points.map(({ quote }) => quote).join(''))
      expect(found['points.why'] ?? '').toBe(points.map(({ why }) => why).join(''))
      expect(found.reasoning).toBe('So.')
    }),
  )
})

test('[R1] says when a field begins, even an empty one', () => {
  const seen: string[] = []
  const reader = jsonFields(
    ['points.why'],
    (_, text) => seen.push(text),
    field => seen.push(`<${field}>`),
  )
  reader.push('{"points":[{"why":"One."},{"why":""},{"other":"x","why":"Two."}],"why":"no"}')
  expect(seen).toEqual(['<points.why>', 'One.', '<points.why>', '<points.why>', 'Two.'])
})
