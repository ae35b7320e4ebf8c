/** A table's number in words: rounded, with its range, and what counts as the same. */
import type { Figure } from '../aggregation/figure.ts'
import type { Tolerance } from '../camps/tolerance.ts'
import { numbersText, numberText } from './values.ts'

/** "about 85 km (answers from 80 to 100 km)" */
export const figureText = ({ about, step, low, high, range }: Figure, unit?: string): string => {
  const value = `${step === 0 ? '' : 'about '}${numberText(about, unit)}`
  if (low === high) return value
  return `${value} (${range === 'all' ? 'answers' : 'middle half'} from ${numbersText(low, high)})`
}

const sameIf = (tolerance: Tolerance, unit?: string): string => {
  switch (tolerance.by) {
    case 'factor':
      return `that all lie within a factor of ${Math.round(tolerance.factor)}`
    case 'share':
      return `within ${numberText(tolerance.share * 100)}% of each other`
    case 'amount': {
      const { amount, given } = tolerance
      if (amount === 0) return 'that differ only by rounding'
      const size = numberText(given ? amount : Number(amount.toPrecision(2)), unit)
      return given
        ? `within ${size} of each other`
        : `within about ${size}, as far as seats would still believe,`
    }
    default:
      return tolerance satisfies never
  }
}

/** "Answers that all lie within a factor of 3 count as the same." */
export const toleranceText = (tolerance: Tolerance, unit?: string): string =>
  `Answers ${sameIf(tolerance, unit)} count as the same.`
