/** Every aggregation rule. A new one is a file and a line here. */
import { borda } from './borda.ts'
import { dawidSkene } from './dawid-skene.ts'
import { logOdds } from './log-odds.ts'
import { majority } from './majority.ts'
import { meanLogOdds } from './mean-log-odds.ts'
import { geometric, middle, trimmed } from './number.ts'
import { portfolio } from './portfolio.ts'
import type { Learning, Rule } from './rule.ts'
import { schulze } from './schulze.ts'
import { sealedConfidence } from './sealed-confidence.ts'
import { surprisinglyPopular } from './surprisingly-popular.ts'
import { trajectory } from './trajectory.ts'

/** What a rule for choices needs besides one vote for each seat. */
export type Need = 'nothing' | 'rounds' | 'confidence' | 'predictions' | 'labels' | 'ballots'

export interface ChoiceEntry {
  readonly needs: Need
  create(learning: Learning): Rule
}

export const choiceRules: readonly ChoiceEntry[] = [
  { needs: 'nothing', create: majority },
  { needs: 'rounds', create: trajectory },
  { needs: 'confidence', create: sealedConfidence },
  { needs: 'labels', create: logOdds },
  { needs: 'ballots', create: dawidSkene },
  { needs: 'labels', create: portfolio },
  { needs: 'predictions', create: surprisinglyPopular },
]

export const rankingRules: readonly (() => Rule<readonly string[]>)[] = [schulze, borda]
export const numberRules: readonly (() => Rule<number>)[] = [middle, geometric, trimmed]
export const probabilityRules: readonly (() => Rule<number>)[] = [meanLogOdds]
