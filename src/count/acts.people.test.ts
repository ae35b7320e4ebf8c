/** People at the table and the asker's words, in the log. */

import { expect, test } from 'vitest'
import { type Happening, type SessionEvent, stamped } from '../core/event.ts'
import { fold, wordsBefore } from '../core/fold.ts'
import { isClosed } from '../core/session.ts'
import { createRoundtable } from '../library/index.ts'
import { scripted } from '../models/scripted.ts'
import { outsideDeadlineOf } from '../run/run.ts'
import type { AskInput } from '../table/ask.ts'
import { forkAt } from '../table/fork.ts'
import { reachOf } from '../table/reach.ts'
import { openingOf } from '../table/resolve.ts'
import { askerSaid, handedIn, isInterjection, joined, retried } from './acts.ts'
import { verdictOf } from './verdict.ts'

const given = (seat: string, choice: string, round = 0): Happening => ({
  ...{ type: 'answer-given', round, seat },
  answer: { headline: `${choice}.`, reasoning: '', confidence: 0.5, choice, language: 'en' },
})

const logOf = async (more: object, ...happenings: Happening[]): Promise<SessionEvent[]> => {
  const table = createRoundtable({ providers: [scripted(() => ({}))], env: {} })
  const first = await table.open({
    question: 'Yes or no?',
    options: ['Yes', 'No'],
    seats: ['scripted/a', 'scripted/b'],
    moderator: null,
    protocol: 'roundtable',
    ...more,
  })
  return [first, ...happenings.map((one, index) => stamped(one, index + 1, () => (index + 1) * 1_000))]
}

const opened: Happening = { type: 'round-opened', round: 0, sealed: true }

test('[Q200] me, person:<name> and people seat people after the models, with a deadline of their own', async () => {
  const seats = ['scripted/a', 'me', 'person:Ada', { model: 'person:x', name: 'Ada' }]
  const people = [{ name: 'Bob', deadline: 60 }]
  const session = fold(await logOf({ seats, people, personDeadline: 7_200 }))
  expect(session.seats.map(({ id, name, person, deadline }) => [id, name, person, deadline])).toEqual([
    ['s1', 'a', undefined, undefined],
    ['s2', 'Bob', true, 60],
    ['s3', 'Me', true, 7_200],
    ['s4', 'Ada', true, 7_200],
    ['s5', 'Ada (E)', true, 7_200],
  ])
  await expect(logOf({ seats: ['scripted/a', 'person: '] })).rejects.toThrow('person:Ada')
  expect(fold(await logOf({ people: ['Ada'] })).seats.at(-1)).toMatchObject({
    deadline: 3_600,
    outside: true,
  })
})

test('[Q395] a person whose name reads like the letter of a seat gets their own letter behind it', async () => {
  const people = ['b', 'Seat A', 'В', 'Bo', '李']
  const { seats } = fold(await logOf({ seats: ['scripted/a'], people }))
  expect(seats.map(({ name }) => name)).toEqual(['a', 'b (B)', 'Seat A (C)', 'В (D)', 'Bo', '李'])
  const before = fold(await logOf({ rounds: 1 }, opened, given('s1', 'Yes')))
  expect(joined(before, 'A', 60, 4)).toMatchObject({ seat: { name: 'A (C)' } })
})

test('[Q201] a newcomer is asked from the next round on, and the rounds before count without them', async () => {
  const log = await logOf({ rounds: 1 }, opened, given('s1', 'Yes'))
  const before = fold(log)
  const event = stamped(joined(before, 'Grace', 60, 4), log.length, () => 9_000)
  expect(isInterjection(event)).toBe(true)
  const session = fold([...log, event, stamped(given('s2', 'No'), log.length + 1, () => 10_000)])
  expect(session.seats.at(-1)).toMatchObject({ id: 's3', alias: 'C', name: 'Grace', since: 1, person: true })
  expect(isClosed(session, session.roundsSoFar[0]!)).toBe(true)
  expect(verdictOf(session)).toMatchObject({ of: 2, sealed: { of: 2 } })
  expect(session.wanted).toBe(1)
  const answer = { headline: 'Me.', reasoning: '', confidence: null, choice: 'Yes', language: 'en' }
  expect(() => handedIn(session, 's3', 0, answer)).toThrow('from round 1 on')
  expect(() => joined(session, 'Late', 60, 4)).toThrow('between two rounds')
  expect(() => joined(before, 'Nobody', 60, 0)).toThrow('no open rounds')
})

test('[Q202] words are read in later rounds by those they are for, and keep the table from ending early', async () => {
  const log = await logOf({ rounds: 1 }, opened, given('s1', 'Yes'))
  const session = fold(log)
  const all = stamped(askerSaid(session, ' For all. '), log.length, () => 5_000)
  const one = stamped(askerSaid(session, 'For B.', 'b'), log.length + 1, () => 6_000)
  const after = fold([...log, all, one])
  expect(wordsBefore(after, 0)).toEqual([])
  expect(wordsBefore(after, 1, 's1').map(({ words }) => words)).toEqual(['For all.'])
  expect(wordsBefore(after, 1, 's2').map(({ words }) => words)).toEqual(['For all.', 'For B.'])
  expect([after.rounds, after.wanted]).toEqual([1, 1])
  // A closed round may be the last one: nothing is promised then.
  const closed = fold([...log, stamped(given('s2', 'Yes'), log.length, () => 7_000)])
  const late = fold([
    ...log,
    stamped(given('s2', 'Yes'), log.length, () => 7_000),
    stamped(askerSaid(closed, 'Late.'), log.length + 1, () => 8_000),
  ])
  expect(late.wanted).toBeUndefined()
  const none = await logOf({ rounds: 0 }, opened)
  expect(fold([...none, stamped(askerSaid(fold(none), 'Hm.'), 2, () => 1)]).wanted ?? 0).toBe(0)
  expect(() => askerSaid(session, 'x', 'Z')).toThrow('no seat "Z"')
  expect(() => askerSaid(session, ' ')).toThrow('empty')
  const over = fold([...log, stamped({ type: 'session-finished', outcome: 'verdict' }, log.length, () => 1)])
  expect(() => askerSaid(over, 'x')).toThrow('over')
})

test('[Q200] who holds a seat from outside stays when a fork in the middle names other models', async () => {
  const people = ['Ada', { name: 'Host', program: true }]
  const answers = ['s1', 's2', 's3', 's4'].map(seat => given(seat, 'Yes'))
  const log = await logOf({ people }, opened, ...answers)
  const reach = reachOf({ env: {}, providers: [scripted(() => ({}))] })
  const settle = (input: AskInput) => openingOf(input, 'fork', reach)
  const fork = await forkAt(log, 0, { seats: ['scripted/b', 'scripted/c'] }, reach, settle)
  const last = fork.rest?.(() => 0).at(-1)
  expect(last?.type === 'session-forked' && last.seats.map(({ model, person }) => [model, person])).toEqual([
    ['scripted/c', undefined],
    ['scripted/b', undefined],
    ['person/ada', true],
    ['outside/host', undefined],
  ])
})

test('[Q203] a seat that is asked again has the whole time, and the others only what is left of theirs', async () => {
  const silent: Happening = {
    ...{ type: 'seat-silent', round: 0, seat: 's3' },
    error: { kind: 'timeout', message: 'late' },
  }
  const people = [
    { name: 'Ada', deadline: 10 },
    { name: 'Bob', deadline: 100 },
  ]
  const log = await logOf({ people }, opened, silent)
  expect(outsideDeadlineOf(fold(log))).toBe(101_000)
  const again = stamped(retried(fold(log), 's3'), log.length, () => 50_000)
  expect(outsideDeadlineOf(fold([...log, again]))).toBe(60_000)
  const done = [...log, again, stamped(given('s3', 'Yes'), log.length + 1, () => 55_000)]
  expect(outsideDeadlineOf(fold(done))).toBe(101_000)
})

test('[V200] people and models are counted apart, and a flag says if the people decided', async () => {
  const votes = (...choices: string[]) =>
    logOf(
      { seats: ['scripted/a', 'scripted/b', 'scripted/c'], people: ['Ada', 'Bob'], protocol: 'poll' },
      opened,
      ...choices.map((choice, index) => given(`s${index + 1}`, choice)),
    )
  const same = verdictOf(fold(await votes('Yes', 'Yes', 'No', 'Yes', 'No')))
  expect(same.line).toBe('3 of 5 seats agreed; people 1 of 2, models 2 of 3')
  expect(same.apart).toEqual({
    people: { of: 2, answered: 2, agree: 1, leading: null },
    models: { of: 3, answered: 3, agree: 2, leading: 'Yes' },
  })
  expect(same.flags).not.toContain('people decided')
  const decided = verdictOf(fold(await votes('Yes', 'Yes', 'No', 'No', 'No')))
  expect(decided).toMatchObject({ leading: 'No', line: '3 of 5 seats agreed; people 2 of 2, models 1 of 3' })
  expect(decided.flags).toContain('people decided')
})
