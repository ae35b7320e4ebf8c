import { describe, expect, test } from 'vitest'
import {
  changesIn,
  debatesFrom,
  debatesIn,
  flipsIn,
  halvesOf,
  hasRounds,
  learntRules,
  overturned,
  roundsFrom,
  voteRules,
  withSeatsNamed,
} from './debates.ts'
import { recordedTable } from './replay.ts'

describe('a file of debates', () => {
  test('[B61] columns are seat@round in any order and number; the lowest round is the sealed one', () => {
    const set = debatesIn('x_y', 'id,gold,b@3,a@0,b@0,a@3,a@7\r\n1,A,B3,"A,0",B0,,A7\r\n')
    expect(set).toEqual({
      name: 'x_y',
      source: 'x',
      seats: ['b', 'a'],
      rounds: 3,
      debates: [
        {
          id: '1',
          gold: 'A',
          rounds: [
            ['B0', 'A,0'],
            ['B3', null],
            [null, 'A7'],
          ],
        },
      ],
    })
  })

  test('[B61] the kind of a file is seen from its columns; a date behind a model’s name is no round', () => {
    expect(hasRounds(recordedTable('id,gold,a@0\n1,A,A'))).toBe(true)
    expect(hasRounds(recordedTable('id,gold,sonnet@20240620,b\n1,A,A,B'))).toBe(false)
    expect(debatesIn('x', 'id,gold,a@b@1\n1,A,A').seats).toEqual(['a@b'])
    expect(debatesIn('folder_a/some_set', 'id,gold,a@1\n1,A,A').source).toBe('some')
  })

  test('[B61] only the seats that are named take part', () => {
    const set = withSeatsNamed(debatesIn('x', 'id,gold,lab/a@0,lab/b@0,lab/b@1\n1,A,A,B,C'), ['b'])
    expect([set.seats, set.debates[0]!.rounds]).toEqual([['lab/b'], [['B'], ['C']]])
  })

  test.each([
    ['id,gold,a@0,b\n1,A,A,A', /The column b names no round/],
    ['id,gold,a@0,a@00\n1,A,A,A', /two columns of the same round/],
    ['id,gold,a@0,a@0\n1,A,A,A', /a@0 has two columns/],
    ['id,gold,a@0\n1,A,A,A', /Line 2: 4 cells instead of 3/],
    ['id,gold,a@0\n1,,A', /Line 2: 1 has no right answer/],
    [
      `id,gold,${Array.from({ length: 1001 }, (_, seat) => `s${seat}@0`)}\n1,A${','.repeat(1001)}`,
      /1001 seats. At most 1000/,
    ],
  ])('[B62] a broken file is refused with the reason', (text, message) => {
    expect(() => debatesFrom('x', recordedTable(text))).toThrow(message)
  })
})

describe('changes of mind', () => {
  test('[B63] are better, worse or other, and a round without an answer isn’t one', () => {
    expect(changesIn(roundsFrom('AB-', '-BA', 'BBC'))).toEqual([
      { from: 'A', to: 'B' },
      { from: 'A', to: 'C' },
    ])
    const debate = { id: '1', gold: 'A', rounds: roundsFrom('ABB', 'BAC') }
    expect(flipsIn([debate, debate])).toEqual({ better: 2, worse: 2, other: 2 })
  })

  test('[B63] a leader is overturned if another one leads the last vote; a tie leads nowhere', () => {
    const of = (sealed: string[], last: string[]) => ({ gold: 'A', sealed, last })
    const found = overturned([
      of(['B'], ['A']),
      of(['A'], ['B']),
      of(['B'], ['C']),
      of(['A'], ['A']),
      of(['A', 'B'], ['A']),
      of(['A'], []),
    ])
    expect(found).toEqual({ better: 1, worse: 1, other: 1 })
  })
})

describe('rules of debates', () => {
  const decided = (name: string, ...rounds: string[]): string =>
    voteRules
      .find(rule => rule.name === name)!
      .decide(roundsFrom(...rounds))
      .join('=')

  test.each([
    ['last', ['AAB', 'ABB'], 'B'],
    ['last', ['AAB', 'A-B'], 'A=B'],
    ['last, ties by sealed', ['AAB', 'A-B'], 'A'],
    ['last, ties by sealed', ['CCC', 'A-B'], 'A=B'],
    ['last, ties by sealed', ['AAB', 'ABB'], 'B'],
    ['trajectory', ['AAB', 'ABB'], 'A=B'],
    ['trajectory', ['AAB', 'BBB', 'AAA'], 'A'],
    ['trajectory', ['AA-', 'A-B'], 'A'],
    ['trajectory, ties by last', ['AAB', 'ABB'], 'B'],
    ['sealed', ['AAB', 'BBB'], 'A'],
    ['herding fallback', ['AAB', 'BBB'], 'A'],
    ['herding fallback', ['AABC', 'BBBC'], 'A'],
    ['herding fallback', ['AABBC', 'ABBBC'], 'A=B'],
    // One of two changes went to the leader: half isn't more than half.
    ['herding fallback', ['AABBC', 'CBBBC'], 'B'],
    ['herding fallback', ['AAB', 'AAB'], 'A'],
    ['sealed leader stays', ['AAB', 'BBB'], 'A'],
    ['sealed leader stays', ['ABC', 'BBB'], 'B'],
    ['sealed leader stays', ['AABB', 'BBBB'], 'B'],
    ['all rounds', ['AAA', 'BBA'], 'A'],
    ['all rounds', ['AAB', 'ABB'], 'B'],
    ['first two thirds', ['ABC', 'AAB', 'BBB'], 'A'],
    ['first two thirds', ['ABC', 'CBA', 'BBA'], 'B'],
    ['first two thirds', ['ABC', 'ABC', 'ABC'], 'A=B=C'],
    // A: 20 + 20 − 12.5 + 10 = 37.5; B: 20 + 15 + 10 = 45.
    ['free-mad', ['AAB', 'BAB'], 'B'],
    // A: 60 − 25 + 10 = 45; B: 30.
    ['free-mad', ['AAA', 'BBA'], 'A'],
  ])('[B64] %s on %j says %s', (name, rounds, expected) => {
    expect(decided(name, ...rounds)).toBe(expected)
  })

  test('[B64] with one round all say what it says, and without an answer they say nothing', () => {
    for (const { name } of voteRules) {
      expect(decided(name, 'AAB')).toBe('A')
      expect(decided(name, '---', '---')).toBe('')
    }
  })
})

describe('rules that learn', () => {
  test('[B65] learn on one half of a set and decide the other', () => {
    const rows = Array.from({ length: 31 }, (_, id) => `${id},A,A,B,B`)
    const set = debatesIn('x', ['id,gold,good@0,bad@0,worse@0', ...rows].join('\n'))
    const halves = halvesOf(set, 'seed')
    expect(halves.filter(half => half === 1)).toHaveLength(15)
    const [logOdds] = learntRules
    expect(logOdds!.learn(set.seats, set.debates)(roundsFrom('ABB'))).toEqual(['A'])
    // Nothing learnt: a plain vote.
    expect(logOdds!.learn(set.seats, [])(roundsFrom('ABB'))).toEqual(['B'])
  })
})
