import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../core/basics.ts'
import { pageOf } from './page.ts'
import {
  differenceInterval,
  intervalOf,
  type Recording,
  recordingFrom,
  replay,
  resampledMeans,
  seatsNamed,
  splitsOf,
  withSeats,
} from './replay.ts'

interface Seat {
  /** How often it is right. */
  readonly accuracy: number
  /** The seat that it copies. */
  readonly copyOf?: number
}

/** Three copies of one seat outvote two better ones: the case that a majority gets wrong. */
const copies: readonly Seat[] = [
  { accuracy: 0.7 },
  { accuracy: 0.7, copyOf: 0 },
  { accuracy: 0.7, copyOf: 0 },
  { accuracy: 0.8 },
  { accuracy: 0.8 },
]

/** Questions with four options; a wrong seat picks any of the other three. */
const recorded = (seats: readonly Seat[], count: number): Recording => {
  const random = randomFor('recorded')
  const rows = Array.from({ length: count }, (_, id) => {
    const gold = Math.floor(random() * 4)
    const votes: number[] = []
    for (const { accuracy, copyOf } of seats) {
      const own = random() < accuracy ? gold : (gold + 1 + Math.floor(random() * 3)) % 4
      votes.push(copyOf === undefined ? own : votes[copyOf]!)
    }
    return [`q${id}`, ...[gold, ...votes].map(option => 'ABCD'[option])].join(',')
  })
  const names = seats.map((_, place) => `maker${place}/seat${place}`)
  return recordingFrom([`id,gold,${names.join(',')}`, ...rows].join('\n'))
}

const measured = (recording: Recording, labels = 100) =>
  replay(recording, { labels, seed: 'test', resamples: 300 })

describe('replay', () => {
  const found = measured(recorded(copies, 600))
  const rule = (name: string) => found.rules.find(one => one.name === name)!

  test('[B17] every rule that recorded votes suffice for is measured, with paired intervals', () => {
    expect(found.rules.map(one => one.name)).toEqual([
      'majority',
      'log-odds',
      'dawid-skene',
      'portfolio',
      'best-seat',
      'gate-best-seat',
      'gate-portfolio',
    ])
    for (const { accuracy, interval, against } of found.rules) {
      expect(interval[0]).toBeLessThanOrEqual(accuracy)
      expect(interval[1]).toBeGreaterThanOrEqual(accuracy)
      expect(against.majority.difference).toBeCloseTo(accuracy - rule('majority').accuracy)
      expect(against.bestSeat!.difference).toBeCloseTo(accuracy - rule('best-seat').accuracy)
    }
    expect(rule('majority').against.majority).toEqual({ difference: 0, interval: [0, 0] })
  })

  test('[B17] a rule that is better by far has an interval without zero', () => {
    expect(rule('portfolio').against.majority.interval[0]).toBeGreaterThan(0.05)
    expect(rule('portfolio').draws!.aboveMajority).toBe(1)
  })

  test('[B18] a tie of two is half right, and no answer is wrong', () => {
    const tied = recordingFrom('id,gold,a,b\n1,A,A,B\n2,A,A,B\n3,A,,\n4,B,A,')
    const { rules, anySeatRight } = measured(tied, 0)
    expect(rules[0]).toMatchObject({ name: 'majority', accuracy: 0.25, ties: 0.5 })
    expect(anySeatRight).toBe(0.5)
  })

  test('[B18] where all rules say the same there is no difference at all', () => {
    const rows = Array.from({ length: 50 }, (_, id) => `${id},A,A,A`)
    for (const { accuracy, against } of measured(recordingFrom(['id,gold,a,b', ...rows].join('\n')), 20)
      .rules) {
      expect(accuracy).toBe(1)
      expect(against.majority).toEqual({ difference: 0, interval: [0, 0] })
    }
  })

  test('[B19] no question is decided by a rule that learnt its answer', () => {
    for (const [questions, labels] of [
      [2665, 200],
      [30, 15],
      [7, 3],
    ] as const) {
      const splits = splitsOf(questions, labels, 'x')
      for (const { labels: window, isLabel } of splits) {
        expect(new Set(window).size).toBe(labels)
        expect(window.every(index => isLabel[index] === 1)).toBe(true)
      }
      const decided = [...Array(questions).keys()].filter(index =>
        splits.some(split => !split.isLabel[index]),
      )
      expect(decided).toHaveLength(questions)
    }
    // Seats that guess differently on every question: whoever saw an answer would be right more often.
    const noise = recorded(Array(5).fill({ accuracy: 0.25 }), 400)
    expect(measured(noise, 200).rules.find(one => one.name === 'portfolio')!.accuracy).toBeLessThan(0.35)
  })

  test('[B19] a small file keeps half of its questions to be decided; without labels nothing learns', () => {
    expect(measured(recorded(copies, 40), 200).labels).toBe(20)
    const plain = measured(recorded(copies, 40), 0).rules
    expect(plain.map(one => one.name)).toEqual(['majority', 'dawid-skene'])
    expect(plain[1]!.against).not.toHaveProperty('bestSeat')
  })

  test('[B20] the same seed gives the same figures, another one others', () => {
    const recording = recorded(copies, 100)
    const at = (seed: string) => JSON.stringify(replay(recording, { labels: 20, seed, resamples: 50 }))
    expect(at('1')).toBe(at('1'))
    expect(at('1')).not.toBe(at('2'))
  })

  test('[B21] gates tell what they settle and what is left to win', () => {
    const gates = measured(recordingFrom('id,gold,a,b,c\n1,A,A,A,A\n2,B,A,A,B'), 0).gates
    expect(gates.find(gate => gate.threshold === 1)).toEqual({
      threshold: 1,
      settled: 0.5,
      accuracySettled: 1,
      accuracyOpen: 0,
      ceilingOpen: 1,
    })
    expect(gates[0]).toMatchObject({ settled: 1, accuracySettled: 0.5, accuracyOpen: null })
  })
})

test('[B22] an interval covers what is resampled, and a difference is paired', () => {
  const column = Float64Array.from({ length: 400 }, (_, index) => (index % 4 === 0 ? 0 : 1))
  const better = column.map((value, index) => (index === 0 ? 1 : value))
  const [one, other] = resampledMeans([better, column], { resamples: 2000, seed: 'x' })
  const [from, to] = intervalOf(other!)
  expect(from).toBeCloseTo(0.75 - 1.96 * Math.sqrt((0.75 * 0.25) / 400), 2)
  expect(to).toBeCloseTo(0.75 + 1.96 * Math.sqrt((0.75 * 0.25) / 400), 2)
  const [least, most] = differenceInterval(one!, other!)
  expect(least).toBe(0)
  expect(most).toBeLessThan(0.01)
})

test('[B23] the page is static, escapes names, and describes every plot in words', () => {
  const hostile = recordingFrom('id,gold,"<script>x</script>",b\n1,A,A,B\n2,B,B,B\n3,A,A,A\n4,C,C,A')
  const page = pageOf({ replay: replay(hostile, { labels: 2, seed: '"><img>', resamples: 20 }) })
  expect(page).not.toMatch(/<script|<img|NaN|undefined|https?:/)
  expect(page).toContain("default-src 'none'")
  expect(page.match(/<svg /g)).toHaveLength(2)
  expect(page.match(/<desc id="[^"]+">[^<]+: /g)).toHaveLength(2)
  expect(page).toContain('prefers-color-scheme: dark')
})

const real = new URL('../../../shared/data/mmlu-redux-votes.csv', import.meta.url)

test.skipIf(!existsSync(real))(
  '[B24] on the first half of the recorded votes the portfolio of six seats beats the majority (skipped without the file)',
  () => {
    const all = recordingFrom(readFileSync(real, 'utf8'))
    const names =
      'claude-3-5-sonnet-20240620,gpt-4o-2024-05-13,gemini-1.5-pro-001,llama-3.1-405b,qwen2.5-72b,mistral-large-2407'
    const six = withSeats(all, seatsNamed(all.seats, names.split(',')))
    const { rules } = replay(six, { labels: 200, seed: '1' })
    const of = (name: string) => rules.find(rule => rule.name === name)!
    expect(of('majority').accuracy).toBeCloseTo(0.887, 2)
    expect(of('log-odds').accuracy).toBeGreaterThanOrEqual(of('majority').accuracy)
    expect(of('dawid-skene').accuracy).toBeGreaterThanOrEqual(of('majority').accuracy)
    expect(of('portfolio').against.majority.interval[0]).toBeGreaterThan(0)
  },
)
