import fc from 'fast-check'
import { expect, test } from 'vitest'
import { table } from '../../test/contracts/core-testing.ts'
import { quoteStands } from '../core/question.ts'
import { seatCalled } from '../core/session.ts'
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

test.each([
  ['take 102 mg a day', 'take 10² mg a day'],
  ['it has 5×106 cells', 'it has 5×10⁶ cells'],
  ['serves 106 users', 'serves 10**6 users'],
  ['serves 106 users', 'serves 10⁶ users'],
  ['costs 23 euros', 'costs 2*3 euros'],
  ['scores 12 points', 'scores ①② points'],
  ['takes 31⁄2 hours', 'takes 3½ hours'],
  ['the rent is 90', 'the rent is 900 euros'],
  ['the rent is 1', 'the rent is 1,900 euros'],
  ['the mean is 10', 'the mean is 10^6 metres'],
  ['the mean is 10', 'the mean is 10⁶ metres'],
  ['5 degrees at noon', 'it was -5 degrees at noon'],
  ['snakecase_names help', 'snake_case_names help'],
])('[Q393] %j is not in %j', (quote, text) => {
  expect(quoteStands(quote, [text])).toBe(false)
})

test.each([
  ['exactly 42 people came', 'In all, **exactly 42** people came.'],
  ['exactly 42 people came', 'In all, exactly `42` *people* __came__.'],
  ['the whole sentence is set so', '***The** whole sentence is set so.*'],
  ['at most 2*3 euros', 'It costs *at most 2*3 euros*.'],
  ['the rent is 900', 'The rent is 900.'],
  ['from 10-20 euros', 'It costs from 10–20 euros.'],
  ['ﬁnances are ﬁne', 'The finances are fine.'],
  ['重要な点はここです', '**重要**な点はここです。'],
])('[Q393] %j is in %j', (quote, text) => {
  expect(quoteStands(quote, [text])).toBe(true)
})

const figureSigns = [...'125²⁶①½*^_.,-×/ab', '**', ' ', ' ', '`']
const quotedText = fc
  .array(fc.constantFrom(...figureSigns), { minLength: 1, maxLength: 8 })
  .map(signs => signs.join(''))

test('[Q393] a quote with other figures than the text is never found', () => {
  const figures = (text: string): string => (text.match(/\p{N}+/gu) ?? []).join(' ')
  fc.assert(
    fc.property(quotedText, quotedText, (said, written) => {
      if (quoteStands(`begins with ${said} and ends`, [`begins with ${written} and ends`]))
        expect(figures(said)).toBe(figures(written))
    }),
    { numRuns: 5_000 },
  )
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
  expect(credit('c', 'As [a model] I say')).toMatchObject({ quote: 'As Grok 4.20 I say', verified: true })
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

test('[Q394] a letter is the alias of a seat before it is the name of another', () => {
  const seats = ['b', 'a', 'Seat A'].map((name, at) => ({
    ...{ id: `s${at + 1}`, alias: 'ABC'[at]!, name, model: `lab/${at}` },
  }))
  const said = ['These are the words of A', 'These are the words of B', 'These are the words of C']
  const named = table({ seats }).round(0, said).session
  for (const peer of ['B', 'b', 'Seat B', 'seat b'])
    expect(creditFor(named, 1, 's3', { peer, quote: 'the words of B' })).toMatchObject({
      seat: 's2',
      verified: true,
    })
  expect(creditFor(named, 1, 's3', { peer: 'Seat A', quote: 'the words of A' })?.seat).toBe('s1')
  expect(seatCalled(named, 'Seat B')?.id).toBe('s2')
  const twins = seats.map(seat => ({ ...seat, name: 'Ada' }))
  expect(
    creditFor(table({ seats: twins }).round(0, said).session, 1, 's3', { peer: 'Ada', quote: 'x' }),
  ).toBe(undefined)
})

test('[Q15] nobody outside the table is credited', () => {
  for (const peer of ['Z', 'nobody', '']) expect(credit(peer, 'the bridge carries')).toBeUndefined()
})
