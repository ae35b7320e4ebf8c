import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  choiceVotes,
  learning,
  options,
  ruleContract,
} from '../../test/contracts/core-aggregation-contract.ts'
import type { Vote } from '../core/rules.ts'
import { choiceRules, meanLogOdds } from './rules.ts'

const context = { options: [...options] }
const empty = { seats: ['a'], options: 4, labelled: [], ballots: [], familyOf: (seat: string) => seat }

/** Votes of up to six seats with values of a kind. */
const votesOf = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Vote<Value>[]> =>
  fc
    .array(value, { maxLength: 14 })
    .map(values => values.map((one, seat) => ({ seat: `s${seat}`, value: one })))

const probability = fc.double({ min: 0.01, max: 0.99, noNaN: true })

for (const { create } of choiceRules)
  ruleContract(create(empty).id, learning.map(create), choiceVotes, fc.constantFrom(...options), context)
ruleContract('mean-log-odds', fc.constant(meanLogOdds()), votesOf(probability), probability, context)

test('[B1] every rule has an id of its own', () => {
  const ids = [...choiceRules.map(({ create }) => create(empty).id), meanLogOdds().id]
  expect(new Set(ids).size).toBe(ids.length)
})

test('[B4] options may be called anything', () => {
  const votes = ['constructor', '__proto__', '__proto__'].map((value, seat) => ({ seat: `${seat}`, value }))
  for (const { create } of choiceRules)
    expect(create(empty).decide(votes, { options: ['constructor', '__proto__'] }).value).toBe('__proto__')
})
