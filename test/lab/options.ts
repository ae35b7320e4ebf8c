/** Options of a lab and of its models. */
import type { RecordedCall } from './call.ts'
import type { FaultName } from './faults.ts'
import type { LabReply } from './reply.ts'

export interface Pace {
  /** Milliseconds from the request to the first token. */
  readonly firstTokenMs?: number
  /** Without it, all at once. */
  readonly tokensPerSecond?: number
}

export interface LabModel extends Pace {
  /** Listed at /models, under either name. */
  readonly context_length?: number
  readonly max_model_len?: number
  /** The day on which it is turned off, listed at /models. */
  readonly shutdown_date?: string
  /** `refused`: a request with a JSON schema gets a 400. */
  readonly schema?: 'accepted' | 'refused'
  /** Fields that get a 400, such as `max_tokens`. */
  readonly refuses?: readonly string[]
  /** False: a streaming request gets its reply in one body. */
  readonly streams?: boolean
  readonly fault?: FaultName | LabReply
  /** Only this many first calls have the fault. */
  readonly first?: number
}

export interface LabOptions extends Pace {
  /** Without it, any free port. */
  readonly port?: number
  /** Required as a bearer token. */
  readonly key?: string
  readonly models?: Readonly<Record<string, LabModel>>
  /** Models that aren't listed don't exist. */
  readonly strict?: boolean
  /** What models say; by default a sensible reply that fits the schema. */
  readonly handler?: (call: RecordedCall) => LabReply | Promise<LabReply>
  /** The length of the default handler's replies. */
  readonly tokens?: number
  /** If false, calls aren't recorded. */
  readonly record?: boolean
}
