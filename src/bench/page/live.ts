/** The live bench's part of the page. */
import { dollars } from '../../core/wording/money.ts'
import { counted, inPercent, wholeNumber } from '../../core/wording/numbers.ts'
import { type AnswerMethod, type LiveFigures, sealedName } from '../live/measure.ts'
import type { Spent } from '../live/spent.ts'
import { escaped, intervalPlot } from './plot.ts'
import { tableOf } from './table.ts'

/** The parts of a run that the page shows. */
export interface LivePart extends LiveFigures {
  readonly seats: readonly string[]
  readonly best: { readonly name: string; readonly right: number; readonly of: number } | null
  readonly spent: Spent
  readonly left: number
  readonly seed: string
}

const hundredfold = ([from, to]: readonly [number, number]): [number, number] => [from * 100, to * 100]
const money = (usd: number | null): string => (usd === null ? 'unknown' : usd.toFixed(4))

const wayRow =
  (questions: number) =>
  (way: AnswerMethod): string[] => [
    way.label,
    inPercent(way.accuracy),
    `${inPercent(way.interval[0])} to ${inPercent(way.interval[1])}`,
    String(way.ties),
    wholeNumber(Math.round(way.tokens / questions)),
    money(way.costUsd === null ? null : way.costUsd / questions),
    way.samples === undefined ? '–' : way.samples.toFixed(1),
  ]

const flipRow = ({ label, flips }: AnswerMethod): string[][] =>
  flips
    ? [
        [
          label,
          String(flips.wrongToRight),
          String(flips.rightToWrong),
          flips.ratio === null ? '–' : flips.ratio.toFixed(2),
        ],
      ]
    : []

const comparisons = (ways: readonly AnswerMethod[]) =>
  ways.flatMap(way =>
    way.against.map(one => ({
      label: `${way.label} − ${one.with === sealedName ? 'sealed' : 'equal tokens'}`,
      ...one,
    })),
  )

const figuresOf = ({ ways, questions }: LivePart): string[] => {
  const compared = comparisons(ways)
  const accuracies = ways.map(way => ({
    label: way.label,
    value: way.accuracy * 100,
    interval: hundredfold(way.interval),
  }))
  const differences = compared.map(({ label, difference, interval }) => ({
    label,
    value: difference * 100,
    interval: hundredfold(interval),
  }))
  return [
    intervalPlot('live-accuracy', 'How often each method is right, %', accuracies),
    intervalPlot('live-difference', 'Points won or lost against each baseline', differences, 0),
    tableOf(
      'Every method; tokens and dollars per question',
      ['Method', 'Right, %', '95%', 'Ties', 'Tokens', 'Dollars', 'Samples'],
      ways.map(wayRow(questions)),
    ),
    tableOf(
      "Paired differences, with McNemar's exact test",
      ['Method', 'Points', '95%', 'Only this right', 'Only the other right', 'p'],
      compared.map(({ label, difference, interval, won, lost, p }) => [
        label,
        inPercent(difference),
        `${inPercent(interval[0])} to ${inPercent(interval[1])}`,
        String(won),
        String(lost),
        p < 0.001 ? '<0.001' : p.toFixed(3),
      ]),
    ),
    tableOf(
      'Seats that changed, from the sealed answer to the last one',
      ['Protocol', 'Wrong to right', 'Right to wrong', 'Ratio'],
      ways.flatMap(flipRow),
    ),
  ]
}

export const liveSection = (live: LivePart): string => {
  const { questions, seats, best, spent, left, alone, anySeatRight } = live
  const rows = [
    ...alone.map(one => [one.seat, inPercent(one.accuracy)]),
    ['any of them', inPercent(anySeatRight)],
  ]
  const unfinished = left > 0 ? ` ${left} more weren't asked.` : ''
  const picked = best ? ` The best seat, ${best.name}, was chosen on ${best.of} other questions.` : ''
  return [
    '<section aria-labelledby="live"><h2 id="live">Live questions</h2>',
    `<p>${counted(questions, 'question')} scored, ${seats.length} seats: ${escaped(seats.join(', '))}.${unfinished}${escaped(picked)} `,
    `Spent in total: ${counted(spent.tokens, 'token')}, ${spent.costUsd === null ? 'cost unknown' : dollars(spent.costUsd)}. `,
    'Every debate starts from the same sealed answers. A tie between two answers counts as half right. Equal tokens: the ',
    'best seat answers as often as the same tokens allow, and its answers vote (self-consistency).</p>',
    ...(questions > 0 ? figuresOf(live) : []),
    tableOf('Each seat alone, sealed', ['Seat', 'Right, %'], rows),
    '</section>',
  ].join('\n')
}
