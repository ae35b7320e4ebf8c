import { expect, test } from 'vitest'
import {
  abstained,
  questionOf,
  type Said,
  silent,
  type TestLog,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import type { Relation } from '../core/event.ts'
import { groupingOf } from './settle.ts'
import type { Level } from './tally.ts'
import { shownRound, type Verdict, verdictOf } from './verdict.ts'
import { importedLevel, shortVerdictLine } from './verdict-line.ts'

const answered = (choice: string) => ({ headline: choice, choice })
const credit = { seat: 's4', quote: 'Because of reasons', verified: true }
const many = questionOf({ format: 'choice', options: ['a', 'b', 'c', 'd'] })
const poll = (said: readonly Said[], question = many): Verdict =>
  verdictOf(table({ seats: said.length, question }).round(0, said).session)

const cases: readonly (readonly [Level, number, string | null, readonly Said[]])[] = [
  ['unanimous', 6, 'a', ['a', 'a', 'a', 'a', 'a', 'a']],
  ['unanimous', 1, 'a', ['a']],
  ['supermajority', 5, 'a', ['a', 'a', 'a', 'a', 'a', 'b']],
  ['supermajority', 5, 'a', ['a', 'a', 'a', 'a', 'a', silent()]],
  ['supermajority', 5, 'a', ['a', 'a', 'a', 'a', 'a', abstained()]],
  ['supermajority', 4, 'a', ['a', 'a', 'a', 'a', 'b', 'b']],
  ['supermajority', 2, 'a', ['a', 'a', 'b']],
  ['majority', 3, 'a', ['a', 'a', 'a', 'b', 'b']],
  ['majority', 4, 'a', ['a', 'a', 'a', 'a', silent(), silent(), silent()]],
  ['plurality', 3, 'a', ['a', 'a', 'a', 'b', 'b', 'c']],
  ['plurality', 3, 'a', ['a', 'a', 'a', 'b', silent(), abstained()]],
  ['tie', 3, null, ['a', 'a', 'a', 'b', 'b', 'b']],
  ['tie', 2, null, ['a', 'a', 'b', 'b', 'c']],
  ['tie', 1, null, ['a', 'b']],
  ['tie', 1, null, ['a', 'b', silent()]],
  ['tie', 2, null, ['a', 'a', 'b', 'b', silent()]],
  ['split', 1, null, ['a', 'b', 'c']],
  ['split', 1, null, ['a', 'b', 'c', silent()]],
  ['no-quorum', 3, null, ['a', 'a', 'a', silent(), silent(), abstained()]],
  ['no-quorum', 1, null, ['a', silent()]],
  ['no-quorum', 0, null, [silent(), silent()]],
]

test.each(cases)('[V3] %s: %i agree, %s leads, in %j', (level, agree, leading, said) => {
  expect(poll(said)).toMatchObject({ level, agree, leading, of: said.length })
})

test('[V4] silent and abstained seats stay in the count and never agree', () => {
  const verdict = poll(['a', 'a', 'a', silent(), abstained()])
  expect(verdict).toMatchObject({ level: 'majority', agree: 3, of: 5, answered: 3, dissent: [] })
  expect(verdict.final).toMatchObject({ silent: ['s4'], abstained: ['s5'] })
})

test('[V5] a member with a caveat makes unanimity a qualified one', () => {
  const open = table({ seats: 2 }).round(0, ['Build', 'Build, if cheap']).labels(0, ['a', 'a'])
  expect(verdictOf(open.settle('same').session)).toMatchObject({
    level: 'unanimous',
    line: 'Both models agreed',
  })
  expect(verdictOf(open.settle('same with a caveat').session)).toMatchObject({
    level: 'unanimous-with-caveats',
    line: 'Both models agreed, 1 with caveats',
  })
  expect(verdictOf(open.settle('different').session)).toMatchObject({ level: 'tie', leading: null })
  const three = table({ seats: 3 }).round(0, ['Build', 'Build, if cheap', 'Never']).labels(0, ['a', 'a', 'b'])
  expect(verdictOf(three.settle('same with a caveat').session).line).toBe(
    '2 of 3 models agreed, 1 with caveats',
  )
})

test('[V72] labels with commas and full stops are told apart in the line', () => {
  const log = table({ seats: 2 }).round(0, ['Yes.', 'No.']).labels(0, ['Yes, start.', 'No, wait.'])
  expect(verdictOf(log.settle('different').session).line).toBe('Tie: 1 for “Yes, start”, 1 for “No, wait”')
})

test('[V50] answers that differ but deny nothing are never agreement, and the line says what they are', () => {
  const letters = ['Be honest', 'Owe us nothing', 'Look at people first', 'Check yourself', 'Ask', 'Wait']
  const verdictFor = (count: number, labels: readonly string[], relation: Relation) => {
    const log = table({ seats: count }).round(0, letters.slice(0, count)).labels(0, labels)
    const pairs = groupingOf(log.session, log.session.roundsSoFar[0]!).unrelated
    const checks = pairs.map(pair => ({ ...pair, relation }))
    return verdictOf(log.settle(relation).and({ type: 'memberships-checked', round: 0, checks }).session)
  }
  expect(verdictFor(6, Array(6).fill('write a letter'), 'compatible')).toMatchObject({
    level: 'split',
    agree: 1,
    leading: null,
    line: 'Split: 6 models, 6 different answers, none denies another',
    final: { compatible: { length: 15 } },
  })
  expect(verdictFor(2, ['a', 'b'], 'compatible').line).toBe('Tie: 1 for a, 1 for b, neither denies the other')
  expect(verdictFor(2, ['a', 'b'], 'different')).toMatchObject({ line: 'Tie: 1 for a, 1 for b' })
  expect(verdictFor(2, ['a', 'b'], 'different').final).not.toHaveProperty('compatible')
})

test('[V50] an answer beside the leading one that does not deny it is named so', () => {
  const log = table({ seats: 3 })
    .round(0, ['Build', 'Do build', 'Paint it'])
    .labels(0, ['a', 'a', 'b'])
    .settle('same')
  const related = (relation: Relation) => verdictOf(log.check(0, 's3', 's1@0', relation).session).line
  expect(related('compatible')).toBe('2 of 3 models agreed; the other answer does not deny theirs')
  expect(related('different')).toBe('2 of 3 models agreed')
})

test.each<readonly [string, readonly Said[]]>([
  ['All 6 models agreed', ['Yes', 'Yes', 'Yes', 'Yes', 'Yes', 'Yes']],
  ['5 of 6 models agreed', ['Yes', 'Yes', 'Yes', 'Yes', 'Yes', 'No']],
  [
    'All 5 models that answered agreed; Mistral Medium 3.1 was silent (timed out)',
    ['Yes', 'Yes', 'Yes', 'Yes', 'Yes', silent('timeout')],
  ],
  ['All 5 models that answered agreed; GLM 4.7 abstained', [abstained(), 'No', 'No', 'No', 'No', 'No']],
  [
    '4 of 6 models agreed; Mistral Medium 3.1 was silent (server error)',
    ['Yes', 'Yes', 'Yes', 'Yes', 'No', silent('server-error')],
  ],
  ['Tie: 3 for Yes, 3 for No', ['Yes', 'Yes', 'Yes', 'No', 'No', 'No']],
  ['Tie: 3 for Yes, 3 for No', ['No', 'Yes', 'No', 'Yes', 'No', 'Yes']],
  [
    'No majority: 3 for Yes, 2 for No; Mistral Medium 3.1 was silent (rate limited)',
    ['Yes', 'No', 'Yes', 'No', 'Yes', silent('rate-limit')],
  ],
  [
    'No quorum: 1 of 3 models answered; Gemini 3.5 Flash was silent (empty reply), Grok 4.20 was silent (timed out)',
    ['Yes', silent('empty'), silent()],
  ],
  ['The only model answered', ['Yes']],
])('[V6] the line is %j', (line, said) => {
  expect(poll(said, yesOrNo).line).toBe(line)
})

test('[V6] without a majority, the line has the combined value of rankings and numbers', () => {
  const number = questionOf({ format: 'number', unit: 'km' })
  expect(poll([10, 20, 60], number).line).toBe(
    'Split: 3 models, 3 different answers; about 20 km (answers from 10 to 60)',
  )
  const ranking = questionOf({ format: 'ranking', options: ['a', 'b'] })
  expect(
    poll(
      [
        ['b', 'a'],
        ['a', 'b'],
      ],
      ranking,
    ).line,
  ).toBe('Tie: 1 for b > a, 1 for a > b; combined: a = b')
})

test('[V7] the sealed tally is kept beside the final one', () => {
  const log = table({ seats: 3, question: yesOrNo })
    .round(0, ['Yes', 'No', 'No'])
    .round(1, ['No', 'No', silent()])
  const verdict = verdictOf(log.session)
  expect(verdict.sealed).toMatchObject({ round: 0, level: 'supermajority', agree: 2, answered: 3 })
  expect(verdict.final).toMatchObject({ round: 1, answered: 2, silent: ['s3'] })
})

const flip = (verified?: boolean): Said => ({
  headline: 'Yes',
  choice: 'Yes',
  ...(verified !== undefined && { credit: { seat: 's1', quote: 'the bridge carries', verified } }),
})
const herd = (...flips: Said[]): TestLog =>
  table({ seats: 6, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'Yes', 'Yes', 'No', 'No'])
    .round(1, ['Yes', 'Yes', 'Yes', 'Yes', ...flips])

test('[V8] more than half of the flips to the leading camp citing nothing that checks out is herding', () => {
  for (const [log, agree] of [
    [herd(flip(), flip()), 6],
    [herd(flip(false), flip()), 6],
  ] as const) {
    const verdict = verdictOf(log.session)
    expect(verdict.flags).toContain('herding')
    expect(verdict).toMatchObject({ agree, leading: 'Yes', rule: 'majority' })
    expect(verdict.line).toMatch(/ agreed; herding: the sealed vote was 4 of 6 for Yes(;|$)/)
  }
})

test('[V65] one seat that follows the majority is no herd', () => {
  for (const open of [
    [flip(), 'No'],
    [flip(), silent()],
    [flip(false), 'No'],
  ]) {
    const verdict = verdictOf(herd(...open).session)
    expect(verdict.flags).not.toContain('herding')
    expect(verdict.line).not.toContain('herding')
  }
  const twice = table({ seats: 4, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'Yes', 'No'])
    .round(1, ['Yes', 'Yes', 'Yes', 'Yes'])
    .round(2, ['Yes', 'Yes', 'Yes', 'No'])
    .round(3, ['Yes', 'Yes', 'Yes', 'Yes'])
  expect(verdictOf(twice.session).flags).not.toContain('herding')
})

test('[V66] once a session is over, the round that was counted is shown, and until then the latest', () => {
  const begun = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No']).round(1, ['No'])
  expect(shownRound(begun.session)?.index).toBe(1)
  const over = begun.stop('budget').and({ type: 'session-finished', outcome: 'budget' })
  expect(shownRound(over.session)?.index).toBe(0)
  expect(verdictOf(over.session).final?.round).toBe(0)
})

test('[V51] the line of a table that herded says what the sealed vote was, and can be read back', () => {
  const line = (sealed: Said[], last: Said[]): string =>
    verdictOf(table({ seats: sealed.length, question: yesOrNo }).round(0, sealed).round(1, last).session).line
  expect(line(['Yes', 'Yes', 'No'], ['No', 'No', 'No'])).toBe(
    'All 3 models agreed; herding: the sealed vote was 2 of 3 for Yes',
  )
  expect(line(['Yes', 'Yes', 'No', 'No'], ['Yes', 'Yes', 'Yes', 'Yes'])).toBe(
    'All 4 models agreed; herding: the sealed vote was a tie: 2 for Yes, 2 for No',
  )
  const few: Said[] = ['Yes', 'No', 'No', silent(), silent(), silent()]
  expect(line(few, ['Yes', 'Yes', 'Yes', 'Yes', silent(), silent('timeout')])).toMatch(
    /; herding: the sealed vote had no quorum; .* was silent/,
  )
  const numbers = table({ seats: 3, question: questionOf({ format: 'number' }) })
    .round(0, [1, 2, 3])
    .round(1, [5, 5, 3])
  expect(verdictOf(numbers.session).line).toMatch(
    /^2 of 3 models agreed; .*; herding: the sealed vote was split: 3 models, 3 different answers; .*2/,
  )
  expect(importedLevel(line(['Yes', 'Yes', 'No'], ['No', 'No', 'No']), 3)).toEqual({
    level: 'unanimous',
    agree: 3,
  })
})

test('[V8] flips that cite words that check out aren’t herding, and half isn’t more than half', () => {
  for (const log of [herd(flip(true), flip(true)), herd(flip(true), flip())]) {
    expect(verdictOf(log.session)).toMatchObject({ level: 'unanimous', flips: 2, flags: [] })
  }
  expect(verdictOf(herd('No', 'No').session)).toMatchObject({ level: 'supermajority', flips: 0, flags: [] })
})

test('[V8] flips away from the leading camp aren’t herding', () => {
  const log = table({ seats: 5, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'Yes', 'Yes', 'No'])
    .round(1, ['Yes', 'Yes', 'Yes', 'No', 'No'])
  expect(verdictOf(log.session)).toMatchObject({ level: 'majority', agree: 3, flips: 1, flags: [] })
})

test('[V9] leaving a camp that the challenger objected to isn’t herding', () => {
  const sealed = table({ seats: 5, question: yesOrNo }).round(0, ['Yes', 'Yes', 'Yes', 'Yes', 'No'])
  const turned: Said[] = ['No', 'No', 'No', 'Yes', 'No']
  const challenged = sealed
    .and({ type: 'challenge-made', round: 0, objection: 'It carries nothing.' })
    .round(1, turned)
  expect(verdictOf(challenged.session)).toMatchObject({ leading: 'No', agree: 4, flags: [] })
  expect(verdictOf(sealed.round(1, turned).session).flags).toEqual(['herding'])
})

test('[V10] a session that was stopped is judged by its last round with a quorum', () => {
  const sealed = table({ seats: 4, question: yesOrNo }).round(0, ['Yes', 'Yes', 'Yes', 'No'])
  const verdict = verdictOf(sealed.round(1, ['No', silent('cancelled'), silent('cancelled')]).stop().session)
  expect(verdict).toMatchObject({ level: 'supermajority', agree: 3, flips: 0, flags: ['interrupted'] })
  expect(verdict.final?.round).toBe(0)
  const later = verdictOf(sealed.round(1, ['No', 'No', 'No', silent('budget')]).stop('budget').session)
  expect(later.final?.round).toBe(1)
  expect(later.flags).toContain('budget reached')
  expect(verdictOf(table({ seats: 2 }).stop().session)).toMatchObject({ level: 'no-quorum', agree: 0 })
})

test('[V11] flags say what a reader should know', () => {
  const seats = table({ seats: 2 }).session.seats.map(seat => ({ ...seat, scripted: true }))
  const log = table({ seats, moderator: 'zai/glm-4.7' })
    .round(0, ['Build', { headline: 'Bauen', drifted: true }])
    .labels(0, ['a', 'a'], ['a', 'b'])
    .settle()
    .and({ type: 'report-written', report: { answer: 'Build.', summary: 'So.' }, by: 'code' })
  expect(verdictOf(log.session).flags).toEqual([
    'contested grouping',
    'language drift',
    'moderator on panel',
    'report by code',
    'scripted seats',
  ])
  expect(verdictOf(table({ seats: 2, moderator: null }).round(0, ['Build', 'Never']).session).flags).toEqual([
    'ungrouped',
  ])
})

test('[V12] an imported transcript keeps its own line', () => {
  const imported = { from: 'transcript' as const, line: '5 of 6 models agreed', changed: [] }
  const { session } = table({ imported }).round(1, ['a', 'b', 'c', 'd', 'e', 'f'])
  expect(verdictOf(session)).toMatchObject({ level: 'supermajority', agree: 5, leading: null, flags: [] })
})

test.each(cases.filter(([, , , said]) => said.length > 1))(
  '[V12] a line that was written as %s is read back as that',
  (level, agree, _, said) => {
    const claimed = importedLevel(poll(said).line, said.length)
    expect(claimed.level).toBe(level)
    if (level !== 'no-quorum') expect(claimed.agree).toBe(agree)
  },
)

test('[V90] two that agree are both, and older lines of transcripts are read as before', () => {
  expect(poll(['a', 'a']).line).toBe('Both models agreed')
  expect(poll(['a', 'a', silent()]).line).toMatch(/^Both models that answered agreed; /)
  expect(poll(['a', 'a', 'a']).line).toBe('All 3 models agreed')
  const agreed = { level: 'unanimous', agree: 2 }
  for (const line of ['Both models agreed', 'Both seats agreed', 'All 2 models agreed'])
    expect(importedLevel(line, 2)).toEqual(agreed)
  expect(importedLevel('Both models that answered agreed', 3)).toEqual({ level: 'supermajority', agree: 2 })
  expect(importedLevel('Both models agreed, 1 with caveats', 2).level).toBe('unanimous-with-caveats')
})

test('[V12] a line that we didn’t write has no level', () => {
  expect(importedLevel('They mostly agreed', 6)).toEqual({ level: null, agree: 0 })
})

test('[V15] a round that is still being answered isn’t a vote: the last closed one counts', () => {
  const { session } = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No']).round(1, ['No'])
  expect(verdictOf(session)).toMatchObject({ level: 'supermajority', agree: 2, final: { round: 0 } })
})

const swings: readonly (readonly [string, readonly (readonly Said[])[]])[] = [
  [
    'All 6 models agreed; a swing: all 6 said Yes after open round 1, now all 6 say No; herding: the sealed vote was 4 of 6 for Yes',
    [['Yes', 'Yes', 'Yes', 'Yes', 'No', 'No'], Array(6).fill('Yes'), Array(6).fill('No')],
  ],
  [
    '4 of 5 models agreed; a swing: 3 of 5 said Yes after the sealed round, now 4 of 5 say No',
    [
      ['Yes', 'Yes', 'Yes', 'No', 'No'],
      [{ ...answered('No'), credit }, { ...answered('No'), credit }, 'Yes', 'No', 'No'],
    ],
  ],
  // Fewer than most had said otherwise, or nobody changed its mind.
  [
    'All 4 models agreed; herding: the sealed vote was a tie: 2 for Yes, 2 for No',
    [
      ['Yes', 'Yes', 'No', 'No'],
      ['No', 'No', 'No', 'No'],
    ],
  ],
  [
    '3 of 4 models agreed',
    [
      ['Yes', 'Yes', 'Yes', 'No'],
      ['Yes', 'Yes', 'Yes', 'No'],
    ],
  ],
]

test.each(swings)('[V433] if most of the table once said otherwise, the line says so: %s', (line, rounds) => {
  const log = rounds.reduce(
    (one, all, index) => one.round(index, all),
    table({ seats: rounds[0]!.length, question: yesOrNo }),
  )
  const { session } = log.and({ type: 'session-finished', outcome: 'verdict' })
  expect(verdictOf(session).line).toBe(line)
  expect(shortVerdictLine(session, verdictOf(session))).toBe(line)
})

test.each<readonly [string, readonly number[]]>([
  ['3 against 3', [3, 3]],
  ['2 against 2 against 2', [2, 2, 2]],
  ['17 against 17 for the lead, then 16', [17, 17, 16]],
  ['2 against 2 for the lead, then 1 and 1', [2, 2, 1, 1]],
])('[V434] a tie is told with as many sides as share the lead: %s', (words, sizes) => {
  const said = sizes.flatMap((size, at) => Array<string>(size).fill(many.options[at]!))
  const { session } = table({ seats: said.length, question: many }).round(0, said)
  expect(shortVerdictLine(session, verdictOf(session))).toBe(words)
})

test('[V83] of numbers that differ, the median comes first', () => {
  const { session } = table({
    seats: 4,
    question: questionOf({ format: 'number', unit: 'km (road)' }),
  }).round(0, [...[10, 10, 400, 900]])
  expect(shortVerdictLine(session, verdictOf(session))).toMatch(
    /^Median (about )?\d+ km \(road\); 2 of 4 models gave the same number$/,
  )
})
