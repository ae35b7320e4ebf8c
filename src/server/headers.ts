/** Headers that keep a browser from doing more with a response than showing it. */
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Env } from './service.ts'

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
