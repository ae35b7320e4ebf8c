/** The figures of `bench live` on a terminal. */
import type { FormComparison } from '../../bench/live/compare-forms.ts'
import type { AnswerMethod, MethodComparison } from '../../bench/live/measure.ts'
import type { PairedDifference } from '../../bench/paired.ts'
import type { Form } from '../../core/question/form.ts'
import { costText, dollars } from '../../core/wording/money.ts'
import { counted, inPercent, shortNumber, signedPoints } from '../../core/wording/numbers.ts'
import type { LiveResult } from '../../trials/live.ts'
import { grid } from '../terminal/grid.ts'
import { type Look, paragraph } from '../terminal/look.ts'

const wayRow =
  (questions: number) =>
  (way: AnswerMethod): string[] => [
    way.label,
    `${inPercent(way.accuracy)} (${inPercent(way.interval[0])}–${inPercent(way.interval[1])})`,
    String(way.ties),
    shortNumber(way.tokens / Math.max(1, questions)),
    costText(way.costUsd === null ? null : way.costUsd / Math.max(1, questions)),
  ]

const wayTable = ({ ways, questions }: LiveResult, look: Look): string[] => {
  const heads = ['Way', 'Right, %', 'Ties', 'Tokens', 'Each']
  const [head = '', ...lines] = grid([heads, ...ways.map(wayRow(questions))], look)
  return [look.paint.strong(head), ...lines]
}

/** So few questions don't support more than three digits. */
export const probability = (p: number): string => (p < 0.001 ? '<0.001' : p.toFixed(3))

const comparedWith = (name: string): string =>
  name.startsWith('self-consistency') ? 'self-consistency' : name

export const pairedCells = ({ difference, interval, won, lost, p }: PairedDifference): string[] => [
  `${signedPoints(difference)} (${signedPoints(interval[0])} to ${signedPoints(interval[1])})`,
  `${won}:${lost}`,
  probability(p),
]

const comparisonRow = (label: string, compared: MethodComparison): string[] => [
  label,
  comparedWith(compared.with),
  ...pairedCells(compared),
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
        .map(one => [inPercent(one.accuracy), one.seat]),
      [inPercent(anySeatRight), 'any of them'],
    ],
    look,
  )

const method = ({ best, dev }: LiveResult): string =>
  [
    `The best seat is ${best?.name}: right on ${best?.right} of the ${dev} questions that chose it, which aren't scored.`,
    'Equal tokens: the best seat answers as often as the same tokens allow, and its answers vote (self-consistency).',
    'Points have 95% intervals from paired resamples of the questions. "Only" counts the questions that only one of',
    "the two got right, and p is from McNemar's exact test. A tie between two answers counts as half right.",
    'Every debate starts from the same sealed answers.',
  ].join(' ')

const formWords: Readonly<Record<Form, string>> = {
  'reasoning-first': 'reasoning first',
  'answer-first': 'answer first',
}

const formRow = (one: FormComparison): string[] => [
  one.method,
  inPercent(one.reasoningFirst),
  inPercent(one.answerFirst),
  ...pairedCells(one),
]

/** The difference between the two forms, for each method. */
export const formLines = (compared: readonly FormComparison[], look: Look): string[] => {
  const heads = ['Way', 'Reasoning', 'Answer', 'Points', 'Only', 'p']
  const [head = '', ...lines] = grid([heads, ...compared.map(formRow)], look)
  const questions = counted(compared[0]?.questions ?? 0, 'question')
  const note = `How many percent of the same ${questions} were right with the reasoning first, and with the answer first. Points above zero: reasoning first is right more often.`
  return [look.paint.strong(head), ...lines, '', ...paragraph(note, 1, look, look.paint.faint)]
}

export const liveLines = (found: LiveResult, look: Look): string[] => {
  const spent = `${shortNumber(found.spent.tokens)} tokens, ${found.spent.costUsd === null ? 'cost unknown' : dollars(found.spent.costUsd)}`
  const title = look.paint.strong(
    ` ${counted(found.questions, 'question')} scored, ${counted(found.seats.length, 'seat')}, ${formWords[found.form]}; spent ${spent}`,
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
