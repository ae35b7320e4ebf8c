import { expect, test } from 'vitest'
import { table } from '../../test/contracts/core-testing.ts'
import { quoteStands } from '../core/question.ts'
import { creditFor } from './moves.ts'

const text = 'As Grok 4.20 I say: the *bridge* carries “twelve\n  tonnes” — no more.'

test.each([
  ['the bridge carries', true],
  ['The BRIDGE carries', true],
  ['"the bridge carries"', true],
  ['carries "twelve tonnes"', true],
  ['carries ‘twelve tonnes’', true],
  ["'twelve tonnes' - no more", true],
  ['twelve tonnes” – no more…', true],
  ['twelve   tonnes', true],
  ['the **bridge** carries', true],
  ['the bridge holds', false],
  ['no more the bridge', false],
  ['bridge', false],
  ['', false],
  ['........', false],
])('[Q14] quoting %j: %j', (quote, stands) => {
  expect(quoteStands(quote, ['Something else.', text])).toBe(stands)
})

const { session } = table({ seats: 3 })
  .round(0, ['Build it, it carries enough', 'Never build it', { headline: 'Wait a while', reasoning: text }])
  .round(1, [
    {
      headline: 'Build it now',
      reasoning: 'These words came later.',
      points: [
        {
          seat: 's2',
          quote: 'Never',
          verified: true,
          judgement: 'holds',
          why: 'Nobody has asked the ferryman.',
        },
      ],
    },
  ])
const credit = (peer: string, quote: string) => creditFor(session, 1, 's1', { peer, quote })

test('[Q15] a credit counts only if that peer wrote the words before the round', () => {
  expect(credit('C', 'the bridge carries')).toEqual({
    seat: 's3',
    quote: 'the bridge carries',
    verified: true,
  })
  expect(credit('Seat C', 'the bridge carries')?.verified).toBe(true)
  expect(credit('c', 'As Seat C I say')?.verified).toBe(true)
  expect(credit('B', 'the bridge carries')).toEqual({
    seat: 's2',
    quote: 'the bridge carries',
    verified: false,
  })
  expect(credit('A', 'it carries enough')?.verified).toBe(false)
  expect(creditFor(session, 1, 's2', { peer: 'A', quote: 'These words came later' })?.verified).toBe(false)
  expect(creditFor(session, 2, 's2', { peer: 'A', quote: 'These words came later' })?.verified).toBe(true)
  // What a peer says of another's words is shown to that seat, so it can be quoted.
  expect(creditFor(session, 2, 's2', { peer: 'A', quote: 'asked the ferryman' })?.verified).toBe(true)
})

test('[Q15] nobody outside the table is credited', () => {
  for (const peer of ['Z', 'nobody', '']) expect(credit(peer, 'the bridge carries')).toBeUndefined()
})
