/** Who won others over, in words. */
import { type Pull, pullShare } from '../verdict/influence.ts'
import { percent } from './numbers.ts'

export const influenceTitle = 'Who won others over'

/** Heads of a table with a row for each seat. */
export const influenceHeads = [
  'Seat',
  'Came over to its camp, of those that could',
  'By a quote that was found',
] as const

export const grantedTitle = 'Points granted without a change of mind'

/** "GLM 4.7 granted Grok 4.20's point" */
export const grantedWords = (seat: string, by: string): string => `${seat} granted ${by}'s point`

/** "2 of 5 (40%)" */
export const wonOver = ({ adopters, exposures }: Pick<Pull, 'adopters' | 'exposures'>): string =>
  `${adopters} of ${exposures} (${percent(pullShare({ adopters, exposures }))})`

/** Seats that somebody followed, the strongest first. */
export const persuasive = <Row extends Pick<Pull, 'adopters'>>(pull: readonly Row[]): Row[] =>
  pull.filter(({ adopters }) => adopters > 0)
