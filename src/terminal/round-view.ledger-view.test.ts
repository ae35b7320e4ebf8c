import { expect, test } from 'vitest'
import { table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { noPaint, widthOf } from './terminal.ts'
import { verdictView } from './views.ts'

const look = { columns: 60, paint: noPaint }

const sure = (choice: string, confidence: number) => ({ headline: choice, choice, confidence })
const log = table({ seats: 3, question: yesOrNo })
  .round(0, [sure('Yes', 0.3), sure('Yes', 0.3), sure('No', 0.9)])
  .round(1, [
    sure('Yes', 1),
    sure('Yes', 1),
    { ...sure('Yes', 1), credit: { seat: 's1', quote: 'reasons that are set out', verified: true } },
  ])
  .and(
    { type: 'session-finished', outcome: 'verdict' },
    { type: 'session-resolved', answer: 'Yes', camps: ['Yes'] },
  )

test('[T70] the verdict on the screen tells what stands beside the count, pull and the right answer, within the width', () => {
  const weighed = verdictView(log.session, look)
  const text = weighed.join('\n')
  expect(text).toContain(' Right answer: Yes')
  expect(text).toContain('Won over: GLM 4.7 1 of 1, 1 by a quote; Gemini 3.5 Flash 1\n           of 1')
  const swayed = table({ seats: 3, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'No'])
    .round(1, ['Yes', 'No', 'No'])
  const beside = verdictView(swayed.session, look)
  expect(beside.join('\n')).toContain('Of the sealed answers alone: 2 of 3 said Yes.')
  for (const line of [...weighed, ...beside]) expect(widthOf(line)).toBeLessThan(60)
})

test('[T70] where the sealed answers say the same and nobody was followed, nothing is told', () => {
  const { session } = table({ seats: 2, question: yesOrNo }).round(0, ['Yes', 'Yes'])
  expect(verdictView(session, look).join('\n')).not.toMatch(/sealed answers|Won over|Right answer/)
})

test('[M23] points that seats granted are listed apart from those they won over', () => {
  const credit = { seat: 's1', quote: 'the bridge carries', verified: true }
  const { session } = table({ seats: 2, question: yesOrNo })
    .round(0, ['Yes', 'No'])
    .round(1, ['Yes', { headline: 'No', choice: 'No', decision: 'conceded', credit }])
  const shown = verdictView(session, look).join('\n').replace(/\s+/g, ' ')
  expect(shown).toContain("Granted: Gemini 3.5 Flash granted GLM 4.7's point (“the bridge carries”)")
  expect(shown).not.toContain('Won over')
})

test('[V50] a camp says which others it is compatible with', () => {
  const log = table({ seats: 2 }).round(0, ['Be honest', 'Owe us nothing']).labels(0, ['honest', 'free'])
  const shown = (relation: 'compatible' | 'different'): string =>
    verdictView(log.check(0, 's2', 's1@0', relation).session, look).join('\n')
  expect(shown('compatible')).toContain('~ compatible with “free”')
  expect(shown('compatible')).toContain('~ compatible with “honest”')
  expect(shown('different')).not.toContain('compatible')
})

test('[T137] the verdict on the screen says how often such tables were right, and nothing for an opinion', () => {
  const shown = (kind: 'fact' | 'judgement'): string => {
    const ended = table({ seats: 3, question: yesOrNo, kind }).round(0, ['Yes', 'Yes', 'Yes'])
    const { session } = ended.and({ type: 'session-finished', outcome: 'verdict' })
    return verdictView(session, look).join(' ').replace(/\s+/g, ' ')
  }
  expect(shown('fact')).toContain('right about 90% of the time')
  expect(shown('judgement')).not.toContain('were right in')
})
