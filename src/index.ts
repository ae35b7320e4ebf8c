/** Roundtable as a library. */
export type { Answer, Credit, Reason } from './core/answer.ts'
export type { Camp } from './core/camp.ts'
export { type ModelError, type ModelErrorKind, UsageError } from './core/errors.ts'
export type {
  Budget,
  Delta,
  LiveEvent,
  Report,
  Retrying,
  Seat,
  SessionEvent,
} from './core/event.ts'
export { type Influence, influenceOf } from './core/influence.ts'
export type { Flip, Move } from './core/moves.ts'
export type { OtherRule } from './core/other-rules.ts'
export type { Format } from './core/question.ts'
export type { Timing, Usage } from './core/spent.ts'
export { fold, type Session } from './core/state.ts'
export type { Level, Tally } from './core/tally.ts'
export { type ModelRecord, type TrackRecord, trackRecordOf } from './core/track-record/index.ts'
export { type Flag, flags, type Verdict, verdictOf } from './core/verdict.ts'
export type { SessionDocument } from './exports/document.ts'
export { exporters, importText } from './exports/index.ts'
export type { Protocol } from './protocols/protocol.ts'
export type { EndpointSettings } from './providers/openai-compatible.ts'
export type { ModelCall, ModelFacts, ModelPart, Price, Provider } from './providers/provider.ts'
export { scripted } from './providers/scripted.ts'
export type { MakerOptions } from './runtime/connect.ts'
export type { Estimate, Range } from './runtime/estimate.ts'
export type { AskInput } from './runtime/open.ts'
export {
  createRoundtable,
  type Roundtable,
  type RoundtableOptions,
  type Running,
} from './runtime/roundtable.ts'
export type { Archive } from './store/archive/archive.ts'
export { fileStore } from './store/files.ts'
export { memoryStore } from './store/memory.ts'
export type { Store } from './store/store.ts'
