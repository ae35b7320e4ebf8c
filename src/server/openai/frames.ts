/** A reply as server-sent events. */
import { setTimeout as sleep } from 'node:timers/promises'
import { streamHeaders } from '../headers.ts'

/** Milliseconds of silence after which a proxy gets a sign of life. */
const keepAliveMs = 10_000
const keepAlive = ': still here\n\n'

/**
 * Waits for the first frame: a failure before it throws, and can still become a status. A later one is told in the
 * stream.
 */
export const streamed = async (
  frames: AsyncGenerator<string>,
  failed: (error: unknown) => string,
  left: AbortController,
): Promise<Response> => {
  const first = frames.next()
  await Promise.race([first, sleep(keepAliveMs, undefined, { ref: false })])
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let open = true
      const write = (text: string): void => {
        if (open) controller.enqueue(encoder.encode(text))
      }
      const beat = setInterval(() => write(keepAlive), keepAliveMs)
      left.signal.addEventListener('abort', () => {
        open = false
        clearInterval(beat)
      })
      const pump = async (): Promise<void> => {
        try {
          for (let taken = await first; !taken.done; taken = await frames.next()) write(taken.value)
        } catch (error) {
          write(failed(error))
        } finally {
          clearInterval(beat)
          if (open) controller.close()
        }
      }
      void pump()
    },
    cancel: () => left.abort(),
  })
  return new Response(body, { headers: streamHeaders })
}
