import { expect, test } from 'vitest'
import { sampleLog } from '../../test/sample-session.ts'
import { fold } from '../core/fold.ts'
import { verdictOf } from '../count/verdict.ts'
import { afterOf, maskedAfter } from './carry.ts'

const session = fold(sampleLog)

test('[V230] a follow-up is told the question, the verdict line, the camps and why others disagreed, and no transcript', () => {
  const { carried } = afterOf(session, 'camps')
  const final = verdictOf(session).final!
  expect(carried).toHaveLength(1)
  expect(carried[0]).toMatchObject({ session: session.id, question: session.question.text })
  expect(carried[0]?.camps).toHaveLength(final.camps.length)
  expect(carried[0]?.camps?.map(({ seats }) => seats)).toEqual(
    final.camps.map(camp => camp.seats.length).sort((one, other) => other - one),
  )
  expect(carried[0]?.dissent).toHaveLength(final.camps.length - 1)
  expect(JSON.stringify(carried).length).toBeLessThan(6_000)
})

test('[V231] carrying the verdict leaves out camps, also those of earlier sessions, and a thread carries at most five', () => {
  const before = afterOf(session, 'camps')
  const long = { ...session, after: { ...before, carried: Array(5).fill(before.carried[0]) } }
  const { carried } = afterOf(long, 'verdict')
  expect(carried).toHaveLength(5)
  for (const one of carried) expect(Object.keys(one)).not.toContain('camps')
  expect(afterOf(long, 'none').carried).toEqual([])
})

test('[V232] a session that runs has nothing to carry over', () => {
  const { outcome: _outcome, ...running } = session
  expect(() => afterOf(running)).toThrow('still running')
})

test('[N230] what is carried over names no seat of either table while names are hidden, and no letters of seats', () => {
  const after = {
    session: 'x',
    carry: 'camps' as const,
    carried: [
      {
        session: 'x',
        question: 'Why?',
        line: 'One',
        answer: 'As Gemini 3 Pro and Seats A and C say, Gemini agrees with Seat B.',
      },
    ],
  }
  const seats = [{ id: 's1', alias: 'A', name: 'Gemini 3 Pro', model: 'google/gemini-3-pro' }]
  const { carried } = maskedAfter(after, { seats, names: 'hidden', question: session.question })
  expect(carried[0]?.answer).toBe('As [a model] and a seat say, Gemini agrees with a seat.')
})
