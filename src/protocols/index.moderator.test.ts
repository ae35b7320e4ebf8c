import { describe, expect, test } from 'vitest'
import { questionOf, seatsOf, type TestLog, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import type { Digest } from '../core/event.ts'
import { roundAt } from '../core/session.ts'
import { groupingOf } from '../count/settle.ts'
import { plainDigest } from './answers.ts'
import { relationWords } from './grouping.ts'
import { type ModeratorCommand, moderatorStep } from './index.ts'

const read = ({ session }: TestLog, command: ModeratorCommand, raw: unknown) =>
  moderatorStep(command).step.read(raw, session, command)

const log = table({ seats: 3 }).round(0, [
  { headline: 'Build it', reasoning: 'It carries twelve tonnes. The river floods in spring.' },
  { headline: 'Never', reasoning: 'The budget is spent already.' },
  { headline: 'Do build it', reasoning: 'The ferry is slow, says Claude Sonnet 4.6.' },
])

const commands: readonly ModeratorCommand[] = [
  { type: 'group-answers', round: 0, pass: 0 },
  { type: 'check-membership', round: 0, seat: 's3', exemplar: 's1@0' },
  { type: 'check-memberships', round: 0, pairs: [{ seat: 's3', exemplar: 's1@0' }] },
  { type: 'write-digest', round: 0 },
  { type: 'challenge', round: 0 },
  { type: 'write-report' },
  { type: 'read-round', round: 0, parts: ['objection', 'digest'] },
]

test.each(commands)('[P18] a reply to $type that is no object is a problem, not a crash', command => {
  for (const raw of [null, 7, 'text', []]) expect(read(log, command, raw)).toHaveProperty('problem')
})

describe('labels', () => {
  const command = { type: 'group-answers', round: 0, pass: 1 } as const

  test('[P19] every seat needs a position', () => {
    const first = { ...command, pass: 0 } as const
    expect(read(log, first, { A: 'build', 'Seat B': ' never ', C: 'build' })).toEqual({
      type: 'camps-proposed',
      round: 0,
      pass: 0,
      labels: { s1: 'build', s2: 'never', s3: 'build' },
      positions: { s1: 'build', s2: 'never', s3: 'build' },
    })
    expect(read(log, command, { A: 'build', B: 'never' })).toEqual({ problem: 'no position for seat C' })
    expect(read(log, command, { A: 'build', B: '', C: 'x' })).toEqual({ problem: 'no position for seat B' })
  })

  test('[P19] the second pass is asked for no labels: the first headline of a position is its label', () => {
    const { shape } = moderatorStep(command).step.prompt(log.session, command)
    expect(shape.json.properties).not.toHaveProperty('positions')
    const found = read(log, command, { A: 'n1', B: 'n2', C: 'n1' })
    const [one, two] = [found, read(log, command, { A: 'x', B: 'y', C: 'x' })].map(
      event => (event as { labels: Record<string, string> }).labels,
    )
    expect(one).toEqual(two)
    expect(one?.s1).toBe(one?.s3)
    expect(one?.s2).toBe('Never')
  })

  test('[P19] the two passes see the headlines in opposite orders', () => {
    const order = (pass: 0 | 1) => {
      const step = { ...command, pass }
      const lines = moderatorStep(step).step.prompt(log.session, step).user.join('\n').split('\n')
      return lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line).seat as string)
    }
    expect(order(1)).toEqual(order(0).toReversed())
    expect(order(0).toSorted()).toEqual(['A', 'B', 'C'])
  })

  test('[P19] [N54] a camp whose label names a model keeps it, and is found again', () => {
    const before = table({ seats: seatsOf(4).slice(0, 4), moderator: 'lab/moderator' })
      .round(0, ['Trust Claude Sonnet 4.6', 'Never', 'Never', 'Never'])
      .labels(0, ['Trust Claude Sonnet 4.6', 'never', 'never', 'never'])
      .round(1, ['Trust Claude Sonnet 4.6', 'Never', 'Never', 'I trust it, too'])
    const step = { type: 'group-answers', round: 1, pass: 0 } as const
    expect(moderatorStep(step).step.prompt(before.session, step).user.join('\n')).toContain(
      'Trust Claude Sonnet 4.6',
    )
    expect(read(before, step, { D: 'Trust Claude Sonnet 4.6' })).toMatchObject({
      labels: { s4: 'Trust Claude Sonnet 4.6' },
      positions: { s4: 'c1' },
    })
  })

  test('[P83] a known position is named by its id, and gets a label of this round', () => {
    const later = log.labels(0, ['build', 'never', 'build']).settle().round(1, ['Build now', 'Never', 'Wait'])
    const step = { type: 'group-answers', round: 1, pass: 0 } as const
    const { user } = moderatorStep(step).step.prompt(later.session, step)
    expect(user.join('\n')).toContain('{"id":"c1","label":"build","headline":"Build it"}')
    const positions = [
      { id: 'c1', label: 'Build at once' },
      { id: 'n1', label: 'Wait a year' },
    ]
    expect(read(later, step, { A: 'c1', C: 'n1', positions })).toMatchObject({
      labels: { s1: 'Build at once', s3: 'Wait a year' },
      positions: { s1: 'c1', s3: 'n1' },
    })
    expect(read(later, step, { A: 'c1', C: 'n1', positions: [] })).toMatchObject({ labels: { s1: 'build' } })
  })

  test('[P83] grouping and checking define "same" in the same words', () => {
    const group = { type: 'group-answers', round: 0, pass: 0 } as const
    const single = { type: 'check-membership', round: 0, seat: 's3', exemplar: 's1@0' } as const
    const all = { type: 'check-memberships', round: 0, pairs: [single] } as const
    for (const one of [group, single, all])
      expect(moderatorStep(one).step.prompt(log.session, one).user.join('\n')).toContain(relationWords)
  })
})

test('[P20] a check is one of four relations', () => {
  const command = commands[1]!
  expect(read(log, command, { relation: ' Same with a caveat' })).toMatchObject({
    relation: 'same with a caveat',
  })
  expect(read(log, command, { relation: 'similar' })).toHaveProperty('problem')
  expect(read(log, command, {})).toHaveProperty('problem')
})

describe('all pairs of a round in one call', () => {
  const pairs = [
    { seat: 's2', exemplar: 's1@0' },
    { seat: 's3', exemplar: 's1@0' },
  ]
  const command = { type: 'check-memberships', round: 0, pairs } as const

  test('[P81] every pair gets its relation', () => {
    const { user, shape } = moderatorStep(command).step.prompt(log.session, command)
    expect(user.join('\n')).toContain('{"pair":"p2","first":"Build it","second":"Do build it"}')
    expect(Object.keys(shape.json.properties as object)).toEqual(['p1', 'p2'])
    expect(read(log, command, { p1: 'different', p2: 'Same' })).toEqual({
      type: 'memberships-checked',
      round: 0,
      checks: [
        { seat: 's2', exemplar: 's1@0', relation: 'different' },
        { seat: 's3', exemplar: 's1@0', relation: 'same' },
      ],
    })
  })

  test('[P82] a reply without some pairs is a problem, and what it says can still be used', () => {
    const reply = { p1: 'different', p2: 'similar' }
    expect(read(log, command, reply)).toEqual({ problem: 'no relation, or an unknown one, for p2' })
    expect(moderatorStep(command).step.salvage?.(reply, log.session, command)).toEqual({
      type: 'memberships-checked',
      round: 0,
      checks: [{ seat: 's2', exemplar: 's1@0', relation: 'different' }],
      missing: [{ seat: 's3', exemplar: 's1@0' }],
    })
  })
})

describe('digest', () => {
  const command = { type: 'write-digest', round: 0 } as const
  const digest = (position: string, ...quotes: [string, string][]) => ({
    positions: [{ position, arguments: quotes.map(([seat, quote]) => ({ seat, quote })) }],
  })

  test('[P21] an argument stays only if its seat wrote it', () => {
    const reply = digest(
      'Build',
      ['A', 'It carries twelve tonnes'],
      ['A', 'It carries twenty tonnes'],
      ['B', 'It carries twelve tonnes'],
      ['Seat c', 'The ferry is slow, says [a model]'],
      ['Z', 'It carries twelve tonnes'],
    )
    expect(read(table({ seats: 4 }).and(...log.events.slice(1)), command, reply)).toMatchObject({
      digest: {
        positions: [
          {
            arguments: [
              { seat: 's1', quote: 'It carries twelve tonnes' },
              { seat: 's3', quote: 'The ferry is slow, says Claude Sonnet 4.6' },
            ],
          },
        ],
      },
    })
    expect(read(log, command, digest('Build', ['A', 'Words that nobody wrote']))).toHaveProperty('problem')
  })

  test('[P71] a quote that is too long ends where a sentence ends, and each seat is quoted once', () => {
    const sentence = 'It carries twelve tonnes and 0.35 more. '
    const reasoning = sentence.repeat(40)
    const long = table({ seats: 2 }).round(0, [{ headline: 'Build it', reasoning }, 'Never'])
    const happened = read(long, command, digest('Build', ['A', reasoning], ['A', sentence])) as {
      digest: Digest
    }
    const [position] = happened.digest.positions
    expect(position?.arguments).toHaveLength(1)
    expect(position?.arguments[0]?.quote).toMatch(/0\.35 more\.$/)
    expect(position?.arguments[0]?.quote.length).toBeLessThanOrEqual(600)
  })

  test('[N8] a digest that counts the seats is turned down', () => {
    for (const position of [
      '2 of 3 seats say build',
      'The majority of the seats want it',
      'All seats agree on it',
    ])
      expect(read(log, command, digest(position, ['A', 'It carries twelve tonnes']))).toHaveProperty(
        'problem',
      )
  })

  test('[P22] without a moderator each camp is shown by its headline and how it begins to argue', () => {
    const { session } = log.labels(0, ['a', 'b', 'a']).settle()
    const { positions } = plainDigest(session, 0)
    expect(positions.toSorted((one, other) => one.position.localeCompare(other.position))).toEqual([
      {
        position: 'Build it',
        arguments: [{ seat: 's1', quote: 'It carries twelve tonnes. The river floods in spring.' }],
      },
      { position: 'Never', arguments: [{ seat: 's2', quote: 'The budget is spent already.' }] },
    ])
  })

  test('[N8] a plain digest gives every position as many arguments as any other', () => {
    const counts = (...said: string[]) =>
      plainDigest(table({ seats: said.length, question: yesOrNo }).round(0, said).session, 0).positions.map(
        position => position.arguments.length,
      )
    expect(counts('Yes', 'Yes', 'Yes', 'No')).toEqual([1, 1])
    expect(counts('Yes', 'Yes', 'Yes', 'No', 'No')).toEqual([2, 2])
  })

  test('[P22] a digest does not grow with the table', () => {
    const size = (seats: number) => {
      const said = Array.from({ length: seats }, (_, index) => ({
        headline: `Answer ${index}`,
        reasoning: 'word '.repeat(300),
      }))
      return JSON.stringify(plainDigest(table({ seats, moderator: null }).round(0, said).session, 0)).length
    }
    expect(size(200)).toBeLessThan(size(12) + 50)
  })
})

describe('challenge', () => {
  const command = { type: 'challenge', round: 0 } as const

  test('[P23] an objection needs a way to check it', () => {
    expect(read(log, command, { objection: 'It floods.', check: 'See the map.' })).toMatchObject({
      objection: 'It floods. (To check: See the map.)',
    })
    for (const reply of [
      { objection: null, check: null },
      { objection: 'I dislike it.', check: null },
      { objection: 'None', check: 'N/A' },
      { objection: 'No objection.', check: 'none' },
      {},
    ])
      expect(read(log, command, reply)).toMatchObject({ objection: null })
  })

  test('[N8] an objection that counts the seats is turned down', () => {
    expect(
      read(log, command, { objection: 'All three seats agree too fast.', check: 'Read.' }),
    ).toHaveProperty('problem')
  })
})

describe('report', () => {
  const command = { type: 'write-report' } as const
  const report = {
    answer: 'Yes, build it.',
    summary: 'Seats A and B looked at the river.',
    counterpoint: 'Seat C sees floods.',
  }
  const votes = (...said: string[]) => table({ seats: 3, question: yesOrNo }).round(0, said)

  test('[E6] letters become names, and the counterpoint stays if there is dissent', () => {
    expect(read(votes('Yes', 'Yes', 'No'), command, report)).toMatchObject({
      by: 'moderator',
      report: {
        answer: 'Yes, build it.',
        summary: 'GLM 4.7 and Gemini 3.5 Flash looked at the river.',
        counterpoint: 'Grok 4.20 sees floods.',
      },
    })
  })

  test('[E6] a counterpoint is left out if nobody dissents', () => {
    const written = read(votes('Yes', 'Yes', 'Yes'), command, report)
    expect(written).toMatchObject({ report: { answer: 'Yes, build it.' } })
    expect(written).not.toHaveProperty('report.counterpoint')
  })

  test('[E7] a report that contradicts the counts, or lacks a part, is turned down with the reason', () => {
    const log = votes('Yes', 'Yes', 'No')
    expect(read(log, command, { ...report, summary: 'All three models agreed.' })).toEqual({
      problem:
        'contradicts the counts: it says "All three models agreed", the verdict is "2 of 3 models agreed"',
    })
    expect(read(log, command, { ...report, answer: ' ' })).toHaveProperty('problem')
    expect(read(log, command, { summary: 'So.' })).toHaveProperty('problem')
  })

  test('[E9] the moderator is told the placeholders that can be filled in, and code fills them in', () => {
    const log = votes('Yes', 'Yes', 'No')
    const told = moderatorStep(command).step.prompt(log.session, command).user.join('\n')
    expect(told).toContain('{agreement}: ')
    expect(told).not.toContain('{moved}: ')
    const summary = '{agreement} models agreed on {leading}; {dissent} sees floods.'
    expect(read(log, command, { ...report, summary })).toMatchObject({
      report: { summary: '2 of 3 models agreed on “Yes”; Grok 4.20 sees floods.' },
    })
  })

  test('[E10] a placeholder that doesn’t exist, or has nothing to fill in, is turned down with the reason', () => {
    const log = votes('Yes', 'Yes', 'No')
    expect(read(log, command, { ...report, summary: '{majority} agreed, and {moved} moved.' })).toEqual({
      problem: "{majority} isn't a placeholder; {moved} can't be used, because nobody changed its mind",
    })
  })

  test('[E11] a placeholder that is used for something it doesn’t count is found out', () => {
    const log = votes('Yes', 'Yes', 'No')
    expect(read(log, command, { ...report, summary: '{agreement} models dissented.' })).toEqual({
      problem:
        'contradicts the counts: it says "2 of 3 models dissented", the verdict is "2 of 3 models agreed"',
    })
  })

  test('[E11] numbers in the words of the leading position are nobody’s count', () => {
    const said = 'All three models agreed in the trial.'
    const log = table({ seats: 3, moderator: null }).round(0, [said, said, 'No'])
    expect(read(log, command, { ...report, answer: '{leading}' })).toMatchObject({
      report: { answer: '“All three models agreed in the trial”' },
    })
  })

  test.each([
    ['No, it certainly is not.', 'Yes.'],
    ['Build it.', 'Yes.'],
    ['Yes and no.', 'Yes.'],
    ['Yesterday was better.', 'Yes.'],
    ['Yes – and the sooner the better.', 'Yes – and the sooner the better.'],
  ])('[E12] the answer to a choice is the leading option: %j becomes %j', (said, answer) => {
    expect(read(votes('Yes', 'Yes', 'No'), command, { ...report, answer: said })).toMatchObject({
      by: 'moderator',
      report: { answer },
    })
  })

  test('[E12] an option within the leading one isn’t another option', () => {
    const question = questionOf({ format: 'choice', options: ['Now', 'Not now'] })
    const log = table({ seats: 3, question }).round(0, ['Not now', 'Not now', 'Now'])
    const answer = 'Not now: the river floods.'
    expect(read(log, command, { ...report, answer })).toMatchObject({ report: { answer } })
  })

  test('[E12] if no option leads, the answer doesn’t single one out', () => {
    const tie = table({ seats: 2, question: yesOrNo }).round(0, ['Yes', 'No'])
    const answerOf = (answer: string) => read(tie, command, { ...report, answer })
    expect(answerOf('Yes.')).toMatchObject({ report: { answer: 'The table came to no common answer.' } })
    expect(answerOf('Neither yes nor no.')).toMatchObject({ report: { answer: 'Neither yes nor no.' } })
  })

  test('[E12] numbers and rankings are answered by their combined value', () => {
    const number = table({ seats: 3, question: questionOf({ format: 'number', unit: 'km' }) })
    const log = number.round(0, [1, 2, 9])
    expect(read(log, command, { ...report, answer: 'About 90 km.' })).toMatchObject({
      report: { answer: 'About 2 km (answers from 1 to 9).' },
    })
  })

  test('[E8] the moderator is told the verdict, and whether there is dissent', () => {
    const told = (log: TestLog) => moderatorStep(command).step.prompt(log.session, command).user.join('\n')
    expect(told(votes('Yes', 'Yes', 'No'))).toContain('{"counted":"2 of 3 models agreed"}')
    expect(told(votes('Yes', 'Yes', 'No'))).toContain('There is dissent')
    expect(told(votes('Yes', 'Yes', 'Yes'))).toContain('Nobody dissents')
    const tie = table({ seats: 2, question: yesOrNo }).round(0, ['Yes', 'No'])
    expect(told(tie)).toContain('No position leads')
  })
})

test('[P19] the moderator is only asked for headlines that are not yet in a camp', () => {
  const later = log.labels(0, ['a', 'b', 'a']).settle().round(1, ['Build it', 'Never', 'Build it at once'])
  expect(groupingOf(later.session, roundAt(later.session, 1)!).unplaced).toEqual(['s3'])
  const command = { type: 'group-answers', round: 1, pass: 0 } as const
  const { shape, user } = moderatorStep(command).step.prompt(later.session, command)
  expect(Object.keys(shape.json.properties as object)).toEqual(['reasoning', 'C', 'positions'])
  expect(user.join('\n')).toContain('Positions known so far')
})
