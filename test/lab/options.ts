/** How a lab behaves, and how single models in it differ. */
import type { RecordedCall } from './call.ts'
import type { FaultName } from './faults.ts'
import type { LabReply } from './reply.ts'

export interface Pace {
  /** Milliseconds from the request to the first token. */
  readonly firstTokenMs?: number
  /** All at once without it. */
  readonly tokensPerSecond?: number
}

export interface LabModel extends Pace {
  /** Told at /models, by the one name or the other. */
  readonly context_length?: number
  readonly max_model_len?: number
  /** `refused`: asking for a JSON schema is a 400. */
  readonly schema?: 'accepted' | 'refused'
  /** Fields that make the request a 400, such as `max_tokens`. */
  readonly refuses?: readonly string[]
  /** Answers a streaming request with one body. */
  readonly streams?: boolean
  readonly fault?: FaultName | LabReply
  /** The fault concerns the first calls only. */
  readonly first?: number
}

export interface LabOptions extends Pace {
  /** Any free one without it. */
  readonly port?: number
  /** Asked for as a bearer token. */
  readonly key?: string
  readonly models?: Readonly<Record<string, LabModel>>
  /** Models that are not listed do not exist. */
  readonly strict?: boolean
  /** What models say; by default something sensible that fits the schema. */
  readonly handler?: (call: RecordedCall) => LabReply | Promise<LabReply>
  /** The length of what the default handler says. */
  readonly tokens?: number
  /** Set to false, nothing is kept of the calls. */
  readonly record?: boolean
}
