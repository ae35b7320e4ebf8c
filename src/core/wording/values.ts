/** The values of closed answers in words. */
import type { Answer } from '../question/answer.ts'
import type { Question } from '../question/question.ts'

/** A number without float noise, so that 0.1 + 0.2 and 0.3 are one camp, and nothing coarser. */
const tidy = (value: number): number => Number(value.toPrecision(15))

export const numberText = (value: number, unit?: string): string => {
  const size = Math.abs(value)
  const plain = size === 0 || (size >= 1e-6 && size < 1e15)
  const digits = plain
    ? tidy(value).toLocaleString('en-US', { maximumSignificantDigits: 15, useGrouping: size >= 10_000 })
    : String(tidy(value))
  return unit ? `${digits} ${unit}` : digits
}

/** "80 to 100 km", or "80 km" if both are the same. */
export const numbersText = (low: number, high: number, unit?: string): string =>
  low === high ? numberText(low, unit) : `${numberText(low)} to ${numberText(high, unit)}`

/** The value of a closed answer in words; two equal texts are one camp. */
export const valueText = (question: Pick<Question, 'format' | 'unit'>, answer: Answer): string => {
  switch (question.format) {
    case 'choice':
      return answer.choice ?? ''
    case 'ranking':
      return (answer.ranking ?? []).join(' > ')
    case 'number':
      return numberText(answer.number ?? Number.NaN, question.unit)
    case 'open':
    case 'text':
      return answer.headline
    default:
      return question.format satisfies never
  }
}
