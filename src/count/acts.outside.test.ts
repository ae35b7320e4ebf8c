/** Seats that somebody outside holds, in the log. */

import { expect, test } from 'vitest'
import { stamped } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { createRoundtable } from '../library/index.ts'
import { scripted } from '../models/scripted.ts'
import { handedIn, isInterjection } from './acts.ts'

const answer = { headline: 'No.', reasoning: 'Mine.', confidence: 0.5, choice: 'No', language: 'en' }

const opened = async () => {
  const table = createRoundtable({ providers: [scripted(() => ({}))], env: {} })
  const first = await table.open({
    question: 'Yes or no?',
    options: ['Yes', 'No'],
    seats: ['scripted/a'],
    people: ['Ada', 'Ada'].map(name => ({ name, program: true })),
    moderator: null,
  })
  return [first, stamped({ type: 'round-opened', round: 0, sealed: true }, 1, () => 1_000)]
}

test('[Q72] seats from outside come after the models, and two of one name can be told apart', async () => {
  const { seats } = fold(await opened())
  expect(seats.map(({ id, name, model, outside, person }) => [id, name, model, outside ?? person])).toEqual([
    ['s1', 'a', 'scripted/a', undefined],
    ['s2', 'Ada', 'outside/ada', true],
    ['s3', 'Ada (C)', 'outside/ada', true],
  ])
  expect(seats.map(({ person, deadline }) => [person, deadline]).at(-1)).toEqual([undefined, 3_600])
})

test('[Q72] an answer is taken for the round under way, once, and only from outside', async () => {
  const log = await opened()
  const session = fold(log)
  const event = handedIn(session, 's2', 0, answer)
  const given = stamped(event, 2, () => 2_000)
  expect(isInterjection(given)).toBe(true)
  const after = fold([...log, given])
  expect(after.roundsSoFar[0]!.handedIn.s2).toMatchObject({ status: 'given' })
  expect(() => handedIn(after, 's2', 0, answer)).toThrow('has answered')
  expect(() => handedIn(session, 's2', 1, answer)).toThrow('round 0')
  expect(() => handedIn(session, 's1', 0, answer)).toThrow('A model holds')
  expect(() => handedIn(session, 's9', 0, answer)).toThrow('no seat')
  const error = { kind: 'timeout', message: 'late' } as const
  const noted = stamped({ type: 'seat-silent', round: 0, seat: 's2', error }, 3, () => 3_000)
  expect(fold([...log, given, noted]).roundsSoFar[0]!.handedIn.s2).toMatchObject({ status: 'given' })
})
