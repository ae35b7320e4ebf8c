import { expect, test } from 'vitest'
import { type Said, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { play } from '../../test/contracts/protocols-testing.ts'
import { commandKey } from '../core/event.ts'
import { latestRound, roundAt } from '../core/session.ts'
import { groupingOf } from '../count/settle.ts'
import { delegatesAfter, digestBatches, speakersIn } from './answers.ts'
import { hybrid } from './hybrid.ts'
import type { Prompt } from './protocol.ts'

const headline = (seat: string): string =>
  `${Number(seat.slice(1)) % 3 ? 'Rail' : 'Road'} it is, says ${seat}`
const open = (seats: number, said: (seat: string, round: number) => Said = headline) =>
  play(hybrid(), table({ seats, rounds: 1, kind: 'judgement' }), { said })
const count = (played: ReturnType<typeof open>, type: string): number =>
  played.commands.filter(command => command.type === type).length

test('[P60] a large table is summed up in parts of 25, all at once, and then these; a small one in one call', () => {
  const digests = (seats: number) =>
    open(seats)
      .commands.filter(command => command.type === 'write-digest')
      .map(commandKey)
  expect(digests(20)).toEqual(['write-digest 0'])
  expect(digests(25)).toEqual(['write-digest 0'])
  expect(digests(60)).toEqual(['write-digest 0 0', 'write-digest 0 1', 'write-digest 0 2', 'write-digest 0'])
})

test('[P60] every answer is in one part, and what is made of the parts does not grow with the table', () => {
  const { session } = table({ seats: 60 }).round(
    0,
    Array.from({ length: 60 }, (_, index) => (index === 7 ? silent() : `Answer ${index}`)),
  )
  const parts = digestBatches(session, 0)
  expect(parts.map(part => part.length)).toEqual([25, 25, 9])
  expect(new Set(parts.flat()).size).toBe(59)
  const longest = (seats: number) => {
    const digests = open(seats).prompts.filter(({ command }) => command.type === 'write-digest')
    return Math.max(...digests.map(({ prompt }) => prompt.user.join('\n').length))
  }
  expect(longest(200)).toBeLessThan(longest(50) * 1.5)
})

test('[P60] if the moderator fails at a part, code writes that part', () => {
  const played = play(hybrid(), table({ seats: 60, question: yesOrNo, rounds: 1, kind: 'judgement' }), {
    said: seat => (Number(seat.slice(1)) % 2 ? 'Yes' : 'No'),
    moderatorFails: true,
  })
  expect(played.log.session.roundsSoFar[0]?.parts).toHaveLength(3)
  expect(played.log.session.outcome).toBe('verdict')
})

test('[P61] every camp has delegates, larger ones more, sixteen in all; the rest votes again in few words', () => {
  const votes = Array.from({ length: 50 }, (_, index) => (index < 40 ? 'Yes' : 'No'))
  const { session } = table({ seats: 50, question: yesOrNo }).round(0, votes)
  const delegates = delegatesAfter(session, latestRound(session)!)
  const [yes, no] = groupingOf(session, latestRound(session)!).camps.map(
    camp => camp.seats.filter(seat => delegates.has(seat)).length,
  )
  expect([yes, no]).toEqual([13, 3])
  const systems = Map.groupBy(session.seats, ({ id }) => {
    const user = hybrid().prompt(session, id, 1).user.join('\n')
    return `${/under (\d+) words/.exec(user)?.[1]} ${user.includes('you speak for those')}`
  })
  expect([...systems].map(([key, seats]) => [key, seats.length]).sort()).toEqual([
    ['250 true', 16],
    ['40 false', 34],
  ])
})

test('[P61] of an open round only what delegates wrote is summed up, and of those who answered', () => {
  const votes = Array.from({ length: 50 }, (_, index) => (index % 2 ? 'Yes' : 'No'))
  const { session } = table({ seats: 50, question: yesOrNo }).round(0, votes).round(1, votes)
  expect(speakersIn(session, 0)).toHaveLength(50)
  expect(speakersIn(session, 1).toSorted()).toEqual(
    [...delegatesAfter(session, roundAt(session, 0)!)].toSorted(),
  )
  const small = table({ seats: 6, question: yesOrNo }).round(0, votes.slice(0, 6)).round(1, votes.slice(0, 6))
  expect(speakersIn(small.session, 1)).toHaveLength(6)
})

test('[P62] prompts of an open round start the same at a large table: few orders, own words last', () => {
  const votes = Array.from({ length: 60 }, (_, index) => (index % 2 ? 'Yes' : 'No'))
  const digest = {
    positions: ['Yes', 'No', 'Perhaps'].map(position => ({ position, arguments: [] })),
  }
  const { session } = table({ seats: 60, question: yesOrNo })
    .round(0, votes)
    .and({ type: 'digest-written', round: 0, digest, by: 'moderator' })
  const beginnings = new Set(
    session.seats.map(({ id }) => {
      const { system, user } = hybrid().prompt(session, id, 1)
      return [system, user[0], user[1], user[2]].join('\n')
    }),
  )
  expect(beginnings.size).toBe(3)
})

/** A field for each headline, and one for the labels. */
const headlinesIn = ({ shape }: Prompt): number => Object.keys(shape.json.properties as object).length - 2

test('[P63] headlines are labelled 25 at a time against the positions found so far, twice', () => {
  const played = open(60)
  expect(count(played, 'group-answers')).toBe(6)
  const batches = played.prompts.filter(({ command }) => command.type === 'group-answers')
  for (const { prompt } of batches) expect(headlinesIn(prompt)).toBeLessThanOrEqual(25)
  const known = batches.map(({ prompt }) =>
    prompt.user.some(part => part.startsWith('Positions known so far')),
  )
  expect(known).toEqual([false, false, true, true, true, true])
  expect(groupingOf(played.log.session, played.log.session.roundsSoFar[0]!)).toMatchObject({
    camps: [{ seats: { length: 40 } }, { seats: { length: 20 } }],
    contested: false,
  })
})

test('[P63] a headline is checked once, twice if it left its camp, and never against all others', () => {
  const sealed = table({ seats: 100, rounds: 0 }).round(
    0,
    Array.from({ length: 100 }, (_, index) => `Answer ${index}`),
  )
  const labelled = sealed.labels(0, Array(100).fill('the same'))
  expect(groupingOf(labelled.session, latestRound(labelled.session)!).pending).toHaveLength(99)
  const { events, session } = labelled.settle('different')
  expect(events.filter(({ type }) => type === 'membership-checked')).toHaveLength(99 + 98)
  expect(groupingOf(session, latestRound(session)!).camps).toHaveLength(100)
})

test('[P63] calls for grouping grow in step with the table', () => {
  const calls = (seats: number) => {
    const played = open(seats)
    return count(played, 'group-answers') + count(played, 'check-memberships')
  }
  expect(calls(200) / calls(50)).toBeLessThan(4.2)
})

test('[P64] a large table stops when hardly anybody moved twice in a row', () => {
  const said = (seat: string, round: number): Said => {
    const number = Number(seat.slice(1))
    return (number + (number === round ? 1 : 0)) % 2 ? 'Yes' : 'No'
  }
  const talks = (seats: number): number =>
    play(hybrid(), table({ seats, question: yesOrNo, rounds: 4, kind: 'judgement' }), { said }).log.session
      .roundsSoFar.length - 1
  expect(talks(60)).toBe(2)
  expect(talks(10)).toBe(4)
})
