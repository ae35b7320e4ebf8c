/** The record of one model, summed over every table it sat at. */
import type { Score } from '../aggregation/log-odds.ts'
import { median } from '../aggregation/number.ts'
import type { Appearance } from './appearance.ts'
import { brierOf, type CalibrationBin, calibrationOf } from './calibration.ts'

export interface ModelRecord {
  readonly model: string
  readonly name: string
  /** Tables it sat at, resolved or not. */
  readonly sessions: number
  /** Only resolved questions count here, as in everything about right and wrong. */
  readonly sealed: Score
  readonly final: Score
  /** Of its sealed confidence. Null if it gave none. */
  readonly brier: number | null
  readonly calibration: readonly CalibrationBin[]
  readonly rightToWrong: number
  readonly wrongToRight: number
  /** Persuasiveness: how many readers from other camps joined its camp. */
  readonly persuasion: { readonly adopters: number; readonly exposures: number }
  /** Stubbornness: how often it stayed in its camp while another one led. */
  readonly stubbornness: { readonly stayed: number; readonly opposed: number }
  readonly answers: number
  /** Calls without an answer. */
  readonly silent: number
  /** Null if the price of one of its calls is unknown. */
  readonly costUsd: number | null
  /** The median time of an answer in milliseconds. Null if nobody measured. */
  readonly latency: number | null
}

const scoreOf = (outcomes: readonly (boolean | null)[]): Score => {
  const known = outcomes.filter(outcome => outcome !== null)
  return { right: known.filter(outcome => outcome).length, of: known.length }
}

const costOf = (appearances: readonly Appearance[]): number | null => {
  const calls = appearances
    .flatMap(({ calls }) => calls)
    .filter(call => call.usage || call.status !== 'silent')
  let sum = 0
  for (const { usage } of calls) {
    if (!usage || usage.costUsd === null) return null
    sum += usage.costUsd
  }
  return Number(sum.toPrecision(12))
}

export const recordOf = (model: string, appearances: readonly Appearance[]): ModelRecord => {
  const sum = (
    field: 'rightToWrong' | 'wrongToRight' | 'exposures' | 'adopters' | 'opposed' | 'stayed',
  ): number => appearances.reduce((total, appearance) => total + appearance[field], 0)
  const calls = appearances.flatMap(appearance => appearance.calls)
  const answers = calls.filter(({ status }) => status === 'given')
  const forecasts = appearances.flatMap(({ sealed, confidence }) =>
    sealed === null || confidence === null ? [] : [{ confidence, right: sealed }],
  )
  return {
    model,
    name: appearances[0]?.name ?? model,
    sessions: appearances.length,
    sealed: scoreOf(appearances.map(({ sealed }) => sealed)),
    final: scoreOf(appearances.map(({ final }) => final)),
    brier: brierOf(forecasts),
    calibration: calibrationOf(forecasts),
    rightToWrong: sum('rightToWrong'),
    wrongToRight: sum('wrongToRight'),
    persuasion: { adopters: sum('adopters'), exposures: sum('exposures') },
    stubbornness: { stayed: sum('stayed'), opposed: sum('opposed') },
    answers: answers.length,
    silent: calls.filter(({ status }) => status === 'silent').length,
    costUsd: costOf(appearances),
    latency: median(answers.flatMap(({ timing }) => timing?.total ?? [])) ?? null,
  }
}
