/** The `fetch` that a maker's package uses. */
import { limitedTo, mostErrorBytes, ReplyTooLarge } from '../http/reply-size.ts'
import { agent, undici } from './on-demand.ts'

type Fetch = typeof globalThis.fetch

/** Like Node's own `fetch`, which gives up after five minutes, but with our timeouts. */
const patient = (input: Parameters<Fetch>[0], init: RequestInit): ReturnType<Fetch> => {
  const fetch = undici().fetch as unknown as (
    input: Parameters<Fetch>[0],
    init: RequestInit & { readonly dispatcher: ReturnType<typeof agent> },
  ) => ReturnType<Fetch>
  return fetch(input, { ...init, dispatcher: agent() })
}

/** A server that doesn't stream replies with one object, and a wrong address with a page. */
const notStreamed = /^(?:application\/json|text\/html)\b/

export interface SdkWire {
  readonly fetch: Fetch
  /** Whether the reply came in one body. If so, the next request isn't sent and gets this body as its reply. */
  readonly whole: () => boolean
  /** Whether the reply was cut off because it was too large. */
  readonly tooLarge: () => boolean
}

/** For one call, whose reply may have this many bytes. The packages themselves read without a limit. */
export const sdkWire = (most: number): SdkWire => {
  let body: string | undefined
  let tooLarge = false
  const cut = (): Error => {
    tooLarge = true
    return new ReplyTooLarge(most)
  }
  return {
    whole: () => body !== undefined,
    tooLarge: () => tooLarge,
    async fetch(input, init) {
      if (body !== undefined) return new Response(body, { headers: { 'content-type': 'application/json' } })
      // A redirect would send the key to another address.
      const reply = await patient(input, { ...init, redirect: 'manual' })
      if (!reply.ok) return limitedTo(mostErrorBytes, reply)
      const response = limitedTo(most, reply, cut)
      if (!notStreamed.test(response.headers.get('content-type') ?? '')) return response
      const text = await response.text()
      if (/^\s*(?:data|event|id|retry)?:/.test(text)) return new Response(text)
      body = text
      throw new Error("the reply isn't a stream")
    },
  }
}
