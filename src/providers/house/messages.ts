/** The messages between the provider and the process that holds the models. */
import type { ModelErrorKind } from '../../core/errors.ts'
import type { TokenUsage } from '../provider.ts'

/** One reply to write. */
export interface Task {
  readonly id: number
  /** The folder of the engine. */
  readonly engine: string
  /** The weights file. */
  readonly path: string
  readonly system: string
  readonly user: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly maxTokens: number
  readonly temperature: number
  readonly seed: number
  readonly threads?: number
}

export type ToWorker =
  | { readonly type: 'write'; readonly task: Task }
  | { readonly type: 'cancel'; readonly id: number }

/** A task ends in `done` or `failed`; after a cancellation there are no more messages. */
export type FromWorker =
  | { readonly type: 'text'; readonly id: number; readonly text: string }
  | {
      readonly type: 'done'
      readonly id: number
      readonly usage: TokenUsage
      readonly reason: 'stop' | 'length'
    }
  | { readonly type: 'failed'; readonly id: number; readonly kind: ModelErrorKind; readonly message: string }
