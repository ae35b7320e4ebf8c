import { expect, test } from 'vitest'
import { questionOf, type Said, silent, table, yesOrNo } from '../../core/testing.ts'
import { type Played, play } from '../testing.ts'
import { delphi } from './index.ts'

const number = questionOf({ format: 'number', unit: 'km' })

const course = (votes: readonly (readonly Said[])[], question = number, rounds = 4): Played =>
  play(delphi(), table({ seats: votes[0]!.length, question, rounds, protocol: 'delphi' }), {
    said: (seat, round) => votes[Math.min(round, votes.length - 1)]![Number(seat.slice(1)) - 1]!,
  })

const promptOf = ({ prompts }: Played, seat: string, round: number): string =>
  prompts
    .find(({ command }) => command.type === 'ask-seat' && command.seat === seat && command.round === round)!
    .prompt.user.join('\n')

test('[P40] seats read the group’s figures, and code sums them up without asking anybody', () => {
  const played = course([
    [10, 11, 12, 13, 90],
    [10, 11, 12, 13, 14],
  ])
  expect(promptOf(played, 's1', 1)).toContain('Median 12 km; the middle half from 11 km to 13 km')
  expect(promptOf(played, 's1', 1)).toMatch(/"position":"above 13 km","seat":"E"/)
  expect(promptOf(played, 's1', 2)).toContain('Median 12 km; the middle half from 11 km to 13 km')
  const asked = played.prompts.map(({ command }) => command.type)
  expect(new Set(asked)).toEqual(new Set(['ask-seat', 'write-report']))
  const [first] = played.log.session.roundsSoFar
  expect(first?.digest?.figures).toEqual({ kind: 'quartiles', low: 11, median: 12, high: 13 })
})

test('[P40] for choices seats are told the shares, and one argument for each side whatever its size', () => {
  const played = course([['Yes', 'Yes', 'Yes', 'No']], yesOrNo)
  const lines = promptOf(played, 's4', 1)
    .split('\n')
    .filter(line => line.startsWith('{"position"'))
    .map(line => JSON.parse(line) as { position: string; share: string; argument: string })
  expect(lines.map(({ position, share }) => `${position} ${share}`).sort()).toEqual(['No 25%', 'Yes 75%'])
  for (const { argument } of lines) expect(argument).toBe('Because of reasons that are set out here.')
})

test('[P41] only seats far from the group are asked for their reasons', () => {
  const played = course([[10, 11, 12, 13, 90]])
  const asked = ['s1', 's2', 's3', 's4', 's5'].filter(seat =>
    promptOf(played, seat, 1).includes('lies far from the group'),
  )
  expect(asked).toEqual(['s1', 's5'])
})

test('[P42] it stops when the group is stable, and at the round limit', () => {
  const still = [10, 11, 12, 13, 90]
  const restless = [still, still.map(value => value + 5), still, still.map(value => value + 5), still]
  const talks = (played: Played): number => played.log.session.roundsSoFar.length - 1
  expect(talks(course([still]))).toBe(1)
  expect(talks(course([still, [10, 11, 12, 13, 14]]))).toBe(2)
  for (const rounds of [0, 1, 3, 4]) expect(talks(course(restless, number, rounds))).toBe(rounds)
})

test('[P42] one seat in forty that moves doesn’t keep the others going', () => {
  const before = Array.from({ length: 40 }, (_, index) => (index % 2 ? 'Yes' : 'No'))
  const after = before.with(0, 'Yes')
  expect(course([before, after], yesOrNo).log.session.roundsSoFar).toHaveLength(2)
})

test('[P42] if nobody answered there are no figures', () => {
  const { log, commands } = course([[silent(), silent()]])
  expect(log.session.outcome).toBe('no-quorum')
  expect(commands.map(({ type }) => type)).not.toContain('write-digest')
})
