/** The figures of `bench live --carry` on a terminal. */
import type { CarryShares } from '../../bench/live/carry.ts'
import { dollars } from '../../core/wording/money.ts'
import { counted, inPercent, shortNumber } from '../../core/wording/numbers.ts'
import { carryTitles } from '../../core/wording/thread-words.ts'
import type { CarryResult } from '../../trials/carry-over.ts'
import { grid } from '../terminal/grid.ts'
import { type Look, paragraph } from '../terminal/look.ts'
import { pairedCells } from './live-view.ts'

const row = (label: string, { questions, none, carried }: CarryShares): string[] =>
  questions === 0
    ? [label, '0', '–', '–', '', '', '']
    : [label, String(questions), inPercent(none), inPercent(carried), '', '', '']

const compared = (label: string, shares: CarryShares, cells: readonly string[]): string[] => [
  ...row(label, shares).slice(0, 4),
  ...cells,
]

export const carryLines = (found: CarryResult, look: Look): string[] => {
  const { questions, first, none, carried, seats, afterRight, afterWrong, spent } = found
  const cost = spent.costUsd === null ? 'cost unknown' : dollars(spent.costUsd)
  const title = ` ${counted(questions, 'question')} asked again after their first session, ${counted(found.models.length, 'seat')}; spent ${shortNumber(spent.tokens)} tokens, ${cost}`
  if (questions === 0) return [look.paint.strong(title)]
  const heads = ['', 'Questions', 'Told nothing', 'Told', 'Points', 'Only', 'p']
  const [head = '', ...lines] = grid(
    [
      heads,
      compared('Verdict', { questions, none, carried }, pairedCells(found.compared)),
      compared('Each seat', seats, pairedCells(seats.compared)),
      row('After a right verdict', afterRight),
      row('After a wrong verdict', afterWrong),
    ],
    look,
  )
  const note = [
    `How many percent were right. The first time, ${inPercent(first)} of the verdicts were.`,
    `Then the same table got the same question as a follow-up, sealed: once told nothing, once told ${carryTitles[found.carry]}.`,
    'Points above zero: carrying it over helps. They have 95% intervals from paired resamples of the questions.',
  ].join(' ')
  return [
    look.paint.strong(title),
    look.paint.strong(head),
    ...lines,
    '',
    ...paragraph(note, 1, look, look.paint.faint),
  ]
}
