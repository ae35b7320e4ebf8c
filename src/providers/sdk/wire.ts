/** The wire under a maker's package. */
import { agent, undici } from './on-demand.ts'

type Fetch = typeof globalThis.fetch

/** The same as Node's own by specification, but with our waiting times: Node's gives up after five minutes. */
const patient = (input: Parameters<Fetch>[0], init: RequestInit): ReturnType<Fetch> => {
  const fetch = undici().fetch as unknown as (
    input: Parameters<Fetch>[0],
    init: RequestInit & { readonly dispatcher: ReturnType<typeof agent> },
  ) => ReturnType<Fetch>
  return fetch(input, { ...init, dispatcher: agent() })
}

/** A server that does not stream answers with one object; a wrong address, with a page. */
const noStream = /^(?:application\/json|text\/html)\b/

export interface SdkWire {
  readonly fetch: Fetch
  /** Whether the reply came in one body. If so, the next request is answered with it and not sent. */
  readonly whole: () => boolean
}

/** One call's. */
export const sdkWire = (): SdkWire => {
  let body: string | undefined
  return {
    whole: () => body !== undefined,
    async fetch(input, init) {
      if (body !== undefined) return new Response(body, { headers: { 'content-type': 'application/json' } })
      // A redirect would carry the key to wherever it points.
      const response = await patient(input, { ...init, redirect: 'manual' })
      if (!response.ok || !noStream.test(response.headers.get('content-type') ?? '')) return response
      const text = await response.text()
      if (/^\s*(?:data|event|id|retry)?:/.test(text)) return new Response(text)
      body = text
      throw new Error('the reply is no stream')
    },
  }
}
