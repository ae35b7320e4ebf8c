/** The tables of `bench replay` for debates on a terminal. */

import type { Directions } from '../../bench/debates/changes.ts'
import type { Against, PoolFigures, SetFigures } from '../../bench/debates/figures.ts'
import type { DebateReplay } from '../../bench/debates/replay.ts'
import { levelWords } from '../../core/wording/level-words.ts'
import { counted, inPercent, signedPoints, wholeNumber } from '../../core/wording/numbers.ts'
import { grid } from '../terminal/grid.ts'
import { hanging, type Look, paragraph } from '../terminal/look.ts'

const table = (heads: readonly string[], rows: readonly (readonly string[])[], look: Look): string[] => {
  const [head = '', ...lines] = grid([heads, ...rows], look)
  return [look.paint.strong(head), ...lines]
}

/** "+0.43 (+0.08 to +0.77) ✓": the mark says that zero isn't in the interval. */
const interval = ({ mean, low, high }: Against): string => {
  const mark = low > 0 ? ' ✓' : high < 0 ? ' ✗' : ''
  return `${signedPoints(mean, 2)} (${signedPoints(low, 2)} to ${signedPoints(high, 2)})${mark}`
}

const directions = ({ better, worse, other }: Directions): string => `${better} : ${worse} : ${other}`

/** Of many rounds only the sealed and the last one fit. */
const rounds = (byRound: readonly number[]): string => {
  const shares = byRound.map(share => inPercent(share))
  return shares.length > 3 ? `${shares[0]} … ${shares.at(-1)}` : shares.join(' ')
}

const setTable = (sets: readonly SetFigures[], look: Look): string[] =>
  table(
    ['Set', 'Sessions', 'Seats', 'By round, %', 'Flips'],
    sets.map(set => [
      set.name,
      wholeNumber(set.sessions),
      String(set.seats),
      rounds(set.byRound),
      directions(set.flips),
    ]),
    look,
  )

const ruleTable = ({ rules }: PoolFigures, look: Look): string[] =>
  table(
    ['Rule', 'Right, %', 'Against last, points', 'Ties', 'Made'],
    rules.map(rule => [
      rule.name,
      inPercent(rule.accuracy),
      rule.name === 'last' ? '–' : interval(rule.againstLast),
      wholeNumber(rule.ties),
      wholeNumber(rule.tiesMade),
    ]),
    look,
  )

const decimals = (value: number): string => value.toFixed(4).replace('-', '−')

const brierTable = ({ rules }: PoolFigures, look: Look): string[] =>
  table(
    ['Rule', 'Right, %', 'Brier', 'Brier against last'],
    rules.map(({ name, accuracy, brier = 0, brierAgainstLast: { mean, low, high } = zero }) => [
      name,
      inPercent(accuracy),
      decimals(brier),
      name === 'last' ? '–' : `${decimals(mean)} (${decimals(low)} to ${decimals(high)})`,
    ]),
    look,
  )

const zero: Against = { mean: 0, low: 0, high: 0 }

/** Only differences whose interval leaves zero out: the others are in the document and on the page. */
const sourceLines = ({ sources }: DebateReplay, { kind }: PoolFigures, look: Look): string[] =>
  sources
    .filter(source => source.kind === kind)
    .flatMap(({ name, sessions, last, rules }) => {
      const certain = rules.filter(({ againstLast: { low, high } }) => low > 0 || high < 0)
      const found = certain.map(rule => `${rule.name} ${interval(rule.againstLast)}`).join(', ')
      const facts = `${counted(sessions, 'session')}, last ${inPercent(last)}%`
      return hanging(`${name}:`, `${facts}; ${found || 'no certain difference'}`, 1, look)
    })

const poolLines = (replay: DebateReplay, pool: PoolFigures, look: Look): string[] => [
  look.paint.strong(
    ` ${counted(pool.sets, 'set')} of ${pool.kind}, ${counted(pool.sessions, 'session')}: ` +
      `sealed ${inPercent(pool.sealed)}% right, last ${inPercent(pool.last)}%`,
  ),
  ` Flips ${directions(pool.flips)}, overturned leaders ${directions(pool.overturned)}`,
  ...(pool.kind === 'votes' ? ruleTable(pool, look) : brierTable(pool, look)),
  ...sourceLines(replay, pool, look),
  '',
  ...(pool.splits.length > 0 ? [...splitTable(pool, look), ''] : []),
]

const splitTable = ({ splits }: PoolFigures, look: Look): string[] =>
  table(
    ['Sealed vote', 'Sessions', 'Sealed right, %', 'Last right, %'],
    splits.map(({ level, sessions, sealed, last }) => [
      levelWords[level],
      wholeNumber(sessions),
      inPercent(sealed),
      `${inPercent(last.mean)} (${inPercent(last.low)}–${inPercent(last.high)})`,
    ]),
    look,
  )

const choiceText = ({ choice }: DebateReplay): string[] => {
  if (!choice) return []
  const out = choice.excluded.map(({ rule, reason }) => `${rule} ${reason}`).join('; ')
  const heldOut = choice.heldOut.map(({ source, rule, againstLast }) =>
    rule === 'last' ? `${source}: last` : `${source}: ${rule} (${signedPoints(againstLast.mean, 2)})`,
  )
  return [
    `By the criterion of decision 28, these sets choose: ${choice.rule}. Best of the rules that are left: ${choice.best}. Out: ${out || 'none'}.`,
    `Chosen on all other sources, and its difference to the last vote on the one named: ${heldOut.join(', ')}.`,
  ]
}

const method = ({ pooled, resamples, parts }: DebateReplay): string =>
  'Flips and overturned leaders are wrong to right : right to wrong : wrong to another wrong answer. ' +
  `Ranges are 95% intervals from ${wholeNumber(resamples)} paired resamples of ${pooled.resampled}; ✓ ✗ zero is outside. ` +
  'Sources are resampled by sessions. Ties made are those that the last vote decides. A tie of two counts as half right. ' +
  'A session that nobody answered in its last round is wrong for every rule. ' +
  `A probability is right if it is on the right side of 50%; exactly 50% is a tie. ${parts}`

export const debateLines = (replay: DebateReplay, look: Look): string[] => [
  ...setTable(replay.sets, look),
  '',
  ...[replay.pooled, ...(replay.probabilities ? [replay.probabilities] : [])].flatMap(pool =>
    poolLines(replay, pool, look),
  ),
  ...[...choiceText(replay), method(replay)].flatMap(text => paragraph(text, 1, look, look.paint.faint)),
]
