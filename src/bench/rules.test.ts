import fc from 'fast-check'
import { expect, test } from 'vitest'
import { choiceVotes, learning, options } from '../../test/contracts/core-aggregation-contract.ts'
import { cappedWeights, logOddsWeight, majority, type Vote } from '../core/rules.ts'
import {
  accuracyOf,
  dawidSkene,
  estimatedAccuracies,
  type Labelled,
  type Learning,
  logOdds,
  meanLogOdds,
  portfolioWeights,
  sealedConfidence,
  trajectory,
} from './rules.ts'

const context = { options: [...options] }
const votes = (text: string): Vote[] => [...text].map((value, seat) => ({ seat: `s${seat}`, value }))
const of = <Value>(...values: Value[]): Vote<Value>[] =>
  values.map((value, seat) => ({ seat: `s${seat}`, value }))

/** Labelled questions whose right answer is A: a row for each seat, one sign for each question. */
const taught = (rows: Record<string, string>): Learning => {
  const seats = Object.keys(rows)
  const labelled: Labelled[] = [...Object.values(rows)[0]!].map((_, question) => ({
    gold: 'A',
    votes: new Map(
      seats.flatMap(seat => (rows[seat]![question] === '.' ? [] : [[seat, rows[seat]![question]!] as const])),
    ),
  }))
  return { seats, options: 4, labelled, ballots: labelled.map(one => one.votes), familyOf: seat => seat }
}

test('[B4] a tie of the plain vote names who is tied, in the order of the options', () => {
  expect(majority().decide(votes('DABAD'), context)).toMatchObject({ value: null, tied: ['A', 'D'] })
})

test('[B5] the trajectory vote counts the sealed round once and all open rounds together once', () => {
  const swayed = (sealed: string, ...later: string[]): Vote => ({
    seat: sealed + later,
    value: later.at(-1)!,
    rounds: [sealed, ...later],
  })
  expect(trajectory().decide([swayed('A', 'B', 'A')], context).scores).toEqual({ A: 1.5, B: 0.5 })
  const table = [swayed('A', 'B'), swayed('A', 'B'), swayed('A', 'A'), swayed('B', 'B')]
  expect(majority().decide(table, context).value).toBe('B')
  expect(trajectory().decide(table, context)).toMatchObject({ value: null, tied: ['A', 'B'] })
})

test('[B6] confidence counts by its sealed value; a seat without one counts as the mean of the others', () => {
  const sure = (value: string, sealedConfidence?: number): Vote => ({
    seat: `${value}${sealedConfidence}`,
    value,
    ...(sealedConfidence !== undefined && { sealedConfidence }),
  })
  const rule = sealedConfidence()
  expect(rule.decide([sure('A', 0.9), sure('B', 0.3), sure('B', 0.5)], context).value).toBe('A')
  expect(rule.decide([sure('A', 0.9), sure('B', 0.3), sure('C')], context).scores.C).toBeCloseTo(0.6)
})

test('[B7] a log-odds weight is log(p(K−1)/(1−p)), p shrunk by a Beta prior; a seat that guesses has none', () => {
  const learnt = taught({ a: 'AAAAAAAAAA', b: 'AAAAABBBBB', c: 'AAAAA.....' })
  expect(accuracyOf('a', learnt.labelled)).toBeCloseTo(18 / 20)
  expect(accuracyOf('b', learnt.labelled)).toBeCloseTo(13 / 20)
  expect(accuracyOf('c', learnt.labelled)).toBeCloseTo(13 / 15)
  expect(logOddsWeight(0.9, 4)).toBeCloseTo(Math.log(27))
  expect(logOddsWeight(0.25, 4)).toBeCloseTo(0)
  expect(logOddsWeight(0.1, 4)).toBe(0)
})

test('[B7] one good seat outweighs two poor ones', () => {
  const rows = { a: 'A'.repeat(100), b: 'AB'.repeat(50), c: 'BA'.repeat(50) }
  const split = [
    { seat: 'a', value: 'A' },
    { seat: 'b', value: 'B' },
    { seat: 'c', value: 'B' },
  ]
  const rule = logOdds({ ...taught(rows), familyOf: () => 'one' })
  expect(majority().decide(split, context).value).toBe('B')
  expect(rule.decide(split, context).value).toBe('A')
})

test('[B8] no maker has more than a third of the weight, or an equal part if there are fewer than three', () => {
  const weights = fc.array(
    fc.record({
      family: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      weight: fc.double({ min: 0, max: 9, noNaN: true }),
    }),
    { minLength: 1, maxLength: 14 },
  )
  fc.assert(
    fc.property(weights, given => {
      const seats = given.map(({ family, weight }, index) => ({ seat: `${family}/${index}`, weight }))
      const capped = cappedWeights(seats, seat => seat[0]!)
      const sum = [...capped.values()].reduce((before, weight) => before + weight, 0)
      const families = [...new Set(given.filter(({ weight }) => weight > 0).map(({ family }) => family))]
      const most = Math.max(1 / 3, 1 / Math.max(1, families.length))
      for (const { seat, weight } of seats) expect(capped.get(seat)!).toBeLessThanOrEqual(weight + 1e-9)
      for (const family of families) {
        const part = [...capped].filter(([seat]) => seat[0] === family)
        expect(part.reduce((before, [, weight]) => before + weight, 0)).toBeLessThanOrEqual(most * sum + 1e-9)
      }
    }),
  )
  const equal = (...seats: string[]) => seats.map(seat => ({ seat, weight: 1 }))
  const four = cappedWeights(equal('a1', 'a2', 'a3', 'b1', 'c1'), seat => seat[0]!)
  expect([four.get('a1'), four.get('b1')]).toEqual([expect.closeTo(1 / 3), 1])
})

test('[B9] Dawid–Skene tells a good seat from poor ones without an answer key', () => {
  const learnt = taught({
    a: 'AAAAAAAAAAAAAAAAAAAA',
    b: 'AAAAAAAAAAAAAAAAAAAB',
    c: 'AAAAAAAAAAAAAAAAACAA',
    d: 'BACADABACADABACADABA',
    e: 'ACADABACADABACADABAC',
  })
  const found = estimatedAccuracies(learnt)
  expect(found.get('a')).toBeGreaterThan(0.9)
  expect(found.get('d')).toBeLessThan(0.62)
  const split = ['A', 'A', 'C', 'B', 'B', 'B'].map((value, index) => ({ seat: 'abxdef'[index]!, value }))
  expect(dawidSkene(learnt).decide(split.slice(0, 5), context).value).toBe('A')
})

test('[B10] in the portfolio, seats that are right together share their weight', () => {
  const rows = { a: 'AABAABAABA', b: 'AABAABAABA', c: 'AABAABAABA', d: 'BAAABAAAAB', e: 'ABAAAABAAB' }
  const long = Object.fromEntries(Object.entries(rows).map(([seat, row]) => [seat, row.repeat(20)]))
  const weights = portfolioWeights(taught(long), 0)
  expect(weights.get('a')).toBeCloseTo(weights.get('b')!)
  expect(weights.get('d')! / weights.get('a')!).toBeGreaterThan(1.5)
})

test('[B10] of seats that have nothing in common each weighs (p − 1/K) over its variance', () => {
  const weights = portfolioWeights(taught({ a: 'AAABAAAB'.repeat(25), b: 'AAAABBBB'.repeat(25) }), 0)
  expect(weights.get('a')).toBeCloseTo(0.6374, 4)
})

test('[B10] portfolio weights sum to one, none is negative, and each seat keeps its part of a quarter', () => {
  fc.assert(
    fc.property(learning, learnt => {
      const weights = [...portfolioWeights(learnt).values()]
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1)
      for (const weight of weights) expect(weight).toBeGreaterThanOrEqual(0.25 / weights.length - 1e-9)
    }),
  )
})

test('[B13] probabilities are averaged as log-odds, and nobody is surer than 99.9 %', () => {
  expect(meanLogOdds().decide(of(0.9, 0.5), context).value).toBeCloseTo(0.75)
  expect(meanLogOdds().decide(of(1, 0.001), context).value).toBeCloseTo(0.5)
})

test('[B2] voting first or last makes no difference', () => {
  fc.assert(
    fc.property(choiceVotes, given => {
      const names = given.map((vote, index) => ({ ...vote, seat: `x${index}` }))
      expect(majority().decide(names, context)).toEqual(majority().decide(given, context))
    }),
  )
})

test('[B74] ten labelled questions hardly move the portfolio, and many do', () => {
  const spread = (times: number): number => {
    const weights = [...portfolioWeights(taught({ a: 'AB'.repeat(times), b: 'AA'.repeat(times) })).values()]
    return Math.abs(weights[0]! - weights[1]!)
  }
  expect(spread(5)).toBeLessThan(0.15)
  expect(spread(250)).toBeGreaterThan(0.4)
  expect([...portfolioWeights(taught({ a: '', b: '' })).values()]).toEqual([0.5, 0.5])
})
