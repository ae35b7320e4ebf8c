import { expect, test } from 'vitest'
import { questionOf, type Said, silent, table } from '../../test/contracts/core-testing.ts'
import { rankingText } from '../count/tally.ts'
import { verdictOf } from '../count/verdict.ts'
import { documentOf, documentSchema } from '../exports/json.ts'
import { plainReport } from '../report/report.ts'
import { noPaint } from './terminal.ts'
import { tallyView } from './views.ts'

const look = { columns: 80, paint: noPaint, full: true }

test.each<[string, Said[], string, string]>([
  ['c,b,a', ['abc', 'acb'], 'a > b = c', 'a > b = c.'],
  ['c,b,a', ['abc', 'bca', 'cab'], 'a = b = c (cycle)', 'The table came to no common answer.'],
  ['d,c,b,a', ['dabc', 'dbca', 'dcab'], 'd > a = b = c (cycle: a, b, c)', 'd > a = b = c (cycle: a, b, c).'],
  ['b,a', ['ab', 'ba', silent(), silent()], '', 'Too few models answered for the table to have an answer.'],
  ['b,a', ['ab', 'ba'], 'a = b', 'The table came to no common answer.'],
  ['b,a', ['ab', 'ba', 'ba', 'ab', 'ba'], 'b > a', 'b > a.'],
  ['a,b', [silent(), silent()], '', 'No model answered.'],
])('[V391] of %s, the votes %j are together %j on every face', (options, said, combined, answer) => {
  const question = questionOf({ format: 'ranking', options: options.split(',') })
  const log = table({ seats: said.length, question }).round(
    0,
    said.map(one => (typeof one === 'string' ? one.split('') : one)),
  )
  const { session } = log
  const { line, final, level } = verdictOf(session)
  expect(line.split('combined: ')[1] ?? '').toBe(level === 'tie' || level === 'split' ? combined : '')
  expect(plainReport(session).answer).toBe(answer)
  const seen = tallyView(session, verdictOf(session), look).find(row => row.includes('Combined:'))
  expect(seen?.trim() ?? '').toBe(final?.ranking ? `Combined: ${rankingText(final.ranking)}` : '')
  expect(final?.ranking !== undefined).toBe(said.some(one => typeof one === 'string'))
  const document = JSON.parse(JSON.stringify(documentOf(log.events)))
  expect(documentSchema.parse(document)).toEqual(document)
  expect(document.verdict.final.ranking).toEqual(final?.ranking)
  document.verdict.final.ranking = options.split(',')
  expect(documentSchema.safeParse(document).success).toBe(true)
})
