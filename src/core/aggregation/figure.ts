/** The number that a table gives as its answer: no more digits than the spread of the answers supports. */
import { lastPlace } from '../question/last-place.ts'
import { median, type Quartiles, quartilesOf } from './number.ts'

export interface Figure {
  /** The median, rounded. */
  readonly about: number
  /** To a multiple of this. Zero: it isn't rounded, because the answers are the same. */
  readonly step: number
  /** Where most answers lie. */
  readonly low: number
  readonly high: number
  /** With few answers, all of them; otherwise the middle half. */
  readonly range: 'all' | 'middle half'
}

/** From so many answers on, a few of them don't stretch the range. */
const enoughForHalf = 5

/** The largest of …, 0.5, 1, 5, 10, 50, … that isn't above the limit. */
const niceStep = (limit: number): number => {
  const power = 10 ** Math.floor(Math.log10(limit))
  return limit >= 5 * power ? 5 * power : power
}

/**
 * Half of the spread decides the step. It isn't finer than the answers themselves, and never so coarse that
 * the median moves by more than a twentieth: 120 isn't "about 100".
 */
const stepFor = (values: readonly number[], middle: number, spread: number): number => {
  if (spread === 0) return 0
  const finest = Math.min(...values.filter(value => value !== 0).map(lastPlace))
  const coarsest = middle === 0 ? Infinity : niceStep(Math.abs(middle) / 10)
  return Math.min(Math.max(niceStep(spread / 2), finest), Math.max(coarsest, finest))
}

export const roundedTo = (step: number, value: number): number =>
  step === 0 ? value : Number((Math.round(value / step) * step).toPrecision(12))

/** The end of a range, rounded. What isn't zero doesn't become zero. */
const endRounded = (step: number, value: number): number =>
  roundedTo(step, value) || Number(value.toPrecision(1))

/** The figures of a group with no more digits than its middle half supports. */
export const roundedQuartiles = ({ low, median: middle, high }: Quartiles): Quartiles => {
  const step = stepFor([low, middle, high], middle, high - low)
  return { low: endRounded(step, low), median: roundedTo(step, middle), high: endRounded(step, high) }
}

/** Undefined if there are no values. */
export const figureOf = (values: readonly number[], scale: 'linear' | 'log'): Figure | undefined => {
  const middle = median(values, scale)
  const quartiles = quartilesOf(values, scale)
  if (middle === undefined || !quartiles) return undefined
  const whole = values.length < enoughForHalf
  const [low, high] = whole ? [Math.min(...values), Math.max(...values)] : [quartiles.low, quartiles.high]
  const step = stepFor(values, middle, high - low)
  return {
    about: roundedTo(step, middle),
    step,
    low: whole ? low : endRounded(step, low),
    high: whole ? high : endRounded(step, high),
    range: whole ? 'all' : 'middle half',
  }
}
