/** Logging in with a name and a password, logging out, and accepting an invitation. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Invitation } from '../../accounts/invitations.ts'
import { longestPassword, shortestPassword } from '../../accounts/passwords.ts'
import { addressOf, bodyLimit } from '../limits.ts'
import { mark, pathAfterLogin } from '../login.ts'
import { type Fragment, plainPage } from '../plain-page.ts'
import { type Refusal, refusedBy } from '../problem.ts'
import type { Env } from '../service.ts'
import { dropSignIn, keepSignIn, signInSecret } from './cookie.ts'
import { browserOf, enter, fieldsIn, longestForm, problemNote, wordsOf } from './forms.ts'
import { passkeyJoin, passkeySignIn } from './passkey-parts.ts'

/** Another way to log in, as a button under the form. */
export interface SignInWay {
  readonly label: string
  /** Where the button leads; the page that was asked for is added as `to`, or an invitation as `invitation`. */
  readonly path: string
}

export interface SignInParts {
  readonly accounts: Accounts
  readonly ways: readonly SignInWay[]
  /** Their script is built. */
  readonly passkeys: boolean
  readonly wrong: (context: Context<Env>) => void
  /** Ends the streams of a sign-in. */
  readonly ended: (signIn: string) => void
}

const wayButtons = (ways: readonly SignInWay[], name: 'to' | 'invitation', value: string): Fragment[] =>
  ways.map(
    ({ label, path }) =>
      html`<p class="way"><a href="${path}?${name}=${encodeURIComponent(value)}">${label}</a></p>`,
  )

const signInForm = (
  context: Context<Env>,
  { ways, passkeys }: SignInParts,
  to: string,
  problem?: string,
  status: 200 | 401 | 429 = problem === undefined ? 200 : 401,
): Promise<Response> =>
  plainPage(
    context,
    'Roundtable: log in',
    html`<main class="card">
${mark}
<h1>Roundtable</h1>
<p class="hint">Log in to your account. An admin of this server can invite you.</p>
${problemNote(problem)}
<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${to}">
<label for="name">Name or e-mail</label>
<input id="name" name="name" autocomplete="username" required autofocus maxlength="200">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="${longestPassword}">
<button>Log in</button>
</form>
${passkeys ? html`<form><input type="hidden" name="to" value="${to}">${passkeySignIn()}</form>` : ''}
${wayButtons(ways, 'to', to)}
</main>`,
    status,
    passkeys,
  )

const invitationForm = (
  context: Context<Env>,
  { ways, passkeys }: SignInParts,
  token: string,
  { role, name = '' }: Invitation,
  problem?: string,
): Promise<Response> =>
  plainPage(
    context,
    'Roundtable: accept the invitation',
    html`<main class="card">
${mark}
<h1>Welcome</h1>
<p class="hint">You are invited to this Roundtable as ${role}. Choose a name, and a password${passkeys ? ' or a passkey' : ''}.</p>
${problemNote(problem)}
<form method="post" action="/invitation/${token}">
<label for="name">Name</label>
<input id="name" name="name" value="${name}" autocomplete="username" required autofocus maxlength="100">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${shortestPassword}" maxlength="${longestPassword}" aria-describedby="rule">
<p class="hint" id="rule">At least ${shortestPassword} characters.</p>
<button>Create account</button>
${passkeys ? passkeyJoin(token) : ''}
</form>
${wayButtons(ways, 'invitation', token)}
</main>`,
    problem === undefined ? 200 : 422,
    passkeys,
  )

const usedUp = (context: Context<Env>, refused?: Refusal): Promise<Response> =>
  plainPage(
    context,
    'Roundtable: invitation',
    html`<main class="card">
${mark}
<h1>This invitation no longer works</h1>
${problemNote(refused?.message)}
<p class="hint">It was used or revoked, has expired, or the link is incomplete. Ask for a new one, or <a href="/sign-in">log in</a> if you have an account.</p>
</main>`,
    refused ? 429 : 404,
  )

const addInvitations = (app: OpenAPIHono<Env>, parts: SignInParts): void => {
  const { accounts, wrong } = parts
  app.get('/invitation/:token', async context => {
    const token = context.req.param('token')
    const invitation = await accounts.invitations.with(token)
    if (invitation) return invitationForm(context, parts, token, invitation)
    return usedUp(
      context,
      refusedBy(() => wrong(context)),
    )
  })
  app.post('/invitation/:token', bodyLimit(longestForm), async context => {
    const token = context.req.param('token')
    const field = await fieldsIn(context)
    try {
      const name = field('name').slice(0, 200)
      await enter(
        accounts,
        context,
        await accounts.accept(token, name, field('password'), addressOf(context)),
      )
      return context.redirect('/', 303)
    } catch (error) {
      const problem = wordsOf(error)
      const invitation = await accounts.invitations.with(token)
      return invitation ? invitationForm(context, parts, token, invitation, problem) : usedUp(context)
    }
  })
}

export const addSignIn = (app: OpenAPIHono<Env>, parts: SignInParts): void => {
  const { accounts, wrong, ended } = parts
  // Pages that were open before send people here.
  app.get('/login', context =>
    context.redirect(`/sign-in?to=${encodeURIComponent(pathAfterLogin(context.req.query('to')))}`),
  )
  app.get('/sign-in', context => signInForm(context, parts, pathAfterLogin(context.req.query('to'))))
  app.post('/sign-in', bodyLimit(longestForm), async context => {
    const field = await fieldsIn(context)
    const to = pathAfterLogin(field('to'))
    try {
      const secret = await accounts.signInWith(
        field('name'),
        field('password'),
        addressOf(context),
        browserOf(context),
      )
      if (secret !== undefined) {
        keepSignIn(context, secret)
        return context.redirect(to, 303)
      }
    } catch (error) {
      return signInForm(context, parts, to, wordsOf(error))
    }
    // First: guesses over the limit must not fill the audit log.
    const refused = refusedBy(() => wrong(context))
    if (refused) return signInForm(context, parts, to, refused.message, 429)
    await accounts.noteFailure(field('name'), addressOf(context))
    return signInForm(context, parts, to, 'Wrong name or password. Check them, and try again.')
  })
  app.post('/sign-out', async context => {
    const { signIn } = (await accounts.signIns.with(signInSecret(context) ?? '')) ?? {}
    if (signIn) {
      await accounts.signIns.end(signIn.person, signIn.id)
      ended(signIn.id)
    }
    dropSignIn(context)
    return context.redirect('/sign-in', 303)
  })
  addInvitations(app, parts)
}
