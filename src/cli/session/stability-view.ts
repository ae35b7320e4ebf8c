/** How stable a verdict is, on a terminal. */
import type { Stability } from '../../bench/stability.ts'
import { counted, percent, rangeText } from '../../core/wording/numbers.ts'
import { grid } from '../terminal/grid.ts'
import { type Look, paragraph, rule } from '../terminal/look.ts'
import { programName } from '../terminal/program-name.ts'

const comparison: Record<Stability['comparedBy'], string> = {
  value: 'Two runs have the same answer if the same value led.',
  headline: 'Two runs have the same answer if the leading headlines are equal: no moderator compared them.',
  moderator: 'The moderator compared the leading answers of all runs, as it compares the headlines of seats.',
}

const range = (low: number, high: number, words: (value: number) => string): string =>
  rangeText(words(low), words(high), ' to ')

export const stabilityLines = (stability: Stability, tag: string, look: Look): string[] => {
  const { runs, leaders, undecided, sameTwice, agreement, flips } = stability
  const rows = leaders.map(({ answer, runs: count, interval }) => [
    `${count} of ${runs.length}`,
    range(interval[0], interval[1], percent),
    answer,
  ])
  const none = undecided > 0 ? [[`${undecided} of ${runs.length}`, '', '(no answer led)']] : []
  const [head = '', ...lines] = grid([['Led in', '95%', 'Answer'], ...rows, ...none], look)
  const facts = [
    sameTwice === null ? '' : `Two of these runs give the same answer in ${percent(sameTwice)} of all pairs.`,
    `Agreement: ${percent(agreement.mean)} of the table on average (${range(agreement.low, agreement.high, percent)}).`,
    `Changes of mind per run: ${flips.mean.toFixed(1)} (${range(flips.low, flips.high, String)}).`,
  ]
  return [
    rule(`Stability over ${counted(runs.length, 'run')}`, look),
    look.paint.strong(head),
    ...lines,
    '',
    ...paragraph(facts.filter(Boolean).join(' '), 1, look),
    ...paragraph(
      `${comparison[stability.comparedBy]} Ranges are 95% Wilson intervals.`,
      1,
      look,
      look.paint.faint,
    ),
    ...paragraph(`Saved: ${programName()} sessions --tag ${tag}`, 1, look, look.paint.faint),
  ]
}
