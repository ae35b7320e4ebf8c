/** How often something may be done, and how much may be sent. */
import type { Context, MiddlewareHandler } from 'hono'
import { Refusal } from './problem.ts'
import type { Env } from './service.ts'

export const addressOf = (context: Context<Env>): string =>
  context.env.incoming.socket.remoteAddress ?? 'unknown'

const minute = 60_000

/** Counts by name, and refuses what is too much in one minute. */
export const perMinute = (most: number, clock: () => number): ((name: string) => void) => {
  let since = clock()
  const counts = new Map<string, number>()
  return name => {
    if (clock() - since >= minute) {
      since = clock()
      counts.clear()
    }
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (count <= most) return
    const seconds = Math.max(1, Math.ceil((since + minute - clock()) / 1_000))
    throw new Refusal(429, `That is more than ${most} a minute: try again in ${seconds} seconds.`, {
      headers: { 'retry-after': String(seconds) },
    })
  }
}

export const writeLimit = (most: number, clock: () => number): MiddlewareHandler<Env> => {
  const count = perMinute(most, clock)
  return async (context, next) => {
    if (context.req.method !== 'GET' && context.req.method !== 'HEAD') count(addressOf(context))
    await next()
  }
}

/** A body says how long it is before it comes, so that one that is too long is never read. */
export const bodyLimit =
  (bytes: number): MiddlewareHandler<Env> =>
  async (context, next) => {
    const { req } = context
    if (req.header('transfer-encoding') !== undefined)
      throw new Refusal(411, 'Say in Content-Length how long the body is, and send it in one piece.')
    if (Number(req.header('content-length') ?? 0) > bytes)
      throw new Refusal(413, `The body is larger than ${bytes} bytes: send less.`)
    await next()
  }
