/** Options of a lab and of its models. */
import type { RecordedCall } from './call.ts'
import type { FaultName } from './faults.ts'
import type { LabReply } from './reply.ts'

export interface Pace {
  /** Milliseconds from the request to the first token. */
  readonly firstTokenMs?: number
  /** Default: all at once. */
  readonly tokensPerSecond?: number
}

export interface LabModel extends Pace {
  /** Listed at /models, under one of these two names. */
  readonly context_length?: number
  readonly max_model_len?: number
  /** `refused`: a request with a JSON schema gets a 400. */
  readonly schema?: 'accepted' | 'refused'
  /** A request with one of these fields, such as `max_tokens`, gets a 400. */
  readonly refuses?: readonly string[]
  /** False: a streaming request gets its reply in one body. */
  readonly streams?: boolean
  readonly fault?: FaultName | LabReply
  /** The fault affects only this many calls. */
  readonly first?: number
}

export interface LabOptions extends Pace {
  /** Default: any free port. */
  readonly port?: number
  /** Requests must have it as a bearer token. */
  readonly key?: string
  readonly models?: Readonly<Record<string, LabModel>>
  /** Requests for models that aren't listed fail. */
  readonly strict?: boolean
  /** The models' replies. Default: something sensible that fits the schema. */
  readonly handler?: (call: RecordedCall) => LabReply | Promise<LabReply>
  /** The length of the default handler's replies. */
  readonly tokens?: number
  /** False: calls aren't recorded. */
  readonly record?: boolean
}
