/** How often a client may send requests, and how long a body may be. */
import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { currentPerson } from '../accounts/visitor.ts'
import { Refusal } from './problem.ts'
import type { Env } from './service.ts'

/** Whoever has one address of IPv6 usually has all that begin with the same four groups. */
const networkOf = (address: string): string => {
  if (isIP(address) !== 6 || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('::')
  const [first, last] = [head, tail].map(part => part.split(':').filter(Boolean))
  const zeros = address.includes('::') ? 8 - first!.length - last!.length : 0
  return [...first!, ...Array<string>(zeros).fill('0'), ...last!].slice(0, 4).join(':')
}

export const addressOf = (context: Context<Env>): string =>
  networkOf(context.env.incoming.socket.remoteAddress ?? 'unknown')

const minute = 60_000

/** Counts requests by name, and refuses those over the limit of a minute. */
export const perMinute = (most: number, clock: () => number): ((name: string) => void) => {
  let since = clock()
  const counts = new Map<string, number>()
  return name => {
    // A clock that is set back would otherwise refuse until it is where it was.
    if (clock() - since >= minute || clock() < since) {
      since = clock()
      counts.clear()
    }
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (count <= most) return
    const seconds = Math.max(1, Math.ceil((since + minute - clock()) / 1_000))
    throw new Refusal(
      429,
      `Too many requests (more than ${most} a minute). Try again in ${seconds} seconds.`,
      {
        headers: { 'retry-after': String(seconds) },
      },
    )
  }
}

/** The login form is not counted: strangers behind the same proxy could keep the owner from logging in. */
export const writeLimit = (most: number, clock: () => number): MiddlewareHandler<Env> => {
  const count = perMinute(most, clock)
  return async (context, next) => {
    const { method, path } = context.req
    if (method !== 'GET' && method !== 'HEAD' && path !== '/login' && path !== '/sign-in')
      count(currentPerson()?.person.id ?? addressOf(context))
    await next()
  }
}

/**
 * A body must say its length first, so that one that is too long is never read. Hono's `bodyLimit` fails on a POST without
 * a body unless the adapter replaces the global `Request` of the whole process.
 */
export const bodyLimit =
  (bytes: number): MiddlewareHandler<Env> =>
  async (context, next) => {
    const { req } = context
    if (req.header('transfer-encoding') !== undefined)
      throw new Refusal(411, 'Send a Content-Length instead of a chunked body.')
    if (Number(req.header('content-length') ?? 0) > bytes)
      throw new Refusal(413, `The body is larger than ${bytes} bytes. Send less.`)
    await next()
  }
