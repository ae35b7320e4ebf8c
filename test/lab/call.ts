/** A request that the lab received. */

export interface ChatBody {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly response_format?: {
    readonly type: string
    readonly json_schema?: {
      readonly name: string
      readonly schema: Readonly<Record<string, unknown>>
      readonly strict?: boolean
    }
  }
  /** Addresses of the pictures in its messages. */
  readonly pictures?: readonly string[]
  readonly [field: string]: unknown
}

export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed; an empty chat for requests that aren't chats. */
  readonly body: ChatBody
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number
  /** The client's port: two calls over one connection share it. */
  readonly port: number
  firstTokenAt?: number
  /** `closed`: the client closed the connection before the reply was complete. */
  state: 'open' | 'done' | 'closed'
}

export const now = (): number => performance.timeOrigin + performance.now()

/** The schema that a call requests, in its own field or in the prompt. */
export const schemaOf = (body: ChatBody): Readonly<Record<string, unknown>> | undefined => {
  const asked = body.response_format?.json_schema?.schema
  if (asked) return asked
  const lines = (body.messages.at(-1)?.content ?? '').split('\n').reverse()
  return objectsIn(lines).find(value => 'properties' in value)
}

/** Lines that are JSON objects: prompts carry answers and schemas like this. */
export const objectsIn = (lines: readonly string[]): Record<string, unknown>[] =>
  lines.flatMap(line => {
    if (!line.startsWith('{')) return []
    try {
      return [JSON.parse(line) as Record<string, unknown>]
    } catch {
      return []
    }
  })
