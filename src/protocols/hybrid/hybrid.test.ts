import { expect, test } from 'vitest'
import { type Said, table, yesOrNo } from '../../core/testing.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { type Played, play } from '../testing.ts'
import { hybrid } from './index.ts'

interface Course {
  readonly rounds?: number
  readonly moderator?: string | null
  readonly objection?: string | null
}

/** A table of five; the last line of votes is repeated for all later rounds. */
const course = (
  votes: readonly (readonly Said[])[],
  { rounds = 4, moderator, objection = null }: Course = {},
): Played => {
  const log = table({ seats: 5, question: yesOrNo, rounds, ...(moderator !== undefined && { moderator }) })
  const said = (seat: string, round: number): Said =>
    votes[Math.min(round, votes.length - 1)]![Number(seat.slice(1)) - 1]!
  return play(hybrid(), log, { said, objection })
}

const steps = ({ commands }: Played): string[] =>
  commands.filter(({ type }) => type !== 'ask-seat').map(({ type }) => type)
const talks = (played: Played): number => played.log.session.roundsSoFar.length - 1

const four: readonly Said[] = ['Yes', 'Yes', 'Yes', 'Yes', 'No']
const three: readonly Said[] = ['Yes', 'Yes', 'Yes', 'No', 'No']

test('[P11] with four fifths agreed and no objection, the table does not talk', () => {
  expect(steps(course([four]))).toEqual(['open-round', 'challenge', 'write-report', 'finish'])
})

test('[P11] an objection opens the table', () => {
  const played = course([four], { objection: 'The bridge carries nothing.' })
  expect(steps(played)).toEqual([
    'open-round',
    'challenge',
    'write-digest',
    'open-round',
    'write-report',
    'finish',
  ])
})

test('[P11] a challenger that fails has found nothing', () => {
  const log = table({ seats: 5, question: yesOrNo })
  const played = play(hybrid(), log, { said: seat => four[Number(seat.slice(1)) - 1]!, moderatorFails: true })
  expect(talks(played)).toBe(0)
})

test('[P12] with less support the table talks, and nobody is asked to challenge', () => {
  const played = course([three])
  expect(steps(played)).toEqual(['open-round', 'write-digest', 'open-round', 'write-report', 'finish'])
})

test('[P12] a silent seat doesn’t count as support', () => {
  expect(talks(course([['Yes', 'Yes', 'Yes', { absent: 'silent', kind: 'timeout' }, 'No']]))).toBe(1)
})

test('[P13] the table stops when nobody switched', () => {
  expect(talks(course([three, three]))).toBe(1)
  expect(talks(course([three, ['Yes', 'Yes', 'No', 'No', 'No'], ['Yes', 'Yes', 'No', 'No', 'No']]))).toBe(2)
})

test('[P13] the table stops at the round limit', () => {
  const restless = [three, three.toReversed(), three, three.toReversed(), three]
  for (const rounds of [0, 1, 2, 4]) expect(talks(course(restless, { rounds }))).toBe(rounds)
})

test('[P11] without a moderator nobody challenges, and code writes the digest', () => {
  expect(steps(course([four], { moderator: null }))).toEqual(['open-round', 'write-report', 'finish'])
  expect(steps(course([three], { moderator: null }))).toContain('write-digest')
})

test('[P12] a table that agrees after talking is challenged again before it settles', () => {
  const played = course([three, four])
  expect(steps(played)).toEqual([
    'open-round',
    'write-digest',
    'open-round',
    'challenge',
    'write-report',
    'finish',
  ])
  expect(verdictOf(played.log.session).flips).toBe(1)
})
