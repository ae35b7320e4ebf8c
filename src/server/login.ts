/** Login for browsers: a form that takes the token and sets a cookie. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { cookieFor, cookieName, isToken, type Tokens } from './access.ts'
import { bodyLimit } from './limits.ts'
import { plainPage } from './plain-page.ts'
import { refusedBy } from './problem.ts'
import type { Env } from './service.ts'

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
