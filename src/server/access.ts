/**
 * Who may use the server. Without a token, which is possible on loopback only: everybody on this machine, but no page of
 * another origin, and no foreign host name that resolves to this machine. With a token: whoever sends it, as a bearer
 * token or, in a browser, as a cookie.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import { UsageError } from '../core/errors.ts'
import { type Environment, variable } from '../providers/endpoints.ts'
import { addressOf, perMinute } from './limits.ts'
import { Refusal } from './problem.ts'
import type { Env } from './service.ts'

export const cookieName = 'roundtable'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

/** The cookie holds a hash: somebody who reads it does not have the token. */
export const cookieFor = (token: string): string =>
  createHash('sha256').update(`roundtable cookie ${token}`).digest('base64url')

export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host.replace(/\.$/, ''))

/** A shorter token could be guessed, however slowly guesses are answered. */
const shortestToken = 20

export interface Tokens {
  readonly token: string
  /** Whoever sends this one may also change the settings. */
  readonly admin?: string
}

/** The tokens of a server, from its environment; undefined if it asks for none. */
export const tokensFrom = (env: Environment): Tokens | undefined => {
  const [token, admin] = ['ROUNDTABLE_TOKEN', 'ROUNDTABLE_ADMIN_TOKEN'].map(name => variable(env, name))
  if (token !== undefined) return { token, ...(admin !== undefined && { admin }) }
  if (admin === undefined) return undefined
  throw new UsageError('ROUNDTABLE_ADMIN_TOKEN needs ROUNDTABLE_TOKEN: set both, or neither.', 'weak-token')
}

/** An address that other machines can reach needs a token. Otherwise anybody could use the configured models. */
export const checkBind = (host: string, tokens: Tokens | undefined): void => {
  const named = Object.entries({ ROUNDTABLE_TOKEN: tokens?.token, ROUNDTABLE_ADMIN_TOKEN: tokens?.admin })
  for (const [name, token] of named)
    if (token !== undefined && token.length < shortestToken)
      throw new UsageError(
        `${name} is too short. Set it to a random text of at least ${shortestToken} characters, such as 32 random bytes in hexadecimal.`,
        'weak-token',
      )
  if (isLoopback(host) || tokens) return
  throw new UsageError(
    `Other machines can reach ${host}. Set ROUNDTABLE_TOKEN to a random text of at least ${shortestToken} characters first, or bind to 127.0.0.1.`,
    'weak-token',
  )
}

const nameIn = (host: string): string => host.replace(/:\d+$/, '')

/** A foreign page whose host name resolves to this machine (DNS rebinding) sends its own name as Host. */
export const hostGuard: MiddlewareHandler<Env> = async (context, next) => {
  const host = context.req.header('host') ?? ''
  if (!isLoopback(nameIn(host)))
    throw new Refusal(
      421,
      'This server answers only to localhost and 127.0.0.1. Open it under one of these names.',
    )
  await next()
}

/** No database and no file system takes a NUL in a name. */
export const pathGuard: MiddlewareHandler<Env> = async (context, next) => {
  if (context.req.path.includes('\0'))
    throw new Refusal(400, 'The address contains a NUL character. Remove it.')
  await next()
}

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined

const stranger = (): Refusal => new Refusal(403, 'Requests from pages of another origin are refused.')

/** Browsers say where a request comes from. A client that says nothing is not a browser. */
export const originGuard: MiddlewareHandler<Env> = async (context, next) => {
  const { req } = context
  const origin = req.header('origin')
  if (origin !== undefined && hostOf(origin) !== (req.header('host') ?? '').toLowerCase()) throw stranger()
  const site = req.header('sec-fetch-site')
  const isVisit = req.method === 'GET' && req.header('sec-fetch-mode') === 'navigate'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isVisit) throw stranger()
  await next()
}

/** What can be read without a token. It shows a session or a seat only to people who have its link. */
const open =
  /^\/(healthz|readyz|login|api\/shared\/[^/]+(\/events)?|api\/seat\/[^/]+(\/pictures\/\d+)?|seat\/[^/]+|shared\/[^/]+(\/preview\.png)?|assets\/.*|favicon\.[a-z]+)$/

export const bearerOf = (context: Context<Env>): string | undefined =>
  /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]

/** What can be sent without a token: the login form, and an answer through the link of a person's seat. */
const openToSend = /^\/(login|api\/seat\/[^/]+\/answer)$/

export const isOpen = ({ req }: Context<Env>): boolean =>
  req.method === 'POST'
    ? openToSend.test(req.path)
    : open.test(req.path) && (req.method === 'GET' || req.method === 'HEAD')

const guessesPerMinute = 30

/**
 * Counts wrong tokens by address, however they are sent. A right token is never counted or refused: behind a proxy the
 * owner has the same address as everybody else, and would be locked out by their guesses.
 */
export const guessLimit = (clock: () => number): ((context: Context<Env>) => void) => {
  const count = perMinute(guessesPerMinute, clock)
  return context => count(addressOf(context))
}

export const tokenGuard = (
  { token, admin }: Tokens,
  wrong: (context: Context<Env>) => void,
): MiddlewareHandler<Env> => {
  const holds = (bearer: string | undefined, cookie: string | undefined, one: string): boolean =>
    (bearer !== undefined && isSame(bearer, one)) || (cookie !== undefined && isSame(cookie, cookieFor(one)))
  return async (context, next) => {
    if (isOpen(context)) return next()
    const bearer = bearerOf(context)
    const cookie = getCookie(context, cookieName)
    if (admin !== undefined && holds(bearer, cookie, admin)) {
      context.set('admin', true)
      return next()
    }
    if (holds(bearer, cookie, token)) return next()
    // A request without a token is not a guess.
    if (bearer !== undefined || cookie !== undefined) wrong(context)
    const wantsPage = context.req.method === 'GET' && context.req.header('accept')?.includes('text/html')
    if (wantsPage && !context.req.path.startsWith('/api/')) {
      // A cookie of an earlier token would count as a guess with every page.
      if (cookie !== undefined) deleteCookie(context, cookieName, { path: '/' })
      const { pathname, search } = new URL(context.req.url)
      return context.redirect(`/login?to=${encodeURIComponent(pathname + search)}`)
    }
    throw new Refusal(
      401,
      'Send the token of this server as "Authorization: Bearer …", or log in at /login.',
      {
        headers: { 'www-authenticate': 'Bearer' },
      },
    )
  }
}

export const isToken = (given: string, token: string): boolean => isSame(given, token)

/** Headers by which a proxy says that the request isn't its own. */
const proxyHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-.*|x-real-ip|(?:x-|x-cluster-|true-|fly-)client-ip|cf-.*|x-envoy-.*)$/

/** Sent on this machine itself, not passed on by a proxy that runs here. Only proxies still speak HTTP/1.0. */
const isFromHere = (context: Context<Env>): boolean =>
  isLoopback((context.env.incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
  isLoopback(nameIn(context.req.header('host') ?? '')) &&
  context.env.incoming.httpVersion !== '1.0' &&
  !Object.keys(context.req.header()).some(name => proxyHeader.test(name))

/** Who may change the settings: without a token whoever gets in, which is this machine; otherwise the admin. */
export const mayConfigure = (context: Context<Env>, guarded: boolean): boolean =>
  !guarded || context.get('admin') === true || isFromHere(context)
