/** What every aggregation rule must do, however it weighs votes. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Learning } from '../../src/bench/rules.ts'
import type { Context, Rule, Vote } from '../../src/core/rules.ts'

export const options = ['A', 'B', 'C', 'D'] as const
const seats = ['one/a', 'one/b', 'two/c', 'three/d', 'four/e']
const familyOf = (seat: string): string => seat.split('/')[0]!

const choice = fc.constantFrom(...options)
const ballot = fc
  .array(fc.option(choice), { minLength: seats.length, maxLength: seats.length })
  .map(row => new Map(row.flatMap((value, seat) => (value === null ? [] : [[seats[seat]!, value] as const]))))

/** Any record that a rule could learn from, including empty and one-sided ones. */
export const learning: fc.Arbitrary<Learning> = fc
  .array(fc.record({ votes: ballot, gold: choice }), { maxLength: 12 })
  .map(labelled => ({
    seats,
    options: options.length,
    labelled,
    ballots: labelled.map(({ votes }) => votes),
    familyOf,
  }))

const choiceVote = (seat: string): fc.Arbitrary<Vote> =>
  fc
    .record({
      value: choice,
      sealedConfidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      earlier: fc.array(fc.option(choice), { maxLength: 3 }),
    })
    .map(({ value, sealedConfidence, earlier }) => ({
      seat,
      value,
      rounds: [...earlier, value],
      ...(sealedConfidence !== undefined && { sealedConfidence }),
    }))

export const choiceVotes: fc.Arbitrary<Vote[]> = fc
  .subarray(seats)
  .chain(some => fc.tuple(...some.map(choiceVote)))

const expectClose = (one: unknown, other: unknown): void => {
  if (typeof one === 'number' && typeof other === 'number') expect(one / other).toBeCloseTo(1, 9)
  else expect(one).toEqual(other)
}

/** Random votes show whether a rule depends on their order, or on the names of seats. */
export const ruleContract = <Value>(
  name: string,
  rule: fc.Arbitrary<Rule<Value>>,
  votes: fc.Arbitrary<Vote<Value>[]>,
  unanimous: fc.Arbitrary<Value>,
  context: Context,
): void => {
  describe(name, () => {
    test('[B1] has an id, a label and one sentence', () => {
      const [one] = fc.sample(rule, 1)
      expect(one!.id).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(one!.label).not.toBe('')
      expect(one!.summary).toMatch(/^[^\n]{10,110}\.$/)
    })

    test('[B2] the order of the votes does not matter', () => {
      fc.assert(
        fc.property(rule, votes, fc.integer(), (one, given, turn) => {
          const from = given.length === 0 ? 0 : Math.abs(turn) % given.length
          const other = [...given.slice(from), ...given.slice(0, from)].reverse()
          const [first, second] = [one.decide(given, context), one.decide(other, context)]
          expectClose(first.value, second.value)
          expect(first.tied).toEqual(second.tied)
        }),
      )
    })

    test('[B3] what all seats say is what the table says', () => {
      fc.assert(
        fc.property(rule, unanimous, fc.integer({ min: 1, max: seats.length }), (one, value, count) => {
          const same = seats.slice(0, count).map(seat => ({ seat, value }))
          expectClose(one.decide(same, context).value, value)
        }),
      )
    })

    test('[B4] a tie has no value and names at least two; without votes there is neither', () => {
      fc.assert(
        fc.property(rule, votes, (one, given) => {
          const { value, tied } = one.decide(given, context)
          if (tied.length > 0) expect(value).toBeNull()
          expect(tied.length).not.toBe(1)
          expect(value !== null || tied.length > 1).toBe(given.length > 0)
        }),
      )
      expect(one(rule).decide([], context)).toMatchObject({ value: null, tied: [] })
    })
  })
}

const one = <Value>(rule: fc.Arbitrary<Value>): Value => fc.sample(rule, 1)[0]!
