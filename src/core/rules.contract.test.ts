import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  choiceVotes,
  learning,
  options,
  ruleContract,
} from '../../test/contracts/core-aggregation-contract.ts'
import { choiceRules, numberRules, probabilityRules, rankingRules } from '../bench/rules.ts'
import type { Vote } from './rules.ts'

const context = { options: [...options] }
const empty = { seats: ['a'], options: 4, labelled: [], ballots: [], familyOf: (seat: string) => seat }

/** Votes of up to six seats with values of a kind. */
const votesOf = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Vote<Value>[]> =>
  fc
    .array(value, { maxLength: 14 })
    .map(values => values.map((one, seat) => ({ seat: `s${seat}`, value: one })))

const order = fc.shuffledSubarray([...options], { minLength: 4, maxLength: 4 })
const positive = fc.double({ min: 0.01, max: 1e6, noNaN: true })
const probability = fc.double({ min: 0.01, max: 0.99, noNaN: true })

for (const { create } of choiceRules)
  ruleContract(create(empty).id, learning.map(create), choiceVotes, fc.constantFrom(...options), context)
for (const create of rankingRules)
  ruleContract(create().id, fc.constant(create()), votesOf(order), order, context)
for (const create of numberRules)
  ruleContract(create().id, fc.constant(create()), votesOf(positive), positive, context)
for (const create of probabilityRules)
  ruleContract(create().id, fc.constant(create()), votesOf(probability), probability, context)

test('[B1] every rule has an id of its own', () => {
  const ids = [
    ...choiceRules.map(({ create }) => create(empty).id),
    ...[...rankingRules, ...numberRules, ...probabilityRules].map(create => create().id),
  ]
  expect(new Set(ids).size).toBe(ids.length)
})

test('[B4] options may be called anything', () => {
  const votes = ['constructor', '__proto__', '__proto__'].map((value, seat) => ({ seat: `${seat}`, value }))
  for (const { create } of choiceRules)
    expect(create(empty).decide(votes, { options: ['constructor', '__proto__'] }).value).toBe('__proto__')
})
