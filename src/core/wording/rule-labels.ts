/** What the rules that count votes are called, and what those that were not used would have said. */
import type { Verdict } from '../verdict/verdict.ts'

const ruleLabels: Readonly<Record<string, string>> = {
  majority: 'plain vote of the last round',
  'sealed-majority': 'plain vote of the sealed round',
  trajectory: 'trajectory vote (sealed once, all open rounds once)',
  'sealed-confidence': 'votes weighted by sealed confidence',
  'log-odds': 'votes weighted by track record',
  'surprisingly-popular': 'surprisingly popular answer',
  schulze: 'Schulze order of the last round',
  'sealed-schulze': 'Schulze order of the sealed round',
  borda: 'Borda count',
  median: 'median of the last round',
  'sealed-median': 'median of the sealed round',
  geometric: 'geometric mean',
  trimmed: 'trimmed mean',
  'mean-log-odds': 'mean log-odds',
}

export const ruleLabel = (rule: string): string => ruleLabels[rule] ?? rule

export interface OtherText {
  readonly rule: string
  readonly answer: string
}

export const othersOf = ({ others }: Pick<Verdict, 'others'>): OtherText[] =>
  others.map(({ rule, answer }) => ({ rule: ruleLabel(rule), answer: answer ?? 'a tie' }))
