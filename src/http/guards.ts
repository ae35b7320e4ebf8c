/** Who gets in, what every reply forbids a browser to do, and what this server writes itself: plain pages and links. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html, raw } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import { z } from 'zod'
import { currentPerson } from '../accounts/permissions.ts'
import { UsageError } from '../core/basics.ts'
import { type Environment, variable } from '../models/endpoints.ts'
import type { Archive } from '../store/archive.ts'
import { bodyLimit } from './limits.ts'
import { causeOf, isMultipart, Refusal, refusedBy } from './log.ts'
import type { Env, Service } from './service.ts'

// access: Who may use the server. Without a token, which is possible on loopback only: everybody on this machine, but no page of
// another origin, and no foreign host name that resolves to this machine. With a token: whoever sends it, as a bearer
// token or, in a browser, as a cookie.

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

// builtPages: Where the built pages are, and their fonts for pages that the server writes itself.

/** Beside this module in the build, in `dist` when the source runs directly. */
export const builtPages = (): string => {
  const here = fileURLToPath(new URL('../web', import.meta.url))
  return existsSync(join(here, 'assets')) ? here : fileURLToPath(new URL('../../dist/web', import.meta.url))
}

const families = { Inter: 'inter-latin-wght-normal', 'Source Serif 4': 'source-serif-4-latin-wght-normal' }

/** The fonts of the pages as CSS; nothing if the pages aren't built. */
export const pageFonts = (folder = builtPages()): string => {
  const assets = join(folder, 'assets')
  const files = existsSync(assets) ? readdirSync(assets) : []
  return Object.entries(families)
    .map(([family, name]) => {
      const file = files.find(one => one.startsWith(`${name}-`) && one.endsWith('.woff2'))
      return file
        ? `@font-face { font-family: '${family}'; font-weight: 200 900; font-display: swap; src: url(/assets/${file}) format('woff2') }\n`
        : ''
    })
    .join('')
}

// headers: Headers that keep a browser from doing more with a response than showing it.

const policy = (more: Readonly<Record<string, string>>): string =>
  Object.entries({
    'default-src': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'form-action': "'none'",
    ...more,
  })
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')

/** The pages load nothing from other servers. */
export const pagePolicy = policy({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'self'",
})

/** A plain page has one style, known by its hash, and no script unless it needs one of ours. */
export const plainPagePolicy = (styleHash: string, scripts = false): string =>
  policy({
    'style-src': `'sha256-${styleHash}'`,
    'font-src': "'self'",
    'form-action': "'self'",
    ...(scripts && { 'script-src': "'self'", 'connect-src': "'self'" }),
  })

/** An export is opened in a sandbox, although its text is escaped. */
export const exportPolicy = policy({ 'style-src': "'unsafe-inline'", sandbox: '' })

/** For everything that isn't a page: it may load and run nothing. */
export const usualPolicy = policy({})

/** The headers that are the same on every response. */
export const safeHeaders: MiddlewareHandler<Env> = secureHeaders({
  xFrameOptions: 'DENY',
  // With 'no-referrer' a browser sends the login form as of unknown origin, and it is refused.
  referrerPolicy: 'same-origin',
  permissionsPolicy: { camera: [], geolocation: [], microphone: [] },
  // TLS is up to the proxy in front, and this header would also bind other names under its domain.
  strictTransportSecurity: false,
  // For browsers that are gone.
  xXssProtection: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
})

/** What a route may set for itself. Hono's `secureHeaders` would overwrite the policy of the route. */
export const usualHeaders: MiddlewareHandler<Env> = async (context, next) => {
  await next()
  const { headers } = context.res
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', usualPolicy)
  if (context.req.path.startsWith('/api/') && !headers.has('cache-control'))
    headers.set('cache-control', 'no-store')
}

/** Streams are written past the framework, so its middleware adds no headers to them. */
export const streamHeaders = {
  'content-security-policy': usualPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

// idempotency: Idempotency-Key: if a request comes again, it is not carried out again and gets the first reply. Receipts are kept in
// the archive, so that a restart in between does not carry it out twice.

export const receiptSchema = z.object({
  /** A hash of the request: the same key with another request is a mistake. */
  fingerprint: z.string(),
  /** The id of a session that the request opens. */
  id: z.string(),
  /** When it was last tried, in milliseconds since 1970. */
  at: z.number(),
  /** Null while the request is carried out, and forever if a crash ended that. */
  reply: z
    .object({ status: z.int(), body: z.string(), headers: z.record(z.string(), z.string()) })
    .nullable(),
})
type Receipt = z.infer<typeof receiptSchema>

const day = 86_400_000
const hour = 3_600_000
/** Milliseconds after which a request without a reply must have been cut off by a crash. */
const patience = 30_000
const prefix = 'receipt '
const kept = ['content-type', 'location']

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** The setting that holds the receipt, which is each person's own. It is dropped after a day. */
export const receiptName = (...parts: readonly string[]): string => {
  const person = currentPerson()?.person.id
  return `${prefix}${hashOf(...parts, ...(person === undefined ? [] : ['of', person]))}`
}

const checkedKey = (key: string): string => {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new Refusal(
    400,
    'Use 1 to 200 visible ASCII characters as the Idempotency-Key, and a new one for each request.',
  )
}

const replyFrom = ({ status, body, headers }: NonNullable<Receipt['reply']>): Response =>
  new Response(body === '' ? null : body, { status, headers: { ...headers, 'idempotent-replay': 'true' } })

const replyOf = async (response: Response): Promise<NonNullable<Receipt['reply']>> => ({
  status: response.status,
  body: await response.clone().text(),
  headers: Object.fromEntries(
    kept.flatMap(name => (response.headers.has(name) ? [[name, response.headers.get(name)!]] : [])),
  ),
})

export const idempotent = ({
  engine,
  clock,
  newId,
  log,
}: Pick<Service, 'engine' | 'clock' | 'newId' | 'log'>): MiddlewareHandler<Env> => {
  const { archive } = engine
  let sweptAt = clock()
  /** A server may run for months. Only requests with a key leave receipts, so only they have to clean up. */
  const sweep = (): void => {
    if (Math.abs(clock() - sweptAt) < hour) return
    sweptAt = clock()
    dropReceipts(archive, clock).catch((error: unknown) =>
      log.warn({ error: causeOf(error) }, 'Old receipts could not be removed.'),
    )
  }
  const underWay = new Set<string>()
  const since = clock()
  /** If no other process can use the archive, requests of an earlier process will never be finished. */
  const isAbandoned = ({ at }: Receipt): boolean =>
    clock() - at > patience || (engine.alone === true && at < since)

  /** The stored receipt, and whether this request is the one to carry it out. */
  const receiptFor = async (
    name: string,
    fingerprint: string,
  ): Promise<{ receipt: Receipt; ours: boolean }> => {
    const own: Receipt = { fingerprint, id: newId(), at: clock(), reply: null }
    const stored = receiptSchema.parse(await archive.addSetting(name, own))
    if (stored.fingerprint !== fingerprint)
      throw new Refusal(422, 'This Idempotency-Key was used for another request. Choose a new one.')
    const isOwn = stored.id === own.id && stored.at === own.at
    const isCutOff = !stored.reply && !isOwn && !underWay.has(name) && isAbandoned(stored)
    if (isCutOff) {
      // Before the next await, so that if the request comes twice at once, only one carries it out.
      underWay.add(name)
      await archive.saveSetting(name, { ...stored, at: clock() }).catch(error => {
        underWay.delete(name)
        throw error
      })
    }
    return { receipt: stored, ours: isOwn || isCutOff }
  }

  const settle = async (name: string, receipt: Receipt, response: Response): Promise<void> => {
    // After a refusal, the corrected request may use the same key.
    if (response.ok) await archive.saveSetting(name, { ...receipt, reply: await replyOf(response) })
    else await archive.removeSetting(name)
  }

  const carryOut = async (
    context: Context<Env>,
    next: () => Promise<void>,
    name: string,
    receipt: Receipt,
  ) => {
    underWay.add(name)
    context.set('plannedId', receipt.id)
    try {
      await next()
      await settle(name, receipt, context.res)
    } finally {
      underWay.delete(name)
    }
  }

  return async (context, next) => {
    const { req } = context
    const key = req.header('idempotency-key')
    if (req.method !== 'POST' || key === undefined) return next()
    const name = receiptName(checkedKey(key))
    sweep()
    // As bytes: a text made of a file's bytes could not be read again as the file.
    const body = Buffer.from(await req.arrayBuffer())
    const fingerprint = hashOf(req.path, body.toString(isMultipart(req) ? 'latin1' : 'utf8'))
    const { receipt, ours } = await receiptFor(name, fingerprint)
    if (receipt.reply) return replyFrom(receipt.reply)
    if (ours) return carryOut(context, next, name, receipt)
    throw new Refusal(409, 'The same request is being carried out. Try again in a few seconds.', {
      headers: { 'retry-after': '5' },
    })
  }
}

/** Receipts are kept for a day. */
export const dropReceipts = async (archive: Archive, clock: () => number): Promise<void> => {
  for (const [name, value] of Object.entries(await archive.settings())) {
    const receipt = name.startsWith(prefix) ? receiptSchema.safeParse(value) : undefined
    if (receipt && (!receipt.success || clock() - receipt.data.at > day)) await archive.removeSetting(name)
  }
}

// plainPage: A plain page that the server writes itself: one style, no script unless it asks for one, nothing from other servers.

/** The colours and fonts of the pages (`src/web/theme.css`). */
const style = `
${pageFonts()}:root { color-scheme: light dark; --paper: light-dark(#faf8f3, #171613); --surface: light-dark(#fffefb, #1f1d1a);
  --ink: light-dark(#211e19, #ece8df); --soft: light-dark(#5e584e, #b3ac9f); --line: light-dark(#e2dbce, #39352e);
  --edge: light-dark(#8a8275, #857d70); --accent: light-dark(#8a4a1c, #e8a878); --on-accent: light-dark(#fffefb, #1f1410);
  --bad: light-dark(#9d2f26, #f0a096) }
html { background: var(--paper); color: var(--ink) }
body { font: 16px/1.5 Inter, system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word }
h1 { font: 600 1.75rem/1.2 'Source Serif 4', Charter, Georgia, serif }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
h3 { font: 600 1rem/1.5 ui-monospace, monospace; margin: 2rem 0 0.25rem }
h3 b { display: inline-block; min-width: 4.5rem }
a { color: var(--accent) }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; font-size: 0.8rem }
table { border-collapse: collapse } td, th { text-align: left; padding: 0.15rem 1rem 0.15rem 0; vertical-align: top }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.card { max-width: 24rem; margin: 12vh auto 0; padding: 2rem 1.5rem; border: 1px solid var(--line); border-radius: 0.875rem;
  background: var(--surface) }
.card h1 { margin: 0.75rem 0 0.25rem }
.card svg { width: 2.75rem; color: var(--accent) }
.card form { display: grid; gap: 0.5rem; margin-top: 1.25rem }
.card label { font-size: 0.8125rem; font-weight: 600; color: var(--soft) }
.card input, .card button { font: inherit; padding: 0.6rem 0.75rem; border-radius: 0.5rem; box-sizing: border-box; width: 100% }
.card input { border: 1px solid var(--edge); background: var(--paper); color: var(--ink) }
.card button { margin-top: 0.5rem; border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer }
.card button.quiet { border: 1px solid var(--edge); background: none; color: var(--accent) }
.way a { display: block; padding: 0.6rem 0.75rem; border: 1px solid var(--edge); border-radius: 0.5rem; text-align: center }
.panel { margin-top: 1.5rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--surface) }
.panel h2 { margin: 0 0 0.5rem; border: 0; font-size: 1.125rem }
.panel table { width: 100% } .panel td { padding: 0.5rem 0.5rem 0.5rem 0; overflow-wrap: anywhere }
.panel td + td { width: 1%; white-space: nowrap; text-align: right }
.panel form { margin-top: 0.75rem; max-width: 24rem } .panel td form { margin: 0 }
.panel label { display: block; margin-top: 0.5rem; font-size: 0.8125rem; font-weight: 600; color: var(--soft) }
.panel input, .panel select, .panel button { font: inherit; padding: 0.5rem 0.75rem; border-radius: 0.5rem; box-sizing: border-box }
.panel input, .panel select { width: 100%; border: 1px solid var(--edge); background: var(--paper); color: var(--ink) }
.panel button { margin-top: 0.5rem; border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer }
.panel td button { margin: 0 } .panel button.quiet { border: 1px solid var(--edge); background: none; color: var(--ink) }
.panel .row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; max-width: none }
.panel .acts form { display: inline-flex; flex-wrap: nowrap; gap: 0.25rem; margin: 0 0 0.25rem } .panel .acts select { width: auto }
@media (max-width: 44rem) { .panel td:has(+ .acts), .panel td.acts { display: block; width: auto; padding: 0.25rem 0; text-align: left; white-space: normal } }
.new { padding: 0.5rem 0.75rem; border: 1px solid var(--accent); border-radius: 0.5rem } .new code { overflow-wrap: anywhere }
.hint { margin: 0; font-size: 0.875rem; color: var(--soft) }
.wrong { margin: 1rem 0 0; padding: 0.5rem 0.75rem; border: 1px solid var(--bad); border-radius: 0.5rem; color: var(--bad) }
`
const styleHash = createHash('sha256').update(style).digest('base64')

export type Fragment = ReturnType<typeof html>

export const plainPage = async (
  context: Context<Env>,
  title: string,
  body: Fragment,
  status: 200 | 401 | 404 | 422 | 429 = 200,
  scripts = false,
): Promise<Response> =>
  context.html(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>
`,
    status,
    { 'content-security-policy': plainPagePolicy(styleHash, scripts), 'cache-control': 'no-store' },
  )

// login: Login for browsers: a form that takes the token and sets a cookie.

/** Anybody may send this form. */
const longestForm = 10_000
const month = 30 * 86_400

export const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true" fill="currentColor">
<circle cx="16" cy="16" r="7" fill="none" stroke="currentColor" stroke-width="2.5"/>
<circle cx="16" cy="4.2" r="2.7"/><circle cx="26.2" cy="10.1" r="2.7"/><circle cx="26.2" cy="21.9" r="2.7"/>
<circle cx="16" cy="27.8" r="2.7"/><circle cx="5.8" cy="21.9" r="2.7"/>
<circle cx="5.8" cy="10.1" r="2" fill="none" stroke="currentColor" stroke-width="1.6"/>
</svg>`

/** Of this server: a browser takes two slashes for the beginning of another server's name. */
const isPath = (path: string): boolean => /^\/(?![/\\])/.test(path)

/**
 * The page that was asked for. An address of another server here would make this form send people there. It is checked
 * again as it is sent: "/.//name" is a path of this server, and becomes "//name".
 */
export const pathAfterLogin = (to: unknown): string => {
  const here = 'http://here'
  const url = typeof to === 'string' && isPath(to) ? URL.parse(to, here) : null
  const isOurs = url?.origin === here && isPath(url.pathname) && url.pathname !== '/login'
  return isOurs ? url.pathname + url.search : '/'
}

const wrongToken = 'Wrong token. Check it, and try again.'

const form = (
  context: Context<Env>,
  to: string,
  problem?: string,
  status: 200 | 401 | 429 = 200,
): Promise<Response> =>
  plainPage(
    context,
    'Roundtable: log in',
    html`<main class="card">
${mark}
<h1>Roundtable</h1>
<p class="hint">This server asks for an access token. Whoever set the server up has it.</p>
${problem ? html`<p class="wrong" role="alert" id="problem">${problem}</p>` : ''}
<form method="post" action="/login">
<input type="hidden" name="to" value="${to}">
<label for="token">Access token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus aria-describedby="where${problem ? ' problem' : ''}">
<p class="hint" id="where">On the server it is set as ROUNDTABLE_TOKEN.</p>
<button>Log in</button>
</form>
</main>`,
    status,
  )

export const addLogin = (
  app: OpenAPIHono<Env>,
  { token, admin }: Tokens,
  wrong: (context: Context<Env>) => void,
): void => {
  app.get('/login', context => form(context, pathAfterLogin(context.req.query('to'))))
  app.post('/login', bodyLimit(longestForm), async context => {
    const sent: Record<string, unknown> = await context.req.parseBody().catch(() => ({}))
    const to = pathAfterLogin(sent.to)
    const given = sent.token
    const known = [token, admin].find(
      one => one !== undefined && typeof given === 'string' && isToken(given, one),
    )
    if (known === undefined) {
      const refused = refusedBy(() => wrong(context))
      return form(context, to, refused?.message ?? wrongToken, refused ? 429 : 401)
    }
    setCookie(context, cookieName, cookieFor(known), {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure: context.req.header('x-forwarded-proto') === 'https',
      maxAge: month,
    })
    return context.redirect(to, 303)
  })
  app.post('/logout', context => {
    deleteCookie(context, cookieName, { path: '/' })
    return context.redirect('/login', 303)
  })
}

// tokenLinks: Links that a secret token opens. They are not in the log, or every export would contain them.

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** How the settings of one kind of link are called: by what the link is for, and by its token. */
export interface LinkNames {
  of(subject: string): string
  by(token: string): string
}

export interface TokenLinks {
  /** Undefined if there is none. */
  tokenOf(archive: Archive, subject: string): Promise<string | undefined>
  /** Returns the same token until it is revoked. */
  make(archive: Archive, subject: string): Promise<string>
  /** Returns the token that was revoked. Of several that revoke it at once, one gets it. */
  revoke(archive: Archive, subject: string): Promise<string | undefined>
  /** A link is open only as long as its subject names it: what a crash or another process left behind opens nothing. */
  subjectOf(archive: Archive, token: string): Promise<string | undefined>
}

export const tokenLinks = (names: LinkNames): TokenLinks => {
  const tokenOf: TokenLinks['tokenOf'] = async (archive, subject) =>
    textOf(await archive.setting(names.of(subject)))
  return {
    tokenOf,
    async make(archive, subject) {
      const existing = await tokenOf(archive, subject)
      if (existing !== undefined) return existing
      const token = randomBytes(32).toString('base64url')
      // First, and never again: written after somebody has revoked the link, it would open it once more.
      await archive.saveSetting(names.by(token), subject)
      const stored = textOf(await archive.addSetting(names.of(subject), token))
      if (stored === undefined) throw new Error(`The link of ${subject} is not a token.`)
      if (stored !== token) await archive.removeSetting(names.by(token))
      return stored
    },
    async revoke(archive, subject) {
      const token = textOf(await archive.removeSetting(names.of(subject)))
      if (token !== undefined) await archive.removeSetting(names.by(token))
      return token
    },
    async subjectOf(archive, token) {
      const subject = textOf(await archive.setting(names.by(token)))
      if (subject === undefined) return undefined
      return (await tokenOf(archive, subject)) === token ? subject : undefined
    },
  }
}
