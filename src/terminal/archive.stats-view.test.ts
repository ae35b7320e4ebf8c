import { expect, test } from 'vitest'
import { seatsOf, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import type { Session } from '../core/session.ts'
import { resolved } from '../count/acts.ts'
import { trackRecordOf } from '../count/track-record.ts'
import { statsView } from './archive.ts'
import { noPaint, widthOf } from './terminal.ts'

const finished = { type: 'session-finished', outcome: 'verdict' } as const
const seats = seatsOf(14).map(seat => ({ ...seat, name: `${seat.name} with a very long name 漢字` }))

const sessionOf = (count: number): Session => {
  const said = Array.from({ length: count }, (_, index) => (index % 3 ? 'Yes' : 'No'))
  const log = table({ seats: seats.slice(0, count), question: yesOrNo })
    .round(0, said)
    .and(finished)
  return log.and(resolved(log.session, 'Yes')).session
}

test.each([80, 60, 120])('[T71] the tables of stats fit %i columns', columns => {
  const lines = statsView(trackRecordOf([sessionOf(6)]), { columns, paint: noPaint })
  for (const line of lines) expect(widthOf(line)).toBeLessThan(columns)
  const text = lines.join('\n')
  expect(text).toContain('Track record · 1 session, 1 resolved')
  expect(text).toContain('How often right, by sealed confidence')
  expect(text).toContain('Same sealed answer')
  expect(text).toContain('100%/1')
})

test('[T71] a large table is cut to what fits', () => {
  const lines = statsView(trackRecordOf([sessionOf(14)]), { columns: 80, paint: noPaint })
  for (const line of lines) expect(widthOf(line)).toBeLessThan(80)
})

test('[T71] without a record it says how to get one', () => {
  expect(statsView(trackRecordOf([]), { columns: 80, paint: noPaint }).join('')).toContain(
    'roundtable resolve',
  )
})
