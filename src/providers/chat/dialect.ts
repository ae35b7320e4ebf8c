/** How a maker's chat completions differ from the common form. Only the request does: replies are read in any form. */
import type { ModelCall } from '../provider.ts'

/**
 * How the form of the reply is asked for: a JSON schema that the model is held to; any JSON object,
 * with the schema in the prompt; or the prompt alone.
 */
export type ReplyForm = 'schema' | 'object' | 'words'

export interface ChatDialect {
  readonly form?: (call: ModelCall) => ReplyForm
  /** The maker's own fields. One that is undefined leaves a common field out. */
  readonly fields?: (call: ModelCall) => Readonly<Record<string, unknown>>
  /** Whether the parts of the message that others share are to be marked as cache points. */
  readonly marks?: (model: string) => boolean
  /** Where the models are listed, if not at `models`. It must need the key, which is tried with it. */
  readonly listing?: string
}
