/** How large a reply may be. A small compressed reply can grow a thousandfold, so bytes are counted after that. */
import type { ModelCall } from '../provider.ts'

/** A server that ignores the token limit must not fill the memory. No token needs more bytes than this. */
export const mostReplyBytes = ({ maxOutputTokens }: Pick<ModelCall, 'maxOutputTokens'>): number =>
  1_048_576 + maxOutputTokens * 2_048

/** Longer ones are pages, not messages. */
export const mostErrorBytes = 65_536

/** The longest known list of models has about one megabyte. */
export const mostListBytes = 8_000_000

export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge'

  constructor(bytes: number) {
    super(`the reply is larger than ${bytes} bytes`)
  }
}

/** The same response, but its body ends after so many bytes: quietly, or with the error that `tooLarge` returns. */
export const limitedTo = (most: number, response: Response, tooLarge?: () => Error): Response => {
  const { body, status, statusText, headers } = response
  if (!body) return response
  const reader = body.getReader()
  let bytes = 0
  const limited = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        bytes += value.length
        if (bytes <= most) return controller.enqueue(value)
        await reader.cancel().catch(() => {})
        if (tooLarge) controller.error(tooLarge())
        else controller.close()
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(limited, { status, statusText, headers })
}
