import { describe, expect, test } from 'vitest'
import { type Said, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { type Played, play } from '../../test/contracts/protocols-testing.ts'
import type { Kind } from '../core/form.ts'
import { verdictOf } from '../count/verdict.ts'
import { hybrid } from './hybrid.ts'

interface Course {
  readonly kind?: Kind
  readonly rounds?: number
  readonly moderator?: string | null
  readonly objection?: string | null
}

/** A table of five; the last line of votes is repeated for all later rounds. */
const course = (
  votes: readonly (readonly Said[])[],
  { rounds = 4, moderator, objection = null, kind = 'judgement' }: Course = {},
): Played => {
  const log = table({
    seats: 5,
    question: yesOrNo,
    rounds,
    kind,
    ...(moderator !== undefined && { moderator }),
  })
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
  expect(steps(played)).toEqual(['open-round', 'challenge', 'open-round', 'write-report', 'finish'])
})

test('[P11] a challenger that fails has found nothing', () => {
  const log = table({ seats: 5, question: yesOrNo })
  const played = play(hybrid(), log, { said: seat => four[Number(seat.slice(1)) - 1]!, moderatorFails: true })
  expect(talks(played)).toBe(0)
})

test('[P12] with less support the table talks, and nobody is asked to challenge', () => {
  const played = course([three])
  expect(steps(played)).toEqual(['open-round', 'open-round', 'write-report', 'finish'])
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

describe('[P103] on a question of fact', () => {
  test('more than half is enough, unless the challenger objects', () => {
    expect(steps(course([three], { kind: 'fact' }))).toEqual([
      'open-round',
      'challenge',
      'write-report',
      'finish',
    ])
    expect(talks(course([three], { kind: 'fact', objection: 'The bridge carries nothing.' }))).toBe(1)
    expect(talks(course([three], { kind: 'fact', moderator: null }))).toBe(0)
    expect(talks(course([three], { kind: 'judgement' }))).toBe(1)
  })

  test('the table talks on while no answer has a majority, even if nobody moved', () => {
    const tied: readonly Said[] = ['Yes', 'Yes', 'No', 'No', { absent: 'silent', kind: 'timeout' }]
    expect(talks(course([tied], { kind: 'fact', rounds: 2 }))).toBe(2)
    expect(talks(course([tied], { kind: 'judgement', rounds: 2 }))).toBe(1)
    expect(talks(course([tied, three], { kind: 'fact', rounds: 2 }))).toBe(1)
  })
})

test('[P104] the gate waits for the kind only if it matters', () => {
  const closed = (said: readonly Said[]) =>
    table({ seats: 5, question: yesOrNo, kind: undefined }).round(0, said).session
  expect(hybrid().next(closed(three))).toEqual([])
  expect(hybrid().next(closed(four))).toEqual([{ type: 'challenge', round: 0 }])
  const tied: readonly Said[] = ['Yes', 'Yes', 'No', 'No', { absent: 'silent', kind: 'timeout' }]
  expect(hybrid().next(closed(tied))).not.toEqual([])
})

test('[P11] without a moderator nobody challenges', () => {
  expect(steps(course([four], { moderator: null }))).toEqual(['open-round', 'write-report', 'finish'])
})

/** Odd seats say Rail, even ones Road, at length. Each names itself, so that its words can be told from others'. */
const longWinded = (seat: string): Said => ({
  headline: `${Number(seat.slice(1)) % 2 ? 'Rail' : 'Road'} is best`,
  reasoning: `These are words of ${seat}. ${'It costs 0.35 a day. '.repeat(100)}`,
})
const brief = (seat: string): Said => ({ ...(longWinded(seat) as object), reasoning: `Words of ${seat}.` })

const readBy = (
  seat: string,
  seats: number,
  said: (seat: string) => Said,
  objection: string | null = null,
) => {
  const played = play(hybrid(), table({ seats, rounds: 1, protocol: 'hybrid', kind: 'judgement' }), {
    said,
    objection,
  })
  const { prompt } = played.prompts.find(
    ({ command }) => command.type === 'ask-seat' && command.round === 1 && command.seat === seat,
  )!
  const lines = prompt.user.join('\n').split('\n')
  const fence = (mark: RegExp) => lines.findIndex(line => mark.test(line))
  return { played, inside: lines.slice(fence(/^<<</) + 1, fence(/>>>$/)), all: lines.join('\n') }
}

test('[P69] up to eight seats, or few words, read each other’s whole answers, and no digest is written', () => {
  for (const [seats, said] of [
    [8, longWinded],
    [12, brief],
  ] as const) {
    const { played, inside } = readBy('s2', seats, said)
    expect(steps(played)).not.toContain('write-digest')
    expect(inside).toHaveLength(seats - 1)
    for (const line of inside) expect(JSON.parse(line).reasoning).toMatch(/ords of s\d/)
  }
  for (const [seats, said] of [
    [9, longWinded],
    [20, brief],
  ] as const)
    expect(readBy('s2', seats, said).played.log.session.roundsSoFar[0]?.digest).toBeDefined()
})

test('[P69] a log that has a digest already is carried on with it', () => {
  const digest = { positions: [{ position: 'Rail', arguments: [{ seat: 's1', quote: 'It lasts.' }] }] }
  const { session } = table({ seats: 3 })
    .round(0, ['Rail', 'Rail', 'Road'])
    .and({ type: 'digest-written', round: 0, digest, by: 'moderator' })
  const text = hybrid().prompt(session, 's3', 1).user.join('\n')
  expect(text).toContain('"arguments":[{"seat":"A","quote":"It lasts."}]')
  expect(text).not.toContain('"reasoning":"Because of reasons that are set out here."}\n{')
})

test('[P70] nobody reads its own words among those of the others, in answers or in a digest', () => {
  for (const seats of [4, 9])
    for (const seat of ['s1', 's2', 's3']) {
      const { inside } = readBy(seat, seats, longWinded)
      expect(inside.join('\n')).not.toContain(`words of ${seat}.`)
      expect(inside.join('\n')).toContain('words of s')
    }
})

test('[P121] a seat learns which position of a digest it holds, and how those who are quoted read the question', () => {
  const positions = [
    { position: 'Yes', arguments: [{ seat: 's1', quote: 'It lasts.' }] },
    { position: 'No', arguments: [{ seat: 's3', quote: 'It is there.' }] },
  ]
  const { session } = table({ seats: 3, question: yesOrNo })
    .round(0, ['Yes', 'Yes', { choice: 'No', headline: 'No', reading: 'For goods alone.' }])
    .and({ type: 'digest-written', round: 0, digest: { positions }, by: 'moderator' })
  const promptOf = (seat: string) => hybrid().prompt(session, seat, 1).user.join('\n')
  const held = 'You hold this position'
  expect(promptOf('s1')).toContain(`"Yes","note":"${held}, and nobody else is quoted for it."}`)
  expect(promptOf('s2')).toContain(`"Yes","note":"${held}.","arguments"`)
  expect(promptOf('s3')).not.toContain(`"Yes","note"`)
  expect(promptOf('s1')).toContain('"seat":"C","reading":"For goods alone.","quote":"It is there."')
  expect(promptOf('s1')).not.toContain('If you all agree')
})

test('[P76] an objection is shown whole, with the position that it is against', () => {
  const said = (seat: string): Said => (seat === 's5' ? 'Road is best' : 'Rail is best')
  const objection = `Rails rust. ${'They do. '.repeat(300)}`
  const [holder, other] = ['s1', 's5'].map(seat => readBy(seat, 5, said, objection))
  const line = JSON.parse(holder!.inside.at(-1)!)
  expect(line).toMatchObject({ against: 'Rail is best' })
  expect(line.objection).toMatch(/^Rails rust\. .*They do\.$/)
  expect(holder!.all).toContain('against your answer.')
  expect(other!.all).toContain('against a position that you do not hold')
})

test('[P12] a table that agrees after talking is challenged again before it settles', () => {
  const played = course([three, four])
  expect(steps(played)).toEqual(['open-round', 'open-round', 'challenge', 'write-report', 'finish'])
  expect(verdictOf(played.log.session).flips).toBe(1)
})
