import { describe, expect, test } from 'vitest'
import {
  questionOf,
  type Said,
  seatsOf,
  silent,
  type TestLog,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import type { SessionOpened } from '../core/opening.ts'
import { howOftenRightSentence } from '../words/words.ts'
import { kindCorrected, resolved } from './acts.ts'
import { blendedShare, howOftenRight, recordedSplits, recordedWeight } from './splits.ts'
import { trackRecordOf } from './track-record.ts'

const finished = { type: 'session-finished', outcome: 'verdict' } as const

const fact = (
  rounds: readonly (readonly Said[])[],
  opened: Partial<Omit<SessionOpened, 'seats'>> & { readonly seats?: number } = {},
): TestLog =>
  rounds
    .reduce(
      (log, said, index) => log.round(index, said),
      table({ seats: rounds[0]!.length, question: yesOrNo, kind: 'fact', ...opened }),
    )
    .and(finished)

const signalOf = (log: TestLog) => howOftenRight(log.session)

describe('[TR12] how often such tables were right', () => {
  test('follows from the sealed vote, whatever happened later', () => {
    expect(signalOf(fact([['Yes', 'Yes', 'Yes']]))).toMatchObject({ split: 'unanimous', right: 0.896 })
    expect(
      signalOf(
        fact([
          ['Yes', 'Yes', 'No'],
          ['Yes', 'Yes', 'Yes'],
        ]),
      )?.split,
    ).toBe('supermajority')
    expect(
      signalOf(
        fact([
          ['Yes', 'Yes', 'No', 'No'],
          ['Yes', 'Yes', 'Yes', 'No'],
        ]),
      )?.split,
    ).toBe('tie')
  })

  test('comes with the range of its sources, and names them', () => {
    const { low, high, source, recorded } = signalOf(fact([['Yes', 'Yes', 'Yes']]))!
    expect([low, high]).toEqual([
      recordedSplits.unanimous.lowestSource,
      recordedSplits.unanimous.highestSource,
    ])
    expect(source).toMatch(/^9493 recorded debates/)
    expect(recorded).toEqual({ right: 0.896, tables: 5649 })
  })

  test('isn’t said of a split that too few sources have', () => {
    expect(signalOf(fact([['Yes', 'Yes', 'Yes', 'No', 'No']]))).toBeUndefined()
  })

  test('is said in one sentence', () => {
    expect(howOftenRightSentence(signalOf(fact([['Yes', 'Yes', 'Yes']]))!)).toBe(
      'Track record: when a sealed vote was unanimous, the answer was right about 90% of the time (5,649 recorded debates of real models; 81–100% depending on the source).',
    )
  })
})

describe('[TR13] nothing is said about being right', () => {
  test.each(['judgement', 'taste', 'estimate'] as const)('on a question of the kind %s', kind => {
    expect(signalOf(fact([['Yes', 'Yes', 'Yes']], { kind }))).toBeUndefined()
  })

  test('if nobody knows the kind, and any more once it is corrected to an opinion', () => {
    const open = table({ seats: 3, question: yesOrNo, kind: undefined })
    const log = open.round(0, ['Yes', 'Yes', 'Yes']).and(finished)
    expect(signalOf(log)).toBeUndefined()
    const known = fact([['Yes', 'Yes', 'Yes']])
    expect(signalOf(known.and(kindCorrected(known.session, 'taste')))).toBeUndefined()
  })

  test('for numbers and rankings', () => {
    const question = questionOf({ format: 'number' })
    const log = table({ seats: 3, question, kind: 'fact' }).round(0, [1, 1, 1]).and(finished)
    expect(signalOf(log)).toBeUndefined()
  })

  test('at tables of fewer than three, without a verdict, of scripts and while the session runs', () => {
    expect(signalOf(fact([['Yes', 'Yes']]))).toBeUndefined()
    expect(signalOf(fact([['Yes', 'Yes', 'No', 'No']]))).toBeUndefined()
    expect(signalOf(fact([['Yes', silent(), silent()]]))).toBeUndefined()
    const seats = seatsOf(3).map(seat => ({ ...seat, scripted: true }))
    const script = table({ seats, question: yesOrNo, kind: 'fact' }).round(0, ['Yes', 'Yes', 'Yes'])
    expect(signalOf(script.and(finished))).toBeUndefined()
    const running = table({ seats: 3, question: yesOrNo, kind: 'fact' }).round(0, ['Yes', 'Yes', 'Yes'])
    expect(signalOf(running)).toBeUndefined()
  })

  test('of open answers that nobody grouped', () => {
    const log = table({ seats: 3, moderator: null, kind: 'fact' }).round(0, ['Build', 'Build', 'Never'])
    expect(signalOf(log.and(finished))).toBeUndefined()
  })
})

describe('[TR14] the own record', () => {
  test('counts resolved questions of fact by sealed split', () => {
    const right = fact([['Yes', 'Yes', 'Yes']])
    const wrong = fact([['Yes', 'Yes', 'Yes']])
    const open = fact([['Yes', 'Yes', 'No']])
    const logs = [right.and(resolved(right.session, 'Yes')), wrong.and(resolved(wrong.session, 'No')), open]
    const { splits } = trackRecordOf(logs.map(({ session }) => session))
    expect(splits).toEqual({ unanimous: { right: 1, of: 2 } })
  })

  test('moves the figure as if recorded debates were ten tables, and takes over', () => {
    expect(blendedShare({ right: 0, of: 0 }, 0.9)).toBeCloseTo(0.9, 12)
    expect(blendedShare({ right: 5, of: 10 }, 0.9)).toBeCloseTo(0.7, 12)
    expect(blendedShare({ right: 500, of: 1000 }, 0.9)).toBeCloseTo(0.504, 3)
    const few = signalOf(fact([['Yes', 'Yes', 'Yes']], { splits: { unanimous: { right: 1, of: 2 } } }))!
    expect(few.right).toBeCloseTo((1 + recordedWeight * 0.896) / 12, 4)
    expect(few.low).toBe(recordedSplits.unanimous.lowestSource)
    const many = signalOf(fact([['Yes', 'Yes', 'Yes']], { splits: { unanimous: { right: 60, of: 100 } } }))!
    expect(many.low).toBeGreaterThan(0.5)
    expect(many.high).toBeLessThan(0.75)
    expect(howOftenRightSentence(many)).toContain('60 of 100 here')
  })

  test('is enough by itself where recordings are too few', () => {
    const splits = { majority: { right: 8, of: 10 } }
    expect(signalOf(fact([['Yes', 'Yes', 'Yes', 'No', 'No']], { splits }))?.right).toBeCloseTo(0.6915, 4)
  })
})
