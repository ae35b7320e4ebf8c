/** Who won others over, in words. */
import type { Pull } from '../verdict/influence.ts'

export const influenceTitle = 'Who won others over'

/** Heads of a table with a row for each seat. */
export const influenceHeads = [
  'Seat',
  'Joined its camp after reading it',
  'By a quote that was found',
] as const

export const grantedTitle = 'Points granted without a change of mind'

/** "GLM 4.7 granted Grok 4.20's point" */
export const grantedWords = (seat: string, by: string): string => `${seat} granted ${by}'s point`

/** "2 of 5": those of other camps who read it and then joined, of all who could. Each open round is a chance of its own. */
export const wonOver = ({ adopters, exposures }: Pick<Pull, 'adopters' | 'exposures'>): string =>
  `${adopters} of ${exposures}`

/** Seats that somebody followed, the strongest first. */
export const persuasive = <Row extends Pick<Pull, 'adopters'>>(pull: readonly Row[]): Row[] =>
  pull.filter(({ adopters }) => adopters > 0)
