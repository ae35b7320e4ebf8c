/** Headers that keep a browser from doing more with an answer than showing it. */
import type { MiddlewareHandler } from 'hono'
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

/** The pages load nothing but what this server has. */
export const pagePolicy = policy({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'self'",
})

/** A page of the server's own, with one style that is known by its hash. */
export const plainPagePolicy = (styleHash: string): string =>
  policy({ 'style-src': `'sha256-${styleHash}'`, 'form-action': "'self'" })

/** An export is opened apart from everything else, though its text is escaped. */
export const exportPolicy = policy({ 'style-src': "'unsafe-inline'", sandbox: '' })

export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy({}),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** A route that knows better has set its own. */
export const secured: MiddlewareHandler<Env> = async (context, next) => {
  await next()
  for (const [name, value] of Object.entries(securityHeaders))
    if (!context.res.headers.has(name)) context.res.headers.set(name, value)
  if (context.req.path.startsWith('/api/') && !context.res.headers.has('cache-control'))
    context.res.headers.set('cache-control', 'no-store')
}
