/** Recorded debates on the page of figures. */
import { levelWords } from '../../core/wording/level-words.ts'
import { counted, inPercent, signedPoints } from '../../core/wording/numbers.ts'
import type { PoolFigures, RuleFigures, SetFigures } from '../debates/figures.ts'
import type { DebateReplay } from '../debates/replay.ts'
import { flipPlot, roundPlot } from './debate-plots.ts'
import { escaped, intervalPlot } from './plot.ts'
import { tableOf } from './table.ts'

const barOf = ({ name, againstLast }: RuleFigures) => ({
  label: name,
  value: againstLast.mean * 100,
  interval: [againstLast.low * 100, againstLast.high * 100] as const,
})

const differencePlot = (id: string, title: string, { rules }: Pick<PoolFigures, 'rules'>): string =>
  intervalPlot(id, title, rules.filter(rule => rule.name !== 'last').map(barOf), 0)

const range = ({ low, high }: RuleFigures['againstLast'], digits = 2): string =>
  `${signedPoints(low, digits)} to ${signedPoints(high, digits)}`

const ruleRow = (rule: RuleFigures): string[] => [
  rule.name,
  inPercent(rule.accuracy),
  signedPoints(rule.againstLast.mean, 2),
  range(rule.againstLast),
  String(rule.ties),
  String(rule.tiesMade),
  ...(rule.brier === undefined ? [] : [rule.brier.toFixed(4)]),
]

const ruleTable = (caption: string, rules: readonly RuleFigures[]): string =>
  tableOf(
    caption,
    [
      'Rule',
      'Right, %',
      'Against last',
      '95%',
      'Ties',
      'Ties made',
      ...(rules[0]?.brier === undefined ? [] : ['Brier']),
    ],
    rules.map(ruleRow),
  )

const setRow = ({ name, sessions, seats, byRound, flips, overturned }: SetFigures): string[] => [
  name,
  String(sessions),
  String(seats),
  byRound.map(share => inPercent(share)).join(' '),
  `${flips.better} : ${flips.worse} : ${flips.other}`,
  `${overturned.better} : ${overturned.worse} : ${overturned.other}`,
]

const poolPart = (id: string, title: string, pool: PoolFigures): string[] => [
  differencePlot(id, `${title}: points won or lost against the last vote`, pool),
  ruleTable(`${title}: intervals from resampled ${pool.resampled}`, pool.rules),
  ...(pool.splits.length > 0 ? [splitTable(title, pool)] : []),
]

const splitTable = (title: string, { splits }: PoolFigures): string =>
  tableOf(
    `${title}: how often tables were right, by how their sealed vote was divided`,
    ['Sealed vote', 'Sessions', 'Sealed right, %', 'Last right, %', '95%'],
    splits.map(({ level, sessions, sealed, last }) => [
      levelWords[level],
      String(sessions),
      inPercent(sealed),
      inPercent(last.mean),
      `${inPercent(last.low)} to ${inPercent(last.high)}`,
    ]),
  )

const choicePart = ({ choice }: DebateReplay): string[] => {
  if (!choice) return []
  return [
    `<p>By the criterion of decision 28, these sets choose <strong>${escaped(choice.rule)}</strong>. A choice is only worth what it gains on debates that it wasn’t made on:</p>`,
    tableOf(
      'Chosen on all other sources, scored on the one named',
      ['Source', 'Rule', 'Against last', '95%'],
      choice.heldOut.map(({ source, rule, againstLast }) => [
        source,
        rule,
        signedPoints(againstLast.mean, 2),
        range(againstLast),
      ]),
    ),
    tableOf(
      'Rules that the criterion leaves out',
      ['Rule', 'Reason'],
      choice.excluded.map(({ rule, reason }) => [rule, reason]),
    ),
  ]
}

export const debatesSection = (replay: DebateReplay): string => {
  const { sets, sources, pooled, probabilities } = replay
  const sessions = sets.reduce((sum, set) => sum + set.sessions, 0)
  return [
    '<section aria-labelledby="debates"><h2 id="debates">Recorded debates</h2>',
    `<p>${counted(sessions, 'session')} in ${counted(sets.length, 'set')}. ${escaped(replay.parts)} `,
    'A tie between two answers counts as half right. A probability is right if it is on the right side of 50 %.</p>',
    roundPlot(
      'by-round',
      'How often the vote of each round is right, %: empty dot sealed, full dot last',
      sets,
    ),
    flipPlot('flips', 'Changes of mind: right to wrong (left), wrong to right (right)', sets),
    ...poolPart('pooled', `All sets of ${pooled.kind}`, pooled),
    ...(probabilities ? poolPart('probabilities', 'All sets of probabilities', probabilities) : []),
    ...choicePart(replay),
    tableOf(
      'Sets',
      ['Set', 'Sessions', 'Seats', 'Right by round, %', 'Flips', 'Overturned'],
      sets.map(setRow),
    ),
    '<h2 id="sources">By source</h2>',
    ...sources.flatMap((source, index) => [
      differencePlot(`source-${index}`, `${source.name}: points against the last vote`, source),
      ruleTable(`${source.name}: ${counted(source.sessions, 'session')}`, source.rules),
    ]),
    '</section>',
  ].join('\n')
}
