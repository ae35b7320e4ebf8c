import { expect, test } from 'vitest'
import { protocols } from '../protocols/index.ts'
import { type AskInput, withUsual } from './ask.ts'
import type { Lineups, Usual } from './reach.ts'

const usual: Usual = {
  lineups: { duo: ['lab/one', { model: 'lab/two', name: 'Two', brief: 'a sceptic' }] },
  seats: ['lab/default'],
  moderator: 'lab/moderator',
  rounds: 1,
  budget: 2,
}

const filled = (input: Partial<AskInput>, from: Usual = usual, saved?: Lineups) =>
  withUsual({ question: 'Why?', ...input }, from, protocols, saved)

test('[T27] what a request leaves open comes from the configuration', () => {
  expect(filled({})).toEqual({
    input: {
      question: 'Why?',
      seats: ['lab/default'],
      moderator: 'lab/moderator',
      rounds: 1,
      budget: 2,
    },
    notes: [],
  })
})

test('[T27] what the request says comes first', () => {
  const asked = { seats: ['lab/a'], moderator: null, rounds: 0, budget: { usd: 0.5 }, deadline: 30 }
  expect(filled(asked).input).toEqual({ question: 'Why?', ...asked })
})

test('[T41] a line-up of one’s own comes before the built-in one of that name, a saved one before both', () => {
  const own = { ...usual, lineups: { fast: ['lab/quick'] } }
  expect(filled({ lineup: 'fast' }, own).input).toMatchObject({ seats: ['lab/quick'] })
  expect(filled({ lineup: 'fast' }, own, { fast: ['lab/saved'] }).input.seats).toEqual(['lab/saved'])
  const builtIn = filled({ lineup: 'frontier' }, own).input
  expect([builtIn.lineup, builtIn.seats]).toEqual(['frontier', undefined])
  expect(filled({ lineup: 'constructor' }, own).input.seats).toBeUndefined()
})

test('[T7] seats and a line-up exclude each other', () => {
  expect(() => filled({ lineup: 'duo', seats: ['lab/a'] })).toThrow(/give one of them/)
})

test('[A1] usual rounds that the protocol does not take are left out, with a note; asked-for ones stay', () => {
  const { input, notes } = filled({ protocol: 'poll' }, { ...usual, rounds: 3 })
  expect(input.rounds).toBe(0)
  expect(notes).toEqual(["The usual 3 open rounds can't be held: the protocol poll has no open rounds."])
  expect(filled({ protocol: 'poll', rounds: 2 }).input.rounds).toBe(2)
  expect(filled({ protocol: 'delphi' }, { rounds: 3 })).toMatchObject({ input: { rounds: 3 }, notes: [] })
})
