/** The figures of `bench live` on a terminal. */
import type { AnswerMethod, MethodComparison } from '../../bench/live/measure.ts'
import { dollars } from '../../core/wording/money.ts'
import { counted, shortNumber } from '../../core/wording/numbers.ts'
import type { LiveResult } from '../../trials/live.ts'
import { grid } from '../terminal/grid.ts'
import { type Look, paragraph } from '../terminal/look.ts'

const percent = (share: number): string => (share * 100).toFixed(1)
const signed = (share: number): string => {
  const size = Math.abs(share * 100).toFixed(1)
  return Number(size) === 0 ? '0.0' : `${share < 0 ? '−' : '+'}${size}`
}

const wayRow =
  (questions: number) =>
  (way: AnswerMethod): string[] => [
    way.label,
    `${percent(way.accuracy)} (${percent(way.interval[0])}–${percent(way.interval[1])})`,
    String(way.ties),
    shortNumber(way.tokens / Math.max(1, questions)),
    way.costUsd === null ? 'unknown' : dollars(way.costUsd / Math.max(1, questions)),
  ]

const wayTable = ({ ways, questions }: LiveResult, look: Look): string[] => {
  const heads = ['Way', 'Right, %', 'Ties', 'Tokens', 'Each']
  const [head = '', ...lines] = grid([heads, ...ways.map(wayRow(questions))], look)
  return [look.paint.strong(head), ...lines]
}

/** Six digits of a p would be a claim that so few questions cannot make. */
export const probability = (p: number): string => (p < 0.001 ? '<0.001' : p.toFixed(3))

const comparedWith = (name: string): string =>
  name.startsWith('self-consistency') ? 'self-consistency' : name

const comparisonRow = (
  label: string,
  { difference, interval, won, lost, p, with: other }: MethodComparison,
): string[] => [
  label,
  comparedWith(other),
  `${signed(difference)} (${signed(interval[0])} to ${signed(interval[1])})`,
  `${won}:${lost}`,
  probability(p),
]

const comparisonTable = ({ ways }: LiveResult, look: Look): string[] => {
  const rows = ways.flatMap(way => way.against.map(one => comparisonRow(way.label, one)))
  const [head = '', ...lines] = grid([['Way', 'Against', 'Points', 'Only', 'p'], ...rows], look)
  return [look.paint.strong(head), ...lines]
}

const flipWords = ({ label, flips }: AnswerMethod): string[] =>
  flips
    ? [
        `${label}: ${flips.wrongToRight} wrong→right, ${flips.rightToWrong} right→wrong` +
          (flips.ratio === null ? '' : `, ${flips.ratio.toFixed(2)} to 1`),
      ]
    : []

const seatTable = ({ alone, anySeatRight }: LiveResult, look: Look): string[] =>
  grid(
    [
      ...[...alone]
        .sort((one, other) => other.accuracy - one.accuracy)
        .map(one => [percent(one.accuracy), one.seat]),
      [percent(anySeatRight), 'any of them'],
    ],
    look,
  )

const method = ({ best, dev }: LiveResult): string =>
  [
    `The best seat is ${best?.name}, right on ${best?.right} of the ${dev} questions that pick it and are not scored.`,
    'Equal tokens is its self-consistency: the vote of as many of its answers as fit into the tokens of that way.',
    'Points have 95 % intervals from paired resamples of the questions; "Only" counts the questions that only the one',
    'or only the other had right, and p is that of the exact test by McNemar. A tie of two counts as half right.',
    'Every debate starts from the same sealed answers.',
  ].join(' ')

export const liveLines = (found: LiveResult, look: Look): string[] => {
  const spent = `${shortNumber(found.spent.tokens)} tokens, ${found.spent.costUsd === null ? 'cost unknown' : dollars(found.spent.costUsd)}`
  const title = look.paint.strong(
    ` ${counted(found.questions, 'question')} scored, ${counted(found.seats.length, 'seat')}; spent ${spent}`,
  )
  if (found.questions === 0) return [title]
  const flips = found.ways.flatMap(flipWords)
  return [
    title,
    ...seatTable(found, look),
    '',
    ...wayTable(found, look),
    '',
    ...comparisonTable(found, look),
    '',
    ...(flips.length > 0 ? paragraph(`Flips of seats: ${flips.join('; ')}.`, 1, look) : []),
    ...paragraph(method(found), 1, look, look.paint.faint),
  ]
}
