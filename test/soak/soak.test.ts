/** The parts of the soak that decide: `npm run soak` is the whole. */

import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { randomFor } from '../../src/core/basics.ts'
import type { Usage } from '../../src/core/event.ts'
import { exporterNamed } from '../../src/exports/index.ts'
import { answerOf, questionOf, table } from '../contracts/core-testing.ts'
import { sampleLog } from '../sample-session.ts'
import { budgetOf } from './check.ts'
import { gatherEvidence } from './evidence.ts'
import { isFlat, quarter } from './memory.ts'
import { mutated } from './mutations.ts'
import { gapsIn, longest, touches } from './spans.ts'

test('a gap counts without the time that the server was killed for and that the asking process was late', () => {
  const answers = [0, 100, 5_100, 6_100]
  expect(longest(gapsIn(answers))).toEqual({ from: 100, to: 5_100, milliseconds: 5_000 })
  expect(longest(gapsIn(answers, [{ from: 200, to: 5_000 }]))?.milliseconds).toBe(1_000)
  expect(gapsIn(answers, [], [{ at: 6_000, milliseconds: 700 }]).at(-1)?.milliseconds).toBe(300)
})

test('a request is excused if it touches a kill or comes shortly after', () => {
  const spans = [{ from: 1_000, to: 2_000 }]
  expect(touches(spans, 500, 1_500, 100)).toBe(true)
  expect(touches(spans, 2_050, 2_060, 100)).toBe(true)
  expect(touches(spans, 2_200, 2_300, 100)).toBe(false)
  expect(touches([{ from: 1_000, to: Infinity }], 9_000, 9_001, 100)).toBe(true)
})

test('memory is flat if the last quarter is near the second one', () => {
  const samples = [10, 10, 100, 110, 300, 300, 320, 330].map((megabytes, at) => ({ at, megabytes }))
  expect([quarter({ samples }, 1), quarter({ samples }, 3)]).toEqual([110, 330])
  expect(isFlat(110, 330)).toBe(false)
  expect(isFlat(300, 330)).toBe(true)
})

test('the same seed damages a file in the same way, and nearly every file is damaged', () => {
  const text = exporterNamed('json').write(sampleLog)
  const several = (seed: string): string[] => {
    const random = randomFor(seed)
    return Array.from({ length: 50 }, () => mutated(text, random))
  }
  expect(several('1')).toEqual(several('1'))
  expect(several('1')).not.toEqual(several('2'))
  expect(new Set(several('1')).size).toBeGreaterThan(45)
})

test('equal failures are counted, and their body is kept once', () => {
  const evidence = gatherEvidence()
  for (let times = 0; times < 3; times++) evidence.note('it failed', 'body')
  const [problem, ...others] = evidence.problems()
  expect(others).toEqual([])
  expect(problem).toMatch(/^it failed — sent: .*1\.txt \(3 times\)$/)
  rmSync(dirname(problem!.split('sent: ')[1]!.replace(/ \(.*/, '')), { recursive: true })
})

test('a session that we took over its budget is told from one whose provider claims more than it was allowed', () => {
  const using = (usage: Pick<Usage, 'outputTokens' | 'excessTokens'>, budget?: { tokens: number }) =>
    table({ seats: 1, ...(budget && { budget }) })
      .round(0, [])
      .and({
        ...{ type: 'answer-given', round: 0, seat: 's1', answer: answerOf(questionOf(), 'Yes') },
        usage: { inputTokens: 100, costUsd: null, ...usage },
      }).session
  const budget = { tokens: 1_000 }
  expect(budgetOf(using({ outputTokens: 900 }, budget), 1_000)).toBe('kept')
  expect(budgetOf(using({ outputTokens: 901 }, budget), 1_000)).toBe('exceeded')
  expect(budgetOf(using({ outputTokens: 2_000, excessTokens: 1_100 }, budget), 1_000)).toBe('claimed')
  expect(budgetOf(using({ outputTokens: 2_000, excessTokens: 1_099 }, budget), 1_000)).toBe('exceeded')
  // Nothing tells the reader of this session.
  expect(budgetOf(using({ outputTokens: 2_000, excessTokens: 1_100 }), 1_000)).toBe('exceeded')
})
