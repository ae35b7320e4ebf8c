import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  abstained,
  questionOf,
  type Said,
  seatsOf,
  silent,
  table,
} from '../../test/contracts/core-testing.ts'
import { countedIn } from '../count/tally.ts'
import { type Verdict, verdictOf } from '../count/verdict.ts'
import { contradictions } from './check.ts'
import { countStatementsIn } from './claims.ts'
import { plainReport } from './report.ts'

fc.configureGlobal({ seed: 2026 })

const question = questionOf({ format: 'choice', options: ['Red', 'Green', 'Blue'] })
const given = fc.constantFrom<Said>('Red', 'Green', 'Blue')
const said = fc.oneof({ weight: 4, arbitrary: given }, fc.constant(silent()), fc.constant(abstained()))
const votes = fc.array(said, { minLength: 1, maxLength: 12 })

const judge = (...rounds: readonly (readonly Said[])[]): Verdict =>
  verdictOf(
    rounds.reduce((log, one, index) => log.round(index, one), table({ seats: rounds[0]!.length, question }))
      .session,
  )

test('[V13] the counts add up', () => {
  fc.assert(
    fc.property(votes, one => {
      const { final, answered, of, agree } = judge(one)
      const sizes = final!.camps.map(camp => camp.seats.length)
      const sum = sizes.reduce((total, size) => total + size, 0)
      expect(sum).toBe(answered)
      expect(sum + final!.silent.length + final!.abstained.length).toBe(of)
      expect(agree).toBe(Math.max(0, ...sizes))
    }),
  )
})

/** The levels once more, written down from the guide and not from the code. */
const levelFrom = ({ agree, of, answered, final }: Verdict): Verdict['level'] => {
  const largest = final!.camps.filter(camp => camp.seats.length === agree).length
  if (answered <= of / 2) return 'no-quorum'
  if (largest > 1) return agree === 1 && largest > 2 ? 'split' : 'tie'
  if (agree === of) return 'unanimous'
  if (agree / of >= 2 / 3) return 'supermajority'
  return agree / of > 1 / 2 ? 'majority' : 'plurality'
}

test('[V13] the level follows from the counts, and only a level with a leading camp has one', () => {
  fc.assert(
    fc.property(votes, one => {
      const verdict = judge(one)
      expect(verdict.level).toBe(levelFrom(verdict))
      expect(verdict.leading === null).toBe(['no-quorum', 'split', 'tie'].includes(verdict.level!))
    }),
  )
})

test('[V4] a seat that falls silent or abstains never adds to agreement', () => {
  fc.assert(
    fc.property(votes, fc.nat(), fc.constantFrom<Said>(silent(), abstained()), (one, index, absent) => {
      const without = one.with(index % one.length, absent)
      expect(judge(without).agree).toBeLessThanOrEqual(judge(one).agree)
      expect(judge(without).answered).toBeLessThanOrEqual(judge(one).answered)
    }),
  )
})

test('[V14] where the seats sit makes no difference', () => {
  const tables = votes.chain(one =>
    fc.tuple(fc.constant(one), fc.shuffledSubarray(one, { minLength: one.length })),
  )
  fc.assert(
    fc.property(tables, ([one, other]) => {
      const [first, second] = [judge(one), judge(other)]
      expect([second.level, second.agree, second.leading, second.answered]).toEqual([
        first.level,
        first.agree,
        first.leading,
        first.answered,
      ])
    }),
  )
})

test('[V14] on a log scale, too', () => {
  const log = questionOf({ format: 'number', scale: 'log' })
  const values = fc.array(fc.double({ min: 1, max: 2, noNaN: true }), { minLength: 1, maxLength: 8 })
  const shuffled = values.chain(one =>
    fc.tuple(fc.constant(one), fc.shuffledSubarray(one, { minLength: one.length })),
  )
  const of = (one: readonly number[]) =>
    verdictOf(table({ seats: seatsOf(one.length), question: log }).round(0, one).session)
  fc.assert(
    fc.property(shuffled, ([one, other]) => {
      expect([of(other).level, of(other).agree]).toEqual([of(one).level, of(one).agree])
    }),
  )
})

test('[V52] the last vote decides, herding or not', () => {
  const rounds = fc.integer({ min: 1, max: 8 }).chain(size => {
    const one = fc.array(said, { minLength: size, maxLength: size })
    return fc.tuple(one, one)
  })
  fc.assert(
    fc.property(rounds, ([first, second]) => {
      const verdict = judge(first, second)
      const { level, agree, leading } = verdict.final!
      expect(verdict).toMatchObject({ level, agree, leading, rule: 'majority' })
      expect(verdict.answered).toBe(countedIn(verdict.final!))
    }),
  )
})

test('[E5] the report that code writes never contradicts the verdict', () => {
  const rounds = fc.integer({ min: 1, max: 9 }).chain(size => {
    const one = fc.array(said, { minLength: size, maxLength: size })
    return fc.array(one, { minLength: 1, maxLength: 3 })
  })
  let statements = 0
  fc.assert(
    fc.property(rounds, all => {
      const log = all.reduce(
        (one, votes, index) => one.round(index, votes),
        table({ seats: all[0]!.length, question }),
      )
      const { answer, summary, counterpoint = '' } = plainReport(log.session)
      const text = [answer, summary, counterpoint].join('\n')
      statements += countStatementsIn(text).length
      expect(contradictions(text, verdictOf(log.session))).toEqual([])
    }),
  )
  expect(statements).toBeGreaterThan(0)
})
