/** Roundtable as a library. */

export type { Camp } from './core/camps/camp.ts'
export type { Flip, Move } from './core/camps/moves.ts'
export { type ModelError, type ModelErrorKind, UsageError, type UsageKind } from './core/errors.ts'
export type { Command } from './core/log/command.ts'
export type {
  Budget,
  Delta,
  LiveEvent,
  Report,
  Retrying,
  Seat,
  SessionEvent,
} from './core/log/event.ts'
export type { Timing, Usage } from './core/log/spent.ts'
export { fold, isClosed, latestRound, type Session } from './core/log/state.ts'
export type { Answer, Credit, Reason } from './core/question/answer.ts'
export type { Format } from './core/question/question.ts'
export { type ModelRecord, type TrackRecord, trackRecordOf } from './core/track-record/index.ts'
export { type Influence, influenceOf } from './core/verdict/influence.ts'
export type { OtherRule } from './core/verdict/other-rules.ts'
export type { Level, Tally } from './core/verdict/tally.ts'
export { type Flag, flags, type Verdict, verdictOf } from './core/verdict/verdict.ts'
export type { SessionDocument } from './exports/document.ts'
export { exporters, importText } from './exports/index.ts'
export {
  createRoundtable,
  type Roundtable,
  type RoundtableOptions,
} from './library/roundtable.ts'
export type { Expectation, Load, Prompt, Protocol } from './protocols/protocol.ts'
export { sealedPrompt } from './protocols/sealed-prompt.ts'
export { asks, conclude, groupClosed, openNext } from './protocols/steps.ts'
export type { EndpointSettings } from './providers/chat/openai-compatible.ts'
export type { ModelCall, ModelFacts, ModelPart, Price, Provider } from './providers/provider.ts'
export { scripted } from './providers/scripted.ts'
export type { Running } from './runtime/runtime.ts'
export type { Archive } from './store/archive/archive.ts'
export { fileStore } from './store/files.ts'
export { memoryStore } from './store/memory.ts'
export { PositionTaken, type Store } from './store/store.ts'
export type { AskInput } from './table/ask-input.ts'
export type { Estimate, Range } from './table/estimate.ts'
export type { MakerOptions } from './table/reach.ts'
