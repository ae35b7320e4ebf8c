/**
 * The track record of models: what came of their answers, from sessions whose right answer became known, and how
 * they behave at a table, from every session that is over. Scripted seats are nobody's record.
 */
import type { Session } from '../log/state.ts'
import { type Agreement, agreementOf } from './agreement.ts'
import { appearancesIn } from './appearance.ts'
import { type ModelRecord, recordOf } from './model-record.ts'

export type { Agreement } from './agreement.ts'
export type { CalibrationBin } from './calibration.ts'
export type { ModelRecord } from './model-record.ts'

/** Plain data: it goes through JSON unchanged. */
export interface TrackRecord {
  /** Sessions that are over, and how many of them were resolved. */
  readonly sessions: number
  readonly resolved: number
  /** Most accurate first, by sealed answers; models without resolved questions come last. */
  readonly models: readonly ModelRecord[]
  /** How often two models stood in one camp when sealed, for each pair that sat together. */
  readonly agreement: readonly Agreement[]
}

const accuracy = ({ sealed }: ModelRecord): number => (sealed.of === 0 ? -1 : sealed.right / sealed.of)

const byAccuracy = (one: ModelRecord, other: ModelRecord): number =>
  accuracy(other) - accuracy(one) || other.sealed.of - one.sealed.of || (one.model < other.model ? -1 : 1)

export const trackRecordOf = (sessions: Iterable<Session>): TrackRecord => {
  const over = [...sessions].filter(session => session.outcome !== undefined)
  const showings = over.flatMap(appearancesIn)
  const byModel = Map.groupBy(showings, showing => showing.model)
  return {
    sessions: over.length,
    resolved: over.filter(session => session.resolved).length,
    models: [...byModel].map(([model, own]) => recordOf(model, own)).sort(byAccuracy),
    agreement: agreementOf(over),
  }
}

/** By model: how many resolved questions it answered when sealed, and how many of them rightly. */
export const scoresOf = ({ models }: TrackRecord): Record<string, { right: number; of: number }> =>
  Object.fromEntries(models.filter(({ sealed }) => sealed.of > 0).map(({ model, sealed }) => [model, sealed]))
