import { expect, test } from 'vitest'
import { answerOf, questionOf, table } from '../../test/contracts/core-testing.ts'
import { fold } from '../core/fold.ts'
import { exporters } from './index.ts'

const question = questionOf({ format: 'choice', options: ['Rail', 'Road'] })

/** The table went on without the third seat, and its answer came before the report. */
const { events } = table({ seats: 3, question, rounds: 0, protocol: 'poll', patience: 2 })
  .round(0, ['Rail', 'Rail'])
  .and(
    { type: 'seat-overdue', round: 0, seat: 's3', by: 'patience' },
    { type: 'answer-given', round: 0, seat: 's3', answer: answerOf(question, 'Road') },
    { type: 'report-written', report: { answer: 'Rail.', summary: 'So.' }, by: 'code' },
    { type: 'session-finished', outcome: 'verdict' },
  )

test.each(exporters.map(({ id }) => id))(
  '[X46] an answer that came late is marked in every export: %s',
  id => {
    const { write, read } = exporters.find(one => one.id === id)!
    const text = write(events)
    expect(text).toMatch(/\blate\b/)
    expect(write(events.filter(({ type }) => type !== 'seat-overdue'))).not.toMatch(/\blate\b/)
    const [again] = read ? [fold(read(text, { newId: () => 'x', clock: () => 0 }))] : []
    const seats =
      again && Object.entries(again.roundsSoFar[0]!.handedIn).filter(([, { late }]) => late !== undefined)
    expect(seats?.map(([seat]) => seat)).toEqual(read ? ['s3'] : undefined)
  },
)
