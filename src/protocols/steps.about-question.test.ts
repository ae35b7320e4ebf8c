import { expect, test } from 'vitest'
import { questionOf, table } from '../../test/contracts/core-testing.ts'
import { play } from '../../test/contracts/protocols-testing.ts'
import { stamped } from '../core/event.ts'
import { apply, fold } from '../core/fold.ts'
import { canBeRight, kindOf } from '../core/form.ts'
import { kindCorrected, resolved } from '../count/acts.ts'
import { readingsOf } from '../count/moves.ts'
import { groupReadings, readingLines } from './grouping.ts'
import { protocolNamed } from './index.ts'
import { findKind } from './moderator.ts'
import { nextOf } from './steps.ts'

const poll = protocolNamed('poll')
const said = (reading: string | undefined, headline: string) => ({ headline, ...(reading && { reading }) })
const unsaid = table({ seats: 3, protocol: 'poll', rounds: 0, kind: undefined })
const differing = unsaid.round(0, [
  said('the town proper', 'Yes'),
  said('the whole county', 'No'),
  said('The county.', 'No'),
])
const command = { type: 'group-readings', round: 0 } as const

test('[P90] the moderator says what kind of question it is, beside the sealed round', () => {
  const opened = unsaid.round(0, [])
  expect(nextOf(poll, opened.session).map(({ type }) => type)).toEqual([
    'ask-seat',
    'ask-seat',
    'ask-seat',
    'find-kind',
  ])
  const { log, commands } = play(poll, unsaid, { said: () => 'Yes' })
  expect(commands.filter(({ type }) => type === 'find-kind')).toHaveLength(1)
  expect(kindOf(log.session)).toBe('judgement')
})

test('[P90] nobody is asked for the kind if the asker, the format or no moderator says it', () => {
  const types = (setting: object) =>
    nextOf(poll, table({ seats: 2, protocol: 'poll', kind: undefined, ...setting }).round(0, []).session).map(
      ({ type }) => type,
    )
  expect(types({})).toContain('find-kind')
  expect(types({ kind: 'taste' })).not.toContain('find-kind')
  expect(types({ question: questionOf({ format: 'number' }) })).not.toContain('find-kind')
  expect(types({ question: questionOf({ format: 'text' }) })).not.toContain('find-kind')
  expect(types({ moderator: null })).not.toContain('find-kind')
  expect(types({ smallModerator: true })).not.toContain('find-kind')
})

test('[P90] a moderator that cannot say it is asked once, and the session goes on', () => {
  const { log, commands } = play(poll, unsaid, { said: () => 'Yes', moderatorFails: true })
  expect(commands.filter(({ type }) => type === 'find-kind')).toHaveLength(1)
  expect(log.session.outcome).toBe('verdict')
  expect(kindOf(log.session)).toBeUndefined()
  expect(findKind.read({ kind: 'text' }, unsaid.session, { type: 'find-kind' })).toHaveProperty('problem')
})

test('[P91] a person corrects the kind, and nobody is right or wrong in a matter of taste', () => {
  const { log } = play(poll, unsaid, { said: () => 'Yes' })
  const taste = apply(
    log.session,
    stamped(kindCorrected(log.session, 'taste'), log.events.length, () => 0),
  )
  expect([kindOf(taste), canBeRight(taste), canBeRight(log.session)]).toEqual(['taste', false, true])
  expect(() => resolved(taste, 'c1')).toThrow(/matter of taste/)
  expect(() => kindCorrected(log.session, 'text')).toThrow(/can't be of the kind text/)
})

test('[P92] if seats read the question differently, the moderator puts the readings together', () => {
  expect(nextOf(poll, differing.session)).toContainEqual(command)
  const event = groupReadings.read(
    { readings: [{ reading: 'The county', seats: ['Seat B', 'c', 'B', 'Z'] }] },
    differing.session,
    command,
  )
  expect(event).toEqual({
    type: 'readings-grouped',
    round: 0,
    readings: [
      { reading: 'The county', seats: ['s2', 's3'] },
      { reading: 'the town proper', seats: ['s1'] },
    ],
  })
})

test('[P92] one reading, or none, needs nobody to read it', () => {
  const alike = unsaid.round(0, [said('The county.', 'Yes'), said('the county', 'No'), said(undefined, 'No')])
  expect(nextOf(poll, alike.session).map(({ type }) => type)).not.toContain('group-readings')
  expect(readingsOf(alike.session)).toEqual([{ reading: 'The county.', seats: ['s1', 's2'] }])
})

test('[P92] if the moderator fails, readings with the same words are one', () => {
  const failed = differing.and({
    type: 'moderator-failed',
    task: 'readings',
    round: 0,
    error: { kind: 'server-error', message: '500' },
  })
  expect(nextOf(poll, failed.session)).not.toContainEqual(command)
  expect(readingsOf(fold(failed.events)).map(({ seats }) => seats)).toEqual([['s1'], ['s2'], ['s3']])
})

test('[P93] the author of the report reads how a split table reads the question, without names', () => {
  const named = unsaid.round(0, [
    said('the town, as GLM 4.7 would', 'Yes'),
    said('the county', 'No'),
    said(undefined, 'No'),
  ])
  expect(readingLines(named.session)).toEqual([
    '{"sealedReading":"the town, as [a model] would","seats":"A"}',
    '{"sealedReading":"the county","seats":"B"}',
  ])
  const agreed = unsaid.round(0, [said('the town', 'Yes'), said('the county', 'Yes'), said(undefined, 'Yes')])
  expect(readingLines(agreed.session)).toEqual([])
})

test('[P91] a text has no right answer either', () => {
  const text = table({ seats: 2, protocol: 'poll', question: questionOf({ format: 'text' }) })
    .round(0, ['One', 'Two'])
    .and({ type: 'session-finished', outcome: 'verdict' })
  expect(() => resolved(text.session, 'c1')).toThrow(/no text is right or wrong/)
})
