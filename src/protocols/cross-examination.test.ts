import { expect, test } from 'vitest'
import {
  type Said,
  type Setting,
  seatsOf,
  silent,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import { type Played, play } from '../../test/contracts/protocols-testing.ts'
import type { Command, Happening } from '../core/event.ts'
import { sidesOf } from '../count/group.ts'
import { betweenRoundsOf, namesIn } from '../words/moves.ts'
import { crossExamination } from './cross-examination.ts'
import { ruling } from './moderator.ts'
import { statement } from './statements.ts'

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

/** The position that a prompt introduces first. */
const introduced = (prompt: string): string | undefined => /^\{"position":"(\w+)"/m.exec(prompt)?.[1]

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
  expect([0, 1, 2, 3].map(turn => said(turn).includes('set question to null'))).toEqual([
    false,
    false,
    false,
    true,
  ])
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
    return introduced(prompt)
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
    return introduced(prompt)
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

test('[P73] the record is in the order in which turns were spoken, and each turn says for which position', () => {
  const played = course([three])
  const record = promptOf(played, one => one.type === 'judge' && one.order === 0)
  const turns = record
    .split('\n')
    .filter(line => line.startsWith('{"turn"'))
    .map(line => JSON.parse(line) as { turn: number; speaksFor: string })
  expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4])
  const sides = turns.map(({ speaksFor }) => speaksFor)
  expect(sides).toEqual([sides[0], sides[1], sides[0], sides[1]])
  expect(new Set(sides)).toEqual(new Set(['Yes', 'No']))
})

test('[P73] an advocate finds its own turns marked as its own, in a record that isn’t called that of others', () => {
  const played = course([three])
  const spoke = turns(played).map(({ seat }) => seat)
  const marked = (prompt: string): string[] =>
    prompt.split('\n').filter(line => line.startsWith('{"turn"') && line.includes('"yours":true'))
  const read = (seat: string) =>
    promptOf(played, one => one.type === 'ask-seat' && one.seat === seat && one.round === 1)
  for (const { id } of played.log.session.seats) {
    expect(marked(read(id))).toHaveLength(spoke.filter(seat => seat === id).length)
    expect(read(id)).not.toContain('texts of others')
  }
  expect(marked(promptOf(played, one => one.type === 'make-statement' && one.turn === 2))).toHaveLength(1)
  expect(marked(promptOf(played, one => one.type === 'judge'))).toEqual([])
})

test('[P73] sides have no number, and the judge’s two orders differ only in which position is introduced first', () => {
  const { prompts } = course([three])
  for (const { command, prompt } of prompts)
    if (command.type !== 'write-report')
      expect(JSON.stringify([prompt.user, prompt.shape])).not.toMatch(
        /(?:first|second) (?:position|side|one)\b/,
      )
  const [one, other] = ([0, 1] as const).map(order => {
    const found = prompts.find(({ command }) => command.type === 'judge' && command.order === order)!
    return { ...found.prompt, user: found.prompt.user.join('\n').replaceAll(/[0-9a-f]{16}/g, '') }
  })
  expect(one!.shape).toEqual(other!.shape)
  const lines = [one, other].map(prompt => prompt!.user.split('\n'))
  const differ = lines[0]!.flatMap((line, index) => (line === lines[1]![index] ? [] : [index]))
  expect(differ).toHaveLength(2)
  expect(lines[0]![differ[0]!]).toBe(lines[1]![differ[1]!])
  expect(lines[0]!.toSorted()).toEqual(lines[1]!.toSorted())
})

test('[P74] an advocate that concedes ends the hearing, and the table votes next', () => {
  const sealed = table({ seats: 5, question: yesOrNo, rounds: 2, protocol: 'cross-examination' }).round(
    0,
    three,
  )
  const [turn] = crossExamination().next(sealed.session) as [Command & { type: 'make-statement' }]
  const reply = { argument: 'They are right: it folds.', question: null, stance: 'concede' }
  const said = statement.read(reply, sealed.session, turn)
  expect(said).toMatchObject({ said: { concedes: true } })
  const conceded = sealed.and(said as Happening)
  expect(
    crossExamination()
      .next(conceded.session)
      .map(({ type }) => type),
  ).toEqual(['open-round', 'judge', 'judge'])
  const { prompts, log } = play(crossExamination(), conceded, { said: () => 'Yes' })
  expect(prompts.map(({ command }) => command.type)).not.toContain('make-statement')
  expect(prompts[0]?.prompt.user.join('\n')).toContain('It grants that the other position is right.')
  const [between] = betweenRoundsOf(
    log.session.roundsSoFar[0]!,
    namesIn(log.session, log.session.roundsSoFar[0]!),
  )
  expect(between?.words).toContain('Concedes: the other side is right.')
  for (const stance of ['maintain', undefined])
    expect(statement.read({ ...reply, stance }, sealed.session, turn)).not.toHaveProperty('said.concedes')
})

test('[P51] a judge rules by the letter of an advocate, and its reservations stay with its words', () => {
  const { log } = course([three])
  const command = { type: 'judge', round: 0, order: 1 } as const
  const [first] = sidesOf(log.session, log.session.roundsSoFar[0]!)!
  const letter = log.session.seats.find(({ id }) => id === first.advocate)!.alias
  const ruled = ruling.read(
    { reason: 'It answered.', reservations: 'Nobody showed a source.', holds: letter },
    log.session,
    command,
  )
  expect(ruled).toMatchObject({
    camp: first.camp.id,
    words: 'It answered. Reservations: Nobody showed a source.',
  })
  expect(ruling.read({ reason: '', holds: 'neither' }, log.session, command)).toMatchObject({ camp: null })
  expect(ruling.read({ reason: '', holds: 'first' }, log.session, command)).toHaveProperty('problem')
})
