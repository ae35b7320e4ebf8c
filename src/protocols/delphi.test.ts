import { expect, test } from 'vitest'
import { questionOf, type Said, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { type Played, play } from '../../test/contracts/protocols-testing.ts'
import { delphi } from './delphi.ts'

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
  expect(promptOf(played, 's1', 1)).toContain('Median 12 km; the middle half from 11 to 13 km')
  expect(promptOf(played, 's1', 1)).toMatch(/"position":"above the middle half","seat":"E"/)
  expect(promptOf(played, 's1', 2)).toContain('Median 12 km; the middle half from 11 to 13 km')
  const asked = played.prompts.map(({ command }) => command.type)
  expect(new Set(asked)).toEqual(new Set(['ask-seat', 'write-report']))
  const [first] = played.log.session.roundsSoFar
  expect(first?.digest?.figures).toEqual({ kind: 'quartiles', low: 11, median: 12, high: 13 })
})

test('[P118] the group’s figures have no more digits than its middle half supports, and say the unit once', () => {
  const estimate = questionOf({ format: 'number', scale: 'log', unit: 'km' })
  const played = course([[100, 100, 102.47, 204.939, 400]], estimate, 1)
  const said = 'Median about 100 km; the middle half from 100 to 200 km'
  const group = promptOf(played, 's1', 1)
    .split('\n')
    .find(line => line.startsWith('{"group"'))
  expect(group).toContain(said)
  expect(group).not.toMatch(/102\.47|204\.9/)
  const report = played.prompts.find(({ command }) => command.type === 'write-report')!
  expect(report.prompt.user.join('\n')).toContain(said)
  const figures = { kind: 'quartiles', low: 100, median: 102.47, high: 204.939 }
  expect(played.log.session.roundsSoFar[0]?.digest?.figures).toEqual(figures)
})

test('[P119] fewer than five numbers are listed, nobody is called far away, and an argument comes with its number', () => {
  const estimate = questionOf({ format: 'number', scale: 'log', unit: 'km' })
  const prompt = promptOf(course([[100, 105, 900]], estimate, 1), 's3', 1)
  expect(prompt).toContain('The answers: 100 km, 105 km and 900 km')
  expect(prompt).not.toMatch(/middle half|far from the group/)
  expect(prompt).toMatch(/"seat":"[AB]","value":"10[05] km"/)
})

interface Line {
  readonly position: string
  readonly seats?: string
  readonly argument?: string
  readonly seat?: string
  readonly note?: string
}

const linesFor = (played: Played, seat: string): Line[] =>
  promptOf(played, seat, 1)
    .split('\n')
    .filter(line => line.startsWith('{"position"'))
    .map(line => JSON.parse(line) as Line)

test('[P70] an argument is never the reader’s own: another seat of its side is quoted, or nobody', () => {
  const played = course([['Yes', 'Yes', 'Yes', 'No']], yesOrNo)
  for (const [seat, letter] of [
    ['s1', 'A'],
    ['s2', 'B'],
    ['s3', 'C'],
  ] as const) {
    const yes = linesFor(played, seat).find(({ position }) => position === 'Yes')
    expect(yes?.argument).toBeDefined()
    expect(yes?.seat).not.toBe(letter)
  }
  const own = linesFor(played, 's4').find(({ position }) => position === 'No')
  expect(own).toMatchObject({ note: 'Yours is the only argument for it.' })
  expect(own).not.toHaveProperty('argument')
})

test('[P75] an option that nobody chose is shown as that', () => {
  const question = questionOf({ format: 'choice', options: ['Rail', 'Road', 'River'] })
  const lines = linesFor(course([['Rail', 'Road', 'Rail']], question), 's1')
  expect(lines.find(({ position }) => position === 'River')).toEqual({
    position: 'River',
    note: 'Nobody chose it.',
  })
})

test('[P71] an argument is whole, with its table and figures', () => {
  const reasoning = `The costs:\n\n| a | b |\n|---|---|\n| 1 | 0.35 |\n\nSo 0.35 it is.`
  const said = { choice: 'Yes', headline: 'Yes', reasoning }
  const lines = linesFor(course([[said, said, 'No', 'No']], yesOrNo), 's3')
  expect(lines.find(({ position }) => position === 'Yes')?.argument).toBe(reasoning)
})

test('[P40] for choices seats are told the shares, and one argument for each side whatever its size', () => {
  const lines = linesFor(course([['Yes', 'Yes', 'Yes', 'No', 'No']], yesOrNo), 's4')
  expect(lines.map(({ position, seats }) => `${position} ${seats}`).sort()).toEqual([
    'No 2 of 5',
    'Yes 3 of 5',
  ])
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
