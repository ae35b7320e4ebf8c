import { expect, test } from 'vitest'
import { questionOf, table } from '../../test/contracts/core-testing.ts'
import { verdictOf } from '../count/verdict.ts'
import { plainLines } from './render.ts'
import { roundView } from './round-view.ts'
import { noPaint } from './terminal.ts'
import { header, tallyView, verdictView } from './views.ts'

const look = { columns: 60, paint: noPaint }

const letter = (words: string) => ({
  headline: 'A letter',
  reasoning: 'Plain.',
  confidence: null,
  text: words,
})
const long = `Dear successor, ${'this goes on and on, '.repeat(12)}and ends here.`

test('[T121] texts are shown whole and wrapped, and once if a seat keeps its text', () => {
  const question = questionOf({ format: 'text', length: 300 })
  const { session, events } = table({ seats: 2, question })
    .round(0, [letter(long), letter('Short.')])
    .round(1, [letter(long), letter('Shorter.')])
  const [sealed, open] = session.roundsSoFar.map(round => roundView(session, round, look).join('\n'))
  expect(sealed).toContain('ends here.')
  for (const line of sealed!.split('\n')) expect(line.length).toBeLessThan(60)
  expect(open).not.toContain('ends here.')
  expect(open).toContain('= kept')
  expect(open).toContain('≈ rewrote')
  expect(open).toContain('    Shorter.')
  const end = [...header(session, look), ...verdictView(session, look)].join('\n')
  expect(end).toContain('A text of about 300 words')
  expect(end).toContain('so far texts, not a vote')
  expect(end.replace(/\s+/g, ' ')).toContain('2 texts; 1 was rewritten after reading the others')
  const given = events.find(event => event.type === 'answer-given')!
  expect(plainLines(undefined, session, given, look).join('\n')).toContain('ends here.')
})

test('[T121] numbers are shown with their range, and with what counts as the same', () => {
  const question = questionOf({ format: 'number', unit: 'tuners', scale: 'log' })
  const { session } = table({ seats: 4, question, prompts: 2 }).round(0, [80, 80, 90, 100])
  const lines = tallyView(session, verdictOf(session), { ...look, columns: 100 }).join('\n')
  expect(lines).toContain('80 to 100 tuners')
  expect(lines).toContain('Median: about 85 tuners (answers from 80 to 100)')
  expect(lines).toContain(
    'Answers count as the same if the largest of them is at most about 3 times the smallest.',
  )
})
