/** Figures of the group in words, for people and for seats alike. */
import { roundedQuartiles } from '../aggregation/figure.ts'
import type { Figures, Stake } from '../group/figures.ts'
import type { Question } from '../question/question.ts'
import { percent } from './numbers.ts'
import { numbersText, numberText } from './values.ts'

/** "Median about 100 km; the middle half from 100 to 400 km". */
export const figuresText = (question: Pick<Question, 'unit'>, figures: Figures): string => {
  switch (figures.kind) {
    case 'quartiles': {
      const { low, median, high } = roundedQuartiles(figures)
      const middle = `Median ${median === figures.median ? '' : 'about '}${numberText(median, question.unit)}`
      return low === high
        ? `${middle}; the whole middle half says the same`
        : `${middle}; the middle half from ${numbersText(low, high, question.unit)}`
    }
    case 'shares':
      return `Shares: ${figures.shares.map(({ position, share }) => `${position} ${percent(share)}`).join(', ')}`
    case 'places':
      return `Median places: ${figures.places.map(({ option, median }) => `${option} ${median}`).join(', ')}`
    case 'prices':
      return `Prices: ${figures.prices.map(({ option, price }) => `${option} ${price.toFixed(2)}`).join(', ')}`
    default:
      return figures satisfies never
  }
}

/** "staked 40% of its purse on Rail at 0.33" */
export const stakeText = ({ option, price, stake }: Stake): string =>
  stake === 0
    ? `staked nothing on ${option} at ${price.toFixed(2)}`
    : `staked ${percent(stake)} of its purse on ${option} at ${price.toFixed(2)}`
