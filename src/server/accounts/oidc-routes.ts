/** Logging in with the team's provider: to it, back from it, and a page in plain words if that fails. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { admit } from '../../accounts/oidc/admission.ts'
import { OidcFailure } from '../../accounts/oidc/failure.ts'
import { openProvider } from '../../accounts/oidc/provider.ts'
import type { OidcSettings } from '../../accounts/oidc/settings.ts'
import { oidcSignIns } from '../../accounts/oidc/sign-in.ts'
import { oneUseSeconds } from '../../accounts/one-use.ts'
import { isSecretLike } from '../../accounts/secrets.ts'
import { UsageError } from '../../core/errors.ts'
import { addressOf, perMinute } from '../limits.ts'
import { pathAfterLogin } from '../login.ts'
import { plainPage } from '../plain-page.ts'
import type { Env } from '../service.ts'
import type { Doors } from './doors.ts'
import { enter } from './forms.ts'
import type { SignInWay } from './sign-in-page.ts'
import { siteOf } from './site.ts'

const cookie = 'roundtable-oidc'
/** By address: each one is stored until somebody comes back, or ten minutes are over. */
const beginsPerMinute = 60
const path = '/sign-in/oidc'

export const oidcWay = ({ name }: OidcSettings): SignInWay => ({ label: `Log in with ${name}`, path })

const problemPage = (context: Context<Env>, name: string, words: string): Promise<Response> =>
  plainPage(
    context,
    'Roundtable: not logged in',
    html`<main class="card">
<h1>Not logged in</h1>
<p class="wrong" role="alert">${words}</p>
<p><a href="${path}">Log in with ${name}</a></p>
<p><a href="/sign-in">Other ways to log in</a></p>
</main>`,
    401,
  )

export const addOidc = (doors: Doors, settings: OidcSettings): void => {
  const { app, accounts, clock, log, wrong } = doors
  const { archive } = accounts
  const { name, domains } = settings
  const signIns = oidcSignIns(openProvider(settings), archive, clock)

  /** What a person can do something about is a page; anything else is an error of ours. */
  const orPage = async (context: Context<Env>, work: () => Promise<Response>): Promise<Response> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OidcFailure) && !UsageError.isInstance(error)) throw error
      const problem = error instanceof OidcFailure ? error.problem : 'usage'
      if (problem === 'away' || problem === 'invalid')
        log.warn({ problem, error: String(error.cause) }, 'A login with the provider failed.')
      wrong(context)
      return problemPage(context, name, error.message)
    }
  }

  const begins = perMinute(beginsPerMinute, clock)
  app.get(path, context =>
    orPage(context, async () => {
      begins(addressOf(context))
      const invitation = context.req.query('invitation')
      const { address, secret } = await signIns.begin({
        redirect: `${siteOf(context).origin}${path}/callback`,
        to: pathAfterLogin(context.req.query('to')),
        invitation: invitation !== undefined && isSecretLike(invitation) ? invitation : null,
      })
      setCookie(context, cookie, secret, {
        path,
        httpOnly: true,
        // The provider's page leads back here, and a strict cookie would not come along.
        sameSite: 'Lax',
        secure: siteOf(context).origin.startsWith('https:'),
        maxAge: oneUseSeconds,
      })
      return context.redirect(address.href, 303)
    }),
  )

  app.get(`${path}/callback`, context =>
    orPage(context, async () => {
      const secret = getCookie(context, cookie)
      deleteCookie(context, cookie, { path })
      const { search } = new URL(context.req.url)
      const { to, ...returned } = await signIns.finish(secret, search)
      const person = await admit({ accounts, archive, domains }, returned, addressOf(context))
      await enter(accounts, context, person)
      return context.redirect(to, 303)
    }),
  )
}
