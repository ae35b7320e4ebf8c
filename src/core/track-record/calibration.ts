/** Whether a model's sealed confidence means what it says. */

export interface Forecast {
  readonly confidence: number
  readonly right: boolean
}

export interface CalibrationBin {
  /** The range of confidence. */
  readonly from: number
  readonly to: number
  readonly count: number
  /** The mean confidence, and how often the answers were right. */
  readonly said: number
  readonly right: number
}

/** Few enough that fifty answers fill them all. */
const bins = 5

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The mean squared distance between confidence and outcome: 0 is perfect, 0.25 is what a coin gets. */
export const brierOf = (forecasts: readonly Forecast[]): number | null =>
  forecasts.length === 0
    ? null
    : mean(forecasts.map(({ confidence, right }) => (confidence - (right ? 1 : 0)) ** 2))

/** The calibration curve, without empty bins. */
export const calibrationOf = (forecasts: readonly Forecast[]): CalibrationBin[] => {
  const binOf = ({ confidence }: Forecast): number => Math.min(bins - 1, Math.floor(confidence * bins))
  const byBin = Map.groupBy(forecasts, binOf)
  return [...byBin]
    .sort(([one], [other]) => one - other)
    .map(([bin, own]) => ({
      from: bin / bins,
      to: (bin + 1) / bins,
      count: own.length,
      said: mean(own.map(({ confidence }) => confidence)),
      right: own.filter(({ right }) => right).length / own.length,
    }))
}
