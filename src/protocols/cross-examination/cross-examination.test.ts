import { expect, test } from 'vitest'
import type { Command } from '../../core/log/command.ts'
import { type Said, type Setting, seatsOf, silent, table, yesOrNo } from '../../core/testing.ts'
import { type Played, play } from '../testing.ts'
import { crossExamination } from './index.ts'

const three: readonly Said[] = ['Yes', 'Yes', 'Yes', 'No', 'No']

const course = (votes: readonly (readonly Said[])[], setting: Setting = {}): Played =>
  play(
    crossExamination(),
    table({ seats: 5, question: yesOrNo, rounds: 2, protocol: 'cross-examination', ...setting }),
    { said: (seat, round) => votes[Math.min(round, votes.length - 1)]![Number(seat.slice(1)) - 1]! },
  )

const steps = ({ commands }: Played): string[] =>
  commands.filter(({ type }) => type !== 'ask-seat').map(({ type }) => type)

const turns = ({ commands }: Played) =>
  commands.filter((one): one is Command & { type: 'make-statement' } => one.type === 'make-statement')

const promptOf = ({ prompts }: Played, wanted: (command: Command) => boolean): string =>
  prompts.find(({ command }) => wanted(command))!.prompt.user.join('\n')

test('[P49] the sides take turns, as often as there are rounds; then all vote again and a judge reads twice', () => {
  const played = course([three])
  expect(steps(played)).toEqual([
    'open-round',
    ...Array(4).fill('make-statement'),
    'open-round',
    'judge',
    'judge',
    'write-report',
    'finish',
  ])
  const seats = turns(played).map(({ seat }) => seat)
  expect(seats).toEqual([seats[0], seats[1], seats[0], seats[1]])
  expect(turns(course([three], { rounds: 1 }))).toHaveLength(2)
})

test('[P49] an advocate reads what was said before, and the last turn asks nothing', () => {
  const played = course([three])
  const said = (turn: number) => promptOf(played, one => one.type === 'make-statement' && one.turn === turn)
  expect(said(0)).not.toContain('"turn"')
  expect(said(1)).toContain('"turn":1')
  expect(said(2)).toContain('"question":"Why not?"')
  expect([0, 1, 2, 3].map(turn => said(turn).includes('ask nothing'))).toEqual([false, false, false, true])
})

test('[P49] the next of its camp replaces an advocate that falls silent; with nobody left the turns end', () => {
  const no = [
    { choice: 'No', confidence: 0.9 },
    { choice: 'No', confidence: 0.5 },
  ]
  const sealed: Said[] = ['Yes', 'Yes', 'Yes', ...no]
  const replaced = course([sealed, ['Yes', 'Yes', 'Yes', silent(), 'No']])
  expect(turns(replaced).map(({ seat }) => seat)).toContain('s5')
  const alone = course([sealed, ['Yes', 'Yes', 'Yes', silent(), silent()]])
  expect(turns(alone).length).toBeLessThanOrEqual(4)
  expect(alone.log.session.outcome).toBe('verdict')
})

test('[P50] half of the table reads the one side first, half the other', () => {
  const played = course([three])
  const first = ['s1', 's2', 's3', 's4', 's5'].map(seat => {
    const prompt = promptOf(played, one => one.type === 'ask-seat' && one.seat === seat && one.round === 1)
    return /"side":"first","position":"(\w+)"/.exec(prompt)?.[1]
  })
  expect(new Set(first.filter((_, index) => index % 2 === 0)).size).toBe(1)
  expect(new Set(first)).toEqual(new Set(['Yes', 'No']))
})

test('[P50] nobody argues if there is one camp, no open round, or nobody who speaks', () => {
  const short = ['open-round', 'write-report', 'finish']
  expect(steps(course([['Yes', 'Yes', 'Yes', 'Yes', 'Yes']]))).toEqual(short)
  expect(steps(course([three], { rounds: 0 }))).toEqual(short)
  const mute = course([three, Array(5).fill(silent())])
  expect(mute.log.session.roundsSoFar).toHaveLength(1)
  expect(steps(mute)).not.toContain('judge')
})

test('[P51] only a moderator without a seat judges, in both orders', () => {
  const judged = (setting: Setting) => steps(course([three], setting)).filter(type => type === 'judge').length
  expect(judged({})).toBe(2)
  expect(judged({ moderator: null })).toBe(0)
  expect(judged({ smallModerator: true })).toBe(0)
  expect(judged({ moderator: seatsOf(1)[0]!.model })).toBe(0)
  const played = course([three])
  const firsts = ([0, 1] as const).map(order => {
    const prompt = promptOf(played, one => one.type === 'judge' && one.order === order)
    return /"side":"first","position":"(\w+)"/.exec(prompt)?.[1]
  })
  expect(new Set(firsts)).toEqual(new Set(['Yes', 'No']))
})

test('[P50] a round that a person adds is another examination', () => {
  const { log } = course([three])
  const again = play(crossExamination(), log.and({ type: 'round-added' }), {
    said: seat => three[Number(seat.slice(1)) - 1]!,
  })
  expect(again.log.session.roundsSoFar).toHaveLength(3)
  expect(again.log.session.roundsSoFar[1]?.statements?.length).toBeGreaterThan(0)
})
