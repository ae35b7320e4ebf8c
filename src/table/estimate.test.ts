import { expect, test } from 'vitest'
import { scripted } from '../models/scripted.ts'
import type { AskInput } from './ask.ts'
import type { Estimate } from './estimate.ts'
import { reachOf } from './reach.ts'
import { openingOf } from './resolve.ts'

const prices: Record<string, { input: number; output: number }> = {
  cheap: { input: 1, output: 2 },
  dear: { input: 10, output: 20 },
}
const provider = {
  ...scripted(() => ''),
  known: (model: string) => ({
    ...(prices[model] && { price: prices[model] }),
    ...(model === 'thinker' && { price: prices.cheap, reasoning: true }),
    ...(model === 'narrow' && { price: prices.cheap, context: 8_000 }),
  }),
}
const reach = reachOf({ env: {}, providers: [provider] })

const estimated = (input: Partial<AskInput>): Estimate =>
  openingOf({ question: 'Is it so?', ...input }, 'x', reach).estimate

const cheap = 'scripted/cheap'
const dear = 'scripted/dear'

test('[R27] each seat is counted at its own price, and the sum is theirs and the moderator’s', () => {
  const { seatUsd, moderatorUsd, costUsd } = estimated({ seats: [cheap, dear, cheap], moderator: dear })
  expect(seatUsd.s2!.high).toBeCloseTo(10 * seatUsd.s1!.high)
  expect(seatUsd.s3).toEqual(seatUsd.s1)
  for (const end of ['low', 'high'] as const) {
    const parts = [seatUsd.s1!, seatUsd.s2!, seatUsd.s3!, moderatorUsd!].map(range => range[end])
    expect(costUsd![end]).toBeCloseTo(parts.reduce((sum, part) => sum + part, 0))
  }
})

test('[R27] one unknown price makes the sum unknown, never zero, and is named', () => {
  const { costUsd, seatUsd, notes } = estimated({ seats: [cheap, 'scripted/riddle'], protocol: 'poll' })
  expect(costUsd).toBeNull()
  expect(seatUsd.s1).not.toBeNull()
  expect(seatUsd.s2).toBeNull()
  expect(notes).toContain('The price of scripted/riddle is unknown.')
})

test('[R27] nobody is counted as moderator where there is none; open answers take more of one', () => {
  const poll = { seats: [cheap, cheap, cheap], protocol: 'poll' }
  expect(estimated(poll).calls).toEqual({ low: 3, high: 3 })
  const closed = estimated({ ...poll, moderator: dear, format: 'choice', options: ['Yes', 'No'] })
  expect(closed.calls).toEqual({ low: 5, high: 6 })
  expect(estimated({ ...poll, moderator: dear }).calls).toEqual({ low: 7, high: 10 })
})

test('[R27] a model that thinks first may write several times as much', () => {
  const plain = estimated({ seats: [cheap], protocol: 'poll' })
  const thinking = estimated({ seats: ['scripted/thinker'], protocol: 'poll' })
  expect(thinking.outputTokens.low).toBe(plain.outputTokens.low)
  expect(thinking.outputTokens.high).toBeGreaterThan(2 * plain.outputTokens.high)
})

test('[R27] what texts take follows their length, and nobody groups them unless asked', () => {
  const text = {
    seats: [cheap, cheap, cheap],
    moderator: dear,
    protocol: 'roundtable',
    format: 'text' as const,
  }
  const [short, long] = [estimated({ ...text, length: 50 }), estimated({ ...text, length: 1_000 })]
  expect(long.outputTokens.low - short.outputTokens.low).toBe(6 * Math.round(950 * 1.3))
  expect(short.calls).toEqual({ low: 7, high: 7 })
  expect(estimated({ ...text, camps: 'intent' }).calls.low).toBeGreaterThan(7)
  expect(() => estimated({ ...text, protocol: 'delphi' })).toThrow(
    /this one is text: choose another protocol/,
  )
})

test('[R74] the part of the input that repeats is told, if it is long enough for a cache', () => {
  const attachments = [{ name: 'notes.txt', text: 'Words of a long document. '.repeat(400) }]
  const seats = [cheap, dear, cheap]
  const short = estimated({ seats, moderator: dear })
  expect(short.repeatedInput).toEqual({ low: 0, high: 0 })
  expect(short.notes.join()).not.toContain('repeat')
  const long = estimated({ seats, moderator: dear, attachments })
  expect(long.repeatedInput.low).toBeGreaterThan(1_024)
  // Three seats of two models and a moderator: in a sealed round, one seat repeats another.
  const beginning = long.repeatedInput.low
  const several = estimated({ seats, moderator: dear, attachments, protocol: 'roundtable', rounds: 2 })
  expect(several.repeatedInput.low).toBe(beginning)
  expect(several.repeatedInput.high).toBe((9 - 2 + several.calls.high - 9 - 1) * beginning)
  expect(long.repeatedInput.high).toBeLessThan(long.inputTokens.high)
  expect(long.notes.join()).toContain('of the input tokens repeat')
  expect(
    estimated({ seats: [cheap, dear], moderator: null, protocol: 'poll', attachments }).repeatedInput,
  ).toEqual({
    low: 0,
    high: 0,
  })
})

test('[R350] a model that cannot take the question with its attachments is named before anybody is asked', () => {
  const notes = (repeats: number): string =>
    estimated({
      seats: [cheap, 'scripted/narrow'],
      attachments: [{ name: 'long.txt', text: 'Some words. '.repeat(repeats) }],
    }).notes.join()
  expect(notes(5_000)).toMatch(/narrow takes 8(\.0)?k tokens, .* it could not answer/)
  expect(notes(10)).not.toContain('could not answer')
})

test('[P105] the estimate of hybrid says when the table talks', () => {
  const said = (input: Partial<AskInput>): string =>
    estimated({ seats: [cheap, cheap, cheap], ...input }).notes.join()
  const choice = { options: ['Yes', 'No'], moderator: dear }
  expect(said({ ...choice, kind: 'fact' })).toBe(
    'If more than half agree in the sealed vote, no open rounds follow, unless a challenger objects.',
  )
  expect(said({ ...choice, kind: 'judgement', moderator: null })).toContain(
    'If at least 80% agree in the sealed vote, no open rounds follow.',
  )
  expect(said(choice)).toContain(
    'no open rounds follow, unless a challenger objects. On a question of fact, more than half is enough.',
  )
  expect(said({ ...choice, rounds: 0 })).toBe('')
  expect(said({ ...choice, protocol: 'roundtable' })).toBe('')
})
