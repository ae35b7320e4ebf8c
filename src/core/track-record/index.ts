/**
 * The track record of models: how often they were right, from sessions whose right answer became known, and how they
 * behave at a table, from every finished session. Scripted seats don't count, and neither do those held from outside.
 */
import type { Session } from '../log/state.ts'
import { type Agreement, agreementOf } from './agreement.ts'
import { type ModelRecord, recordOf } from './model-record.ts'
import { splitScoresOf } from './sealed-split.ts'
import { type SessionRecord, sessionRecordOf } from './session-record.ts'

export type { Agreement } from './agreement.ts'
export type { CalibrationBin } from './calibration.ts'
export type { ModelRecord } from './model-record.ts'
export { type SessionRecord, sessionRecordOf } from './session-record.ts'

/** Plain data that survives JSON unchanged. */
export interface TrackRecord {
  /** Finished sessions, and how many of them were resolved. */
  readonly sessions: number
  readonly resolved: number
  /** Most accurate first, by sealed answers. Models without resolved questions come last. */
  readonly models: readonly ModelRecord[]
  /** For each pair that sat together: how often the two were in one camp in the sealed round. */
  readonly agreement: readonly Agreement[]
  /** By how the sealed vote was divided: resolved questions of fact, and how many verdicts were right. */
  readonly splits: Readonly<Record<string, { readonly right: number; readonly of: number }>>
}

const accuracy = ({ sealed }: ModelRecord): number => (sealed.of === 0 ? -1 : sealed.right / sealed.of)

const byAccuracy = (one: ModelRecord, other: ModelRecord): number =>
  accuracy(other) - accuracy(one) || other.sealed.of - one.sealed.of || (one.model < other.model ? -1 : 1)

export const trackRecordFrom = (records: readonly SessionRecord[]): TrackRecord => {
  const byModel = Map.groupBy(
    records.flatMap(({ appearances }) => appearances),
    appearance => appearance.model,
  )
  return {
    sessions: records.length,
    resolved: records.filter(({ resolved }) => resolved).length,
    models: [...byModel].map(([model, own]) => recordOf(model, own)).sort(byAccuracy),
    agreement: agreementOf(records.flatMap(({ pairs }) => pairs)),
    splits: splitScoresOf(records.flatMap(({ split }) => split ?? [])),
  }
}

export const trackRecordOf = (sessions: Iterable<Session>): TrackRecord =>
  trackRecordFrom([...sessions].flatMap(session => sessionRecordOf(session) ?? []))

/** For each model: how many resolved questions it answered in the sealed round, and how many correctly. */
export const scoresOf = ({ models }: TrackRecord): Record<string, { right: number; of: number }> =>
  Object.fromEntries(models.filter(({ sealed }) => sealed.of > 0).map(({ model, sealed }) => [model, sealed]))
