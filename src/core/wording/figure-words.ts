/** A table's number in words: rounded, with its range, and what counts as the same. */
import type { Figure } from '../aggregation/figure.ts'
import type { Tolerance } from '../camps/tolerance.ts'
import { numbersText, numberText } from './values.ts'

/** "about 85 km" */
export const aboutText = ({ about, step }: Figure, unit?: string): string =>
  `${step === 0 ? '' : 'about '}${numberText(about, unit)}`

/** "about 85 km (answers from 80 to 100 km)" */
export const figureText = (figure: Figure, unit?: string): string => {
  const { low, high, range } = figure
  const value = aboutText(figure, unit)
  if (low === high) return value
  return `${value} (${range === 'all' ? 'answers' : 'middle half'} from ${numbersText(low, high)})`
}

const sameIf = (tolerance: Tolerance, unit?: string): string => {
  switch (tolerance.by) {
    case 'factor':
      return `the largest of them is at most about ${Math.round(tolerance.factor)} times the smallest`
    case 'share':
      return `they are within ${numberText(tolerance.share * 100)}% of each other`
    case 'amount': {
      const { amount, given } = tolerance
      if (amount === 0) return 'they differ only by rounding'
      const size = numberText(given ? amount : Number(amount.toPrecision(2)), unit)
      return `they are within ${given ? size : `about ${size}`} of each other${given ? '' : ', as far as seats would still believe'}`
    }
    default:
      return tolerance satisfies never
  }
}

/** "Answers count as the same if the largest of them is at most about 3 times the smallest." Older rounds have no tolerance. */
export const toleranceText = (tolerance: Tolerance | undefined, unit?: string): string =>
  `Answers count as the same if ${tolerance ? sameIf(tolerance, unit) : 'they are equal'}.`
