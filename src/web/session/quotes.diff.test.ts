import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptShare, wordDiff } from './quotes.tsx'

const textOf = (pieces: ReturnType<typeof wordDiff>, without: string): string =>
  pieces
    .filter(piece => piece.kind !== without)
    .map(piece => piece.text)
    .join('')

test('[U3] both texts can be put together again from the pieces', () => {
  const words = fc.array(fc.constantFrom('a', 'b ', ' ', 'cat', '鏡', 'は', '.')).map(list => list.join(''))
  fc.assert(
    fc.property(words, words, (before, after) => {
      const pieces = wordDiff(before, after)
      expect(textOf(pieces, 'added')).toBe(before)
      expect(textOf(pieces, 'removed')).toBe(after)
    }),
  )
})

test('[U3] only what changed is marked', () => {
  expect(
    wordDiff('It swaps left and right.', 'It swaps front and back.').filter(one => one.kind === 'added'),
  ).toEqual([
    { kind: 'added', text: 'front' },
    { kind: 'added', text: 'back' },
  ])
})

test('[U3] words are found in scripts without spaces', () => {
  const pieces = wordDiff('鏡は左右を入れ替える', '鏡は前後を入れ替える')
  expect(pieces[0]).toEqual({ kind: 'same', text: '鏡は' })
  expect(keptShare(pieces)).toBeGreaterThan(0.5)
})

test('[U3] texts without end are shown as replaced', () => {
  expect(wordDiff('one '.repeat(2_000), 'two')).toHaveLength(2)
})
