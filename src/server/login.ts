/** Login for browsers: a form that takes the token and sets a cookie. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { cookieFor, cookieName, isToken } from './access.ts'
import { bodyLimit } from './limits.ts'
import { plainPage } from './plain-page.ts'
import type { Env } from './service.ts'

/** Anybody may send this form. */
const longestForm = 10_000
const month = 30 * 86_400

const form = (context: Context<Env>, wrong: boolean): Promise<Response> =>
  plainPage(
    context,
    'Roundtable: log in',
    html`<h1>Roundtable</h1>
${wrong ? html`<p class="wrong" role="alert">Wrong token.</p>` : ''}
<form method="post" action="/login">
<label for="token">Token of this server (ROUNDTABLE_TOKEN)</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Log in</button>
</form>`,
    wrong ? 401 : 200,
  )

export const addLogin = (
  app: OpenAPIHono<Env>,
  token: string,
  wrong: (context: Context<Env>) => void,
): void => {
  app.get('/login', context => form(context, false))
  app.post('/login', bodyLimit(longestForm), async context => {
    const given = (await context.req.parseBody().catch(() => ({}) as { token?: unknown })).token
    if (typeof given !== 'string' || !isToken(given, token)) {
      wrong(context)
      return form(context, true)
    }
    setCookie(context, cookieName, cookieFor(token), {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure: context.req.header('x-forwarded-proto') === 'https',
      maxAge: month,
    })
    return context.redirect('/', 303)
  })
  app.post('/logout', context => {
    deleteCookie(context, cookieName, { path: '/' })
    return context.redirect('/login', 303)
  })
}
