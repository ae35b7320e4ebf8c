import { describe, expect, test } from 'vitest'
import { abstained, questionOf, silent, table } from '../../test/contracts/core-testing.ts'
import { wilson } from '../count/splits.ts'
import {
  bestSeatOf,
  devOf,
  flipsIn,
  isRight,
  isSeatRight,
  questionsFrom,
  samplesFor,
  scoreOfSamples,
  scoreOfVerdict,
} from './live.ts'
import { mcnemar } from './replay.ts'

const lines = (...objects: readonly object[]): string => objects.map(one => JSON.stringify(one)).join('\n')
const plain = { id: 'p', question: 'Why?', gold: 'because' }

describe('questions', () => {
  test('[B40] the format follows from options, unit and gold where it is not told', () => {
    const found = questionsFrom(
      lines(
        { id: 1, question: 'Which?', options: ['Red', 'Green'], gold: 'B', hint: 'kept out' },
        { id: 'far', question: 'How far?', unit: 'km', gold: 12 },
        { id: 'order', question: 'Order?', format: 'ranking', options: ['a', 'b'], gold: ['B', 'A'] },
        plain,
      ),
    )
    expect(found.map(({ id, question, gold }) => [id, question.format, gold])).toEqual([
      ['1', 'choice', 'Green'],
      ['far', 'number', 12],
      ['order', 'ranking', ['b', 'a']],
      ['p', 'open', 'because'],
    ])
  })

  test.each([
    ['{"id"', /Line 2: it isn't JSON/],
    [lines({ id: 'x', question: 'Y?' }), /Line 2: gold/],
    [
      lines({ id: 'x', question: 'Y?', options: ['a', 'b'], gold: 'c' }),
      /Line 2: .*"c" isn't one of the options/,
    ],
    [lines({ id: 'x', question: 'Y?', format: 'number', gold: 'many' }), /Line 2: .*must be a number/],
    [lines(plain), /Two questions have the id p/],
    ['', /at least two questions/],
  ])('[B41] %j is refused with its line and the reason', (line, message) => {
    expect(() => questionsFrom(`${JSON.stringify(plain)}\n${line}`)).toThrow(message)
  })

  const [number, open] = questionsFrom(
    lines(
      { id: 'n', question: 'N?', gold: 0.3, tolerance: 0.05 },
      { id: 'o', question: 'O?', gold: 'Venus' },
    ),
  )
  const answer = { headline: '', reasoning: '', confidence: null, language: null }

  test('[B42] a number may be off by its tolerance, an open headline must have the gold words in it', () => {
    expect([0.1 + 0.2, 0.34, 0.36].map(value => isRight(number!, { ...answer, number: value }))).toEqual([
      true,
      true,
      false,
    ])
    const said = (headline: string): boolean => isRight(open!, { ...answer, headline })
    expect(['It is venus.', 'A Venusian day', 'Mars'].map(said)).toEqual([true, false, false])
  })
})

const question = questionOf({ format: 'choice', options: ['Yes', 'No', 'Later'] })
const gold = { id: 'q', question, gold: 'Yes', tolerance: 0 }
const polled = (...said: Parameters<ReturnType<typeof table>['round']>[1]) =>
  table({ seats: said.length, question, protocol: 'poll', rounds: 0 }).round(0, said).session

describe('scores', () => {
  test('[B43] a tie of two is half right, no quorum is wrong', () => {
    expect(scoreOfVerdict(gold, polled('Yes', 'Yes', 'No'))).toEqual({ credit: 1, tied: false })
    expect(scoreOfVerdict(gold, polled('Yes', 'No'))).toEqual({ credit: 0.5, tied: true })
    expect(scoreOfVerdict(gold, polled('No', 'Later'))).toEqual({ credit: 0, tied: true })
    expect(scoreOfVerdict(gold, polled('Yes', silent(), abstained()))).toEqual({ credit: 0, tied: false })
  })

  test('[B44] a flip is counted from the sealed answer to the last one; a silent seat does not flip', () => {
    const { session } = table({ seats: 6, question, protocol: 'roundtable' })
      .round(0, ['No', 'Yes', 'No', 'Yes', 'Yes', 'No'])
      .round(1, ['Yes', 'Later', 'Later', silent(), 'No', 'Yes'])
      .round(2, ['Yes', 'Later', 'Later', silent(), 'No', 'No'])
    expect(flipsIn(gold, session)).toEqual({ wrongToRight: 1, rightToWrong: 2 })
    expect(session.seats.map(({ id }) => isSeatRight(gold, session, id))).toEqual([
      false,
      true,
      false,
      true,
      true,
      false,
    ])
  })

  /** Ten tokens for each answer. */
  const sampled = (...said: readonly string[]) => {
    const opened = table({ seats: said.length, question, protocol: 'poll', rounds: 0 }).and({
      type: 'round-opened',
      round: 0,
      sealed: true,
    })
    const usage = { inputTokens: 8, outputTokens: 2, costUsd: 0.5 }
    const answer = { headline: 'So.', reasoning: '', confidence: null, language: null }
    return opened.and(
      ...said.map((choice, index) => ({
        type: 'answer-given' as const,
        round: 0,
        seat: `s${index + 1}`,
        answer: { ...answer, choice },
        usage,
      })),
    ).session
  }

  test('[B45] self-consistency votes with as many samples as fit into the tokens, but with one', () => {
    const session = sampled('No', 'Yes', 'Yes', 'No')
    const of = (tokens: number) => scoreOfSamples(gold, session, tokens)
    expect(of(5)).toEqual({ samples: 1, credit: 0, tied: false, tokens: 10, costUsd: 0.5 })
    expect(of(29)).toMatchObject({ samples: 2, credit: 0.5, tied: true, tokens: 20 })
    expect(of(30)).toMatchObject({ samples: 3, credit: 1, tied: false })
    expect(of(1000)).toMatchObject({ samples: 4, credit: 0.5, costUsd: 2 })
    expect(samplesFor(39, 's1', session, [], 200)).toBe(3)
    expect(samplesFor(39, 's1', session, [], 2)).toBe(2)
    expect(samplesFor(39, 's1', polled(silent()), [{ gold, poll: session }], 200)).toBe(3)
  })

  test('[B46] the best seat is picked by questions that are not scored, of equal ones the first', () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(id => ({ ...gold, id }))
    expect(devOf(all, undefined, '1').size).toBe(2)
    expect(devOf(all, undefined, '1')).toEqual(devOf(all, undefined, '1'))
    expect(devOf(all, 99, '1').size).toBe(7)
    const polls = [polled('No', 'Yes', 'Yes'), polled('No', 'Yes', 'Yes')].map(poll => ({ gold, poll }))
    expect(bestSeatOf(polls)).toEqual({ seat: 's2', right: 2, of: 2 })
  })
})

describe('tests', () => {
  const column = (text: string): Float64Array =>
    Float64Array.from(text, sign => (sign === '½' ? 0.5 : Number(sign)))

  test("[B47] McNemar's test is exact, and leaves ties out", () => {
    // Eight against one: 2 × (1 + 9) / 512.
    const found = mcnemar(column('111111110½1'), column('000000001½½'))
    expect(found).toEqual({ won: 8, lost: 1, p: expect.closeTo(20 / 512, 12) })
    expect(mcnemar(column('11'), column('11'))).toEqual({ won: 0, lost: 0, p: 1 })
    const many = mcnemar(new Float64Array(3000).fill(1), new Float64Array(3000))
    expect(many.p).toBeGreaterThanOrEqual(0)
    expect(many.p).toBeLessThan(1e-300)
  })

  test("[B48] Wilson's interval stays within 0 and 1, and says something at the ends", () => {
    const [low, high] = wilson(8, 10)
    expect([low, high].map(value => Number(value.toFixed(4)))).toEqual([0.4902, 0.9433])
    expect(wilson(3, 3)[0]).toBeCloseTo(0.4385, 4)
    expect(wilson(3, 3)[1]).toBe(1)
    expect(wilson(0, 0)).toEqual([0, 1])
  })
})
