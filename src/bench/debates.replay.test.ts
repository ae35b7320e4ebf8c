import { describe, expect, test } from 'vitest'
import { recordedSource, recordedSplits } from '../count/splits.ts'
import {
  choiceOf,
  debatesIn,
  halvesOf,
  meansOverSets,
  type PoolFigures,
  type RuleFigures,
  replayDebates,
  roundsFrom,
  type SourceFigures,
  setOf,
  splitOf,
} from './debates.ts'
import { pageOf } from './page.ts'

const options = { seed: 'test', resamples: 200 }
const named = (rules: readonly RuleFigures[], name: string): RuleFigures =>
  rules.find(rule => rule.name === name)!

describe('replayed debates', () => {
  // The last vote is right in 2 of 4, and half right once; the sealed vote is right in 2.
  const one = setOf('one_a', 'A AAB AAA', 'A AAB BBB', 'A BBA AA-', 'A BBA A-B')
  const other = setOf('two_b', 'B BBB BBB', 'B BBB BBB')

  test('[B66] every rule is scored after every round, with ties as half right', () => {
    const { sets } = replayDebates([one], options)
    expect(sets[0]).toMatchObject({
      name: 'one_a',
      source: 'one',
      sessions: 4,
      seats: 3,
      rounds: 2,
      byRound: [0.5, 0.625],
      flips: { better: 4, worse: 3, other: 0 },
      overturned: { better: 1, worse: 1, other: 0 },
    })
    expect(named(sets[0]!.rules, 'last')).toMatchObject({ accuracy: 0.625, ties: 1, tiesMade: 0 })
    expect(named(sets[0]!.rules, 'sealed')).toMatchObject({
      accuracy: 0.5,
      byRound: [0.5, 0.5],
      againstLast: { mean: -0.125 },
    })
    for (const { againstLast } of sets[0]!.rules) {
      expect(againstLast.low).toBeLessThanOrEqual(againstLast.mean)
      expect(againstLast.high).toBeGreaterThanOrEqual(againstLast.mean)
    }
  })

  test('[B66] a debate without an answer in its last round is wrong for every rule', () => {
    const { pooled } = replayDebates([setOf('x', 'A AAA ---', 'A --A A--')], options)
    for (const { accuracy } of pooled.rules) expect(accuracy).toBe(0.5)
  })

  test('[B65] a half is decided by what was learnt on the other', () => {
    const plain = setOf('x', ...Array<string>(60).fill('A AAA'))
    const halves = halvesOf(plain, options.seed)
    // In one half only the first seat is ever right, in the other one the first seat never is.
    const rows = [...halves].map(half => (half === 0 ? 'A ABB' : 'A BAA'))
    const { pooled } = replayDebates([setOf('x', ...rows)], options)
    expect(named(pooled.rules, 'log-odds').accuracy).toBe(0)
    expect(named(pooled.rules, 'last').accuracy).toBe(0.5)
  })

  test('[B66] a verdict that a rule turns into a tie is counted', () => {
    const { pooled } = replayDebates([setOf('x', 'A AAB ABB', 'A AAB AAB')], options)
    expect(named(pooled.rules, 'trajectory')).toMatchObject({ ties: 1, tiesMade: 1 })
    expect(named(pooled.rules, 'trajectory, ties by last')).toMatchObject({ ties: 0, tiesMade: 0 })
  })

  test('[B67] sources share what stands before the first _, and pooled each session counts once', () => {
    const found = replayDebates([one, other, setOf('one_c', 'A AAA AAA')], options)
    expect(found.sources.map(({ name, sets, sessions }) => [name, sets, sessions])).toEqual([
      ['one', 2, 5],
      ['two', 1, 2],
    ])
    expect(found.pooled).toMatchObject({ sets: 3, sessions: 7, resampled: 'sets' })
    expect(found.pooled.last).toBeCloseTo((2.5 + 2 + 1) / 7)
    expect(named(found.pooled.rules, 'sealed').againstLast.mean).toBeCloseTo(-0.5 / 7)
    expect(replayDebates([one], options).pooled.resampled).toBe('sessions')
  })

  test('[B67] pooled intervals draw whole sets', () => {
    const column = Float64Array.from([1, 1, 1, 0])
    const [means] = meansOverSets([column], [3, 1], { resamples: 500, seed: 'x' })
    // Both sets, the first twice, or the second twice.
    expect(new Set(means)).toEqual(new Set([0.75, 1, 0]))
  })

  test('[B67] the same seed gives the same figures', () => {
    const at = (seed: string) => JSON.stringify(replayDebates([one, other], { ...options, seed }))
    expect(at('1')).toBe(at('1'))
    expect(at('1')).not.toBe(at('2'))
  })

  test('[B67] one session, one seat and one round are enough', () => {
    const { sets, pooled } = replayDebates([setOf('x', 'A A')], options)
    expect(sets[0]).toMatchObject({ seats: 1, rounds: 1, byRound: [1], flips: { better: 0 } })
    expect(named(pooled.rules, 'log-odds').againstLast).toEqual({ mean: 0, low: 0, high: 0 })
  })
})

describe('sealed splits', () => {
  test.each([
    [['AAA', 'AAA'], 'unanimous'],
    [['AAB', 'AAA'], 'supermajority'],
    [['AAABB'], 'majority'],
    [['AABCD'], 'plurality'],
    [['AABB'], 'tie'],
    [['ABC'], 'tie'],
    // The third seat spoke later, so it belongs to the table; the fourth never did.
    [['AA--', 'AAA-'], 'supermajority'],
    [['A---', 'AAB-'], undefined],
  ])('[B71] %j is %s', (rounds, level) => {
    expect(splitOf(roundsFrom(...rounds))).toBe(level)
  })

  test('[B71] say how often such tables were right, sealed and in the end', () => {
    const { pooled } = replayDebates(
      [setOf('x', 'A AAA BBB', 'A AAA AAA', 'A BBA AAA', 'A AB- AA-')],
      options,
    )
    expect(pooled.splits).toMatchObject([
      { level: 'unanimous', sessions: 2, sealed: 1, last: { mean: 0.5, low: 0, high: 1 } },
      { level: 'supermajority', sessions: 1, sealed: 0, last: { mean: 1, low: 1, high: 1 } },
      { level: 'tie', sessions: 1, sealed: 0.5, last: { mean: 1 } },
    ])
  })

  test('[B72] the stored table comes from recorded debates, and larger agreement was right more often', () => {
    expect(recordedSource).toMatch(/^\d+ recorded debates of real models: \d+ sets from \d+ sources/)
    const { unanimous, supermajority, plurality, tie } = recordedSplits
    const rights = [unanimous, supermajority, plurality, tie].map(split => split!.right)
    expect(rights).toEqual([...rights].sort((one, other) => other - one))
    for (const { right, low, high, lowestSource, highestSource } of Object.values(recordedSplits)) {
      expect(low <= right && right <= high && lowestSource <= highestSource).toBe(true)
    }
  })
})

describe('probabilities', () => {
  const percent = debatesIn(
    'p',
    'id,gold,a@0,b@0,c@0,a@1,b@1,c@1\n1,1,40,60,30,70,80,90\n2,0,50,50,50,20,50,60\n3,1,80,,,,,',
  )

  test('[B68] the median is right on the right side of 50 %, and has a Brier score', () => {
    const { sets, pooled } = replayDebates([percent], options)
    expect(sets[0]).toMatchObject({
      kind: 'probabilities',
      byRound: [0.5, 0.5],
      flips: { better: 3, worse: 0, other: 1 },
    })
    // 0.8 for a 1, 0.5 for a 0, and nothing, which counts like 0.5.
    expect(named(sets[0]!.rules, 'last').brier).toBeCloseTo((0.04 + 0.25 + 0.25) / 3)
    expect(pooled.kind).toBe('probabilities')
  })

  test('[B68] answers of 0 and 1, and numbers with other right answers, are votes', () => {
    const kinds = [
      'id,gold,a@0\n1,1,0\n2,0,1',
      'id,gold,a@0\n1,12,30\n2,1,50',
      'id,gold,a@0\n1,1,0.7\n2,0,0.2',
    ]
    expect(
      kinds.map((file, index) => replayDebates([debatesIn(`k${index}`, file)], options).pooled.kind),
    ).toEqual(['votes', 'votes', 'probabilities'])
  })

  test('[B75] a percent sign makes no difference', () => {
    const [bare, signed] = [
      ['1,1,70,5', '2,0,1,20'],
      ['1,1,70%,5 %', '2,0,1%,20%'],
    ].map(rows => replayDebates([debatesIn('p', ['id,gold,a@0,b@0', ...rows].join('\n'))], options))
    expect(signed).toEqual(bare)
    expect(bare!.pooled.kind).toBe('probabilities')
    const odd = debatesIn('odd', 'id,gold,a@0,b@0\n1,1,%,5%\n2,0,7%,8%')
    expect(replayDebates([odd], options).pooled.kind).toBe('votes')
  })

  test('[B68] they are pooled apart from votes, and choose nothing', () => {
    const votes = setOf('v', 'A AAB AAA')
    const found = replayDebates([percent, votes], options)
    expect(found.pooled).toMatchObject({ kind: 'votes', sessions: 1 })
    expect(found.probabilities).toMatchObject({ kind: 'probabilities', sessions: 3 })
    expect(found).not.toHaveProperty('choice')
  })
})

describe('the criterion', () => {
  const rule = (name: string, mean: number, low: number, high: number, tiesMade = 0): RuleFigures => ({
    name,
    summary: '',
    accuracy: 0,
    againstLast: { mean, low, high },
    ties: 0,
    tiesMade,
    learns: false,
  })
  const { pooled: shape } = replayDebates([setOf('x', 'A A')], options)
  const pool = (...rules: RuleFigures[]): PoolFigures => ({
    ...shape,
    rules: [rule('last', 0, 0, 0), ...rules],
  })
  const source = (name: string, ...rules: RuleFigures[]): SourceFigures => ({ ...pool(...rules), name })

  test('[B69] the best gain that is certain is chosen, of rules that lose in no source and make no ties', () => {
    const fine = source('x', rule('good', 0, -1, 1), rule('risky', 1, 0, 2), rule('tying', 1, 1, 1))
    const bad = source('y', rule('good', -1, -2, 0), rule('risky', -2, -3, -1), rule('tying', 1, 1, 1))
    const pooled = pool(rule('good', 0.1, 0.05, 1), rule('risky', 3, 2, 4), rule('tying', 2, 1, 3, 1))
    expect(choiceOf([fine, bad], pooled)).toEqual({
      rule: 'good',
      best: 'good',
      excluded: [
        { rule: 'risky', reason: 'loses in y' },
        { rule: 'tying', reason: 'turns 1 decided verdicts into ties' },
      ],
    })
  })

  test('[B69] if the best gain isn’t certain, the last vote is chosen, even if a smaller gain is', () => {
    const rules = [rule('large', 0.5, -0.1, 1), rule('small', 0.1, 0.05, 0.2)]
    expect(choiceOf([source('x', ...rules)], pool(...rules))).toMatchObject({ rule: 'last', best: 'large' })
  })

  test('[B69] a choice is scored on a source that it wasn’t made on', () => {
    const gain = ['A AAB BBB', 'A AAB BBB', 'A AAA AAA']
    const { choice } = replayDebates(
      [
        setOf('one_a', ...gain),
        setOf('one_b', ...gain),
        setOf('two_a', ...gain),
        setOf('two_b', 'A BBB AAA'),
      ],
      options,
    )
    // On `one` alone, keeping the sealed leader always gains; on `two`, it also loses.
    expect(choice?.heldOut.map(({ source: name, rule: chosen }) => [name, chosen])).toEqual([
      ['one', 'last'],
      ['two', 'sealed'],
    ])
  })
})

test('[B70] the page draws rounds, flips and differences, and escapes names', () => {
  const hostile = setOf('<script>_x', 'A AAB AAA', 'A BBB AAA')
  const page = pageOf({ debates: replayDebates([hostile, setOf('b', 'A A')], options) })
  expect(page).not.toMatch(/<script|NaN|undefined|Infinity|https?:/)
  expect(page.match(/<svg /g)).toHaveLength(5)
  expect(page.match(/<desc id="[^"]+">[^<]+: /g)).toHaveLength(5)
})

test('[B73] debates without a quorum, or without any answer, are scored as wrong and have no splits', () => {
  const { sets, pooled } = replayDebates([setOf('none_a', 'A --- ---', 'B --- ---')], options)
  expect(sets[0]).toMatchObject({ byRound: [0, 0], splits: [], flips: { better: 0, worse: 0, other: 0 } })
  expect(pooled).toMatchObject({ last: 0, splits: [] })
  expect(named(sets[0]!.rules, 'last')).toMatchObject({
    accuracy: 0,
    againstLast: { mean: 0, low: 0, high: 0 },
  })
})
