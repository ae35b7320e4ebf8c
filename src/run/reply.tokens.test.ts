import { expect, test } from 'vitest'
import { randomFor } from '../core/basics.ts'
import { replyCount, tokensIn } from './reply.ts'

const letters = ['a', ' ', 'é', 'ж', '字', '🙂', '\n']

const textFrom = (random: () => number, length: number): string =>
  Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('')

test('[R50] a reply is cut where its tokens end, as the log counts them, in whichever pieces it comes', () => {
  const random = randomFor('pieces')
  for (const most of [0, 1, 7, 100, 333]) {
    const text = textFrom(random, 1_000)
    const kept = [1, 3, 50, text.length].map(size => {
      const count = replyCount(() => most)
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
      return pieces.map(piece => count.take(piece)).reduce((all, piece) => all + piece, '')
    })
    for (const one of kept) {
      expect(tokensIn(one)).toBeLessThanOrEqual(most)
      expect(one.isWellFormed()).toBe(true)
    }
    expect(text.startsWith(kept.at(-1)!)).toBe(true)
    // Not a token less than there was room for, except for a character that didn't fit.
    expect(tokensIn(text.slice(0, kept.at(-1)!.length + 2))).toBeGreaterThan(most)
  }
})

test('[R50] room is asked for only if the reply needs more than it has', () => {
  const asked: number[] = []
  const count = replyCount(tokens => {
    asked.push(tokens)
    return tokens + 10
  })
  for (let piece = 0; piece < 30; piece++) expect(count.take('four')).toBe('four')
  expect(asked).toEqual([1, 12, 23])
})
