/** The record of one model, summed over every table that it sat at. */
import type { Score } from '../aggregation/log-odds.ts'
import { median } from '../aggregation/number.ts'
import type { Appearance } from './appearance.ts'
import { brierOf, type CalibrationBin, calibrationOf } from './calibration.ts'

export interface ModelRecord {
  readonly model: string
  readonly name: string
  /** Tables that it sat at, resolved or not. */
  readonly sessions: number
  /** Of resolved questions only, as is all that speaks of right and wrong. */
  readonly sealed: Score
  readonly final: Score
  /** Of sealed confidence; null where it gave none. */
  readonly brier: number | null
  readonly calibration: readonly CalibrationBin[]
  readonly rightToWrong: number
  readonly wrongToRight: number
  /** Persuasiveness: how many of those who read it and stood elsewhere went over to it. */
  readonly persuasion: { readonly adopters: number; readonly exposures: number }
  /** Stubbornness: how often it stayed where it was while another camp led. */
  readonly stubbornness: { readonly stayed: number; readonly opposed: number }
  readonly answers: number
  /** Calls that brought no answer. */
  readonly silent: number
  /** Null where the price of one of its calls is unknown. */
  readonly costUsd: number | null
  /** Milliseconds of the middle answer; null where nobody measured. */
  readonly latency: number | null
}

const scoreOf = (outcomes: readonly (boolean | null)[]): Score => {
  const known = outcomes.filter(outcome => outcome !== null)
  return { right: known.filter(outcome => outcome).length, of: known.length }
}

const costOf = (showings: readonly Appearance[]): number | null => {
  const calls = showings.flatMap(({ calls }) => calls).filter(call => call.usage || call.status !== 'silent')
  let sum = 0
  for (const { usage } of calls) {
    if (!usage || usage.costUsd === null) return null
    sum += usage.costUsd
  }
  return Number(sum.toPrecision(12))
}

export const recordOf = (model: string, showings: readonly Appearance[]): ModelRecord => {
  const sum = (
    field: 'rightToWrong' | 'wrongToRight' | 'exposures' | 'adopters' | 'opposed' | 'stayed',
  ): number => showings.reduce((total, showing) => total + showing[field], 0)
  const calls = showings.flatMap(showing => showing.calls)
  const answers = calls.filter(({ status }) => status === 'given')
  const forecasts = showings.flatMap(({ sealed, confidence }) =>
    sealed === null || confidence === null ? [] : [{ confidence, right: sealed }],
  )
  return {
    model,
    name: showings[0]?.name ?? model,
    sessions: showings.length,
    sealed: scoreOf(showings.map(({ sealed }) => sealed)),
    final: scoreOf(showings.map(({ final }) => final)),
    brier: brierOf(forecasts),
    calibration: calibrationOf(forecasts),
    rightToWrong: sum('rightToWrong'),
    wrongToRight: sum('wrongToRight'),
    persuasion: { adopters: sum('adopters'), exposures: sum('exposures') },
    stubbornness: { stayed: sum('stayed'), opposed: sum('opposed') },
    answers: answers.length,
    silent: calls.filter(({ status }) => status === 'silent').length,
    costUsd: costOf(showings),
    latency: median(answers.flatMap(({ timing }) => timing?.total ?? [])) ?? null,
  }
}
