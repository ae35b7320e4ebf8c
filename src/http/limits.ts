/** Who sends, how often, and how much: nobody without a login may keep the server busy, or fill its memory. */

import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import ipaddr from 'ipaddr.js'
import { currentPerson } from '../accounts/permissions.ts'
import { UsageError } from '../core/basics.ts'
import { Refusal } from './log.ts'
import type { Env } from './service.ts'

/** Whoever has one address of IPv6 usually has all that begin with the same four groups. */
const networkOf = (address: string): string => {
  if (isIP(address) !== 6 || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('::')
  const [first, last] = [head, tail].map(part => part.split(':').filter(Boolean))
  const zeros = address.includes('::') ? 8 - first!.length - last!.length : 0
  return [...first!, ...Array<string>(zeros).fill('0'), ...last!].slice(0, 4).join(':')
}

/** `203.0.113.9`, `203.0.113.9:4711`, `[2001:db8::1]:4711` or `::ffff:10.0.0.1`, as an address alone. Undefined if it is none. */
const bareAddress = (text: string): string | undefined => {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d{1,5})?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1')
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString()
}

export type Proxies = (address: string) => boolean

/**
 * `ROUNDTABLE_PROXY=127.0.0.1,10.0.0.0/8`: whose `X-Forwarded-For` counts. From anybody else the header is a claim, by which
 * one client could be as many as it likes.
 */
export const proxiesFrom = (text = ''): Proxies => {
  const networks = text
    .split(/[\s,]+/)
    .filter(one => one !== '')
    .map(one => {
      const whole = one.includes('/') ? one : `${one}/${isIP(one) === 6 ? 128 : 32}`
      if (ipaddr.isValidCIDR(whole)) return ipaddr.parseCIDR(whole)
      throw new UsageError(
        'ROUNDTABLE_PROXY: name addresses or networks of your proxies, such as 127.0.0.1 or 10.0.0.0/8.',
      )
    })
  return address => {
    const parsed = ipaddr.process(address)
    return networks.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base, bits))
  }
}

/** Each proxy appends whom it heard from. The last one that is no proxy of ours is the client; what stands before is a claim. */
export const clientAddress = (socket: string | undefined, forwarded: string, isProxy: Proxies): string => {
  let client = bareAddress(socket ?? '')
  for (const one of forwarded.slice(-2_000).split(',').reverse()) {
    if (client === undefined || !isProxy(client)) break
    client = bareAddress(one) ?? client
  }
  return networkOf(client ?? 'unknown')
}

/** Stands first: whatever counts by address asks `addressOf`. */
export const knowAddress =
  (isProxy: Proxies): MiddlewareHandler<Env> =>
  async (context, next) => {
    const { remoteAddress } = context.env.incoming.socket
    context.set('address', clientAddress(remoteAddress, context.req.header('x-forwarded-for') ?? '', isProxy))
    await next()
  }

export const addressOf = (context: Context<Env>): string => context.get('address') ?? 'unknown'

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

/** Longer bodies are taken by routes for files and imports alone, and from strangers by none. */
const longestBody = 1_000_000
const longestOfStrangers = 256_000
/** Bytes that one address may be sending to routes without a login, in all. */
const mostUnderWay = 1_000_000

const lengthOf = ({ req }: Context<Env>): number => Number(req.header('content-length') ?? 0)

/**
 * A body must say its length first, so that one that is too long is never read. Hono's `bodyLimit` fails on a POST without
 * a body unless the adapter replaces the global `Request` of the whole process.
 */
const checkLength = (context: Context<Env>, bytes: number): void => {
  if (context.req.header('transfer-encoding') !== undefined)
    throw new Refusal(411, 'Send a Content-Length instead of a chunked body.')
  if (lengthOf(context) > bytes) throw new Refusal(413, `The body is larger than ${bytes} bytes. Send less.`)
}

/** Milliseconds in which a client can read why its body was refused. */
const timeToRead = 1_000

/**
 * The rest of a long body that nobody wants isn't taken in: a hundred strangers who send 31 MB each would keep the server busy
 * with throwing it away. A shorter one is, so that its connection can be used again.
 */
export const cutOffLong: MiddlewareHandler<Env> = async (context, next) => {
  const { incoming } = context.env
  await next()
  if (lengthOf(context) <= longestBody || incoming.complete) return
  const { socket } = incoming
  context.res.headers.set('connection', 'close')
  // Closed at once, with a body on its way, the connection could be gone before the reply was read.
  socket.destroySoon = () => {
    setImmediate(() => socket.pause())
    setTimeout(() => socket.destroy(), timeToRead).unref()
  }
}

export const bodyLimit =
  (bytes: number): MiddlewareHandler<Env> =>
  async (context, next) => {
    checkLength(context, bytes)
    await next()
  }

/** Routes whose requests may hold files, or whole sessions. */
const takesFiles =
  /^\/(mcp|v1\/(chat\/completions|responses)|api\/(import|exhibits|estimate|sharpen|sessions(\/[^/]+\/fork(\/estimate)?)?))$/

/** `most`: for files. A stranger who holds bodies back must not fill the memory, so what one address is sending is bounded. */
export const bodyLimits = (
  most: number,
  isStranger: (context: Context<Env>) => boolean,
): MiddlewareHandler<Env> => {
  const underWay = new Map<string, number>()
  const ofStranger = async (context: Context<Env>, next: () => Promise<void>): Promise<void> => {
    checkLength(context, Math.min(most, longestOfStrangers))
    const [address, length] = [addressOf(context), lengthOf(context)]
    const held = (underWay.get(address) ?? 0) + length
    if (held > mostUnderWay)
      throw new Refusal(429, 'Too much is being sent from this address. Try again in a few seconds.', {
        headers: { 'retry-after': '5' },
      })
    underWay.set(address, held)
    try {
      await next()
    } finally {
      const left = underWay.get(address)! - length
      if (left > 0) underWay.set(address, left)
      else underWay.delete(address)
    }
  }
  return async (context, next) => {
    if (isStranger(context)) return ofStranger(context, next)
    checkLength(context, takesFiles.test(context.req.path) ? most : Math.min(most, longestBody))
    await next()
  }
}

const guessesPerMinute = 30

/**
 * Counts wrong tokens by address, however they are sent. A right token is never counted or refused: behind a proxy the
 * owner has the same address as everybody else, and would be locked out by their guesses.
 */
export const guessLimit = (clock: () => number): ((context: Context<Env>) => void) => {
  const count = perMinute(guessesPerMinute, clock)
  return context => count(addressOf(context))
}
