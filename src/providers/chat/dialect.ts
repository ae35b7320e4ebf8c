/** How a maker's chat-completions requests differ from the common format. Replies are read in any format. */
import type { ModelCall } from '../provider.ts'
import type { SearchTerms } from '../search/fees.ts'

/**
 * How the form of the reply is asked for: `schema` is a JSON schema that the server enforces, `object` any
 * JSON object with the schema in the prompt, `words` the prompt alone.
 */
export type ReplyForm = 'schema' | 'object' | 'words'

export interface ChatDialect {
  readonly form?: (call: ModelCall) => ReplyForm
  /** The maker's own fields. An undefined one removes a common field. */
  readonly fields?: (call: ModelCall) => Readonly<Record<string, unknown>>
  /** The fields that have a model search the web. Absent: none can. */
  readonly search?: Readonly<Record<string, unknown>>
  /** What a search costs. Absent: nobody knows, and a call makes one. */
  readonly searchTerms?: SearchTerms
  /** Whether the shared parts of the message are marked as cache points. */
  readonly marks?: (model: string) => boolean
  /** The path of the list of models, if not `models`. It must require the key, because it is used to check the key. */
  readonly listing?: string
}
