/** What the pages of accounts share: reading a form, and showing what was wrong with it. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { keySchema } from '../core/ask.ts'
import { UsageError, utcDayText } from '../core/basics.ts'
import { type Fragment, mark, pathAfterLogin, plainPage } from '../http/guards.ts'
import { addressOf, bodyLimit } from '../http/limits.ts'
import { Refusal, refusedBy } from '../http/log.ts'
import type { Env, ServedAccounts, Service } from '../http/service.ts'
import { tryOut } from '../table/doctor.ts'
import type { Reach } from '../table/reach.ts'
import { type Accounts, longestPassword, shortestPassword } from './accounts.ts'
import { browserMark, browserName, dropSignIn, keepBrowser, keepSignIn, signInSecret } from './guard.ts'
import type { Invitation, MakerKeys, OwnEndpoints, ShownEndpoint, ShownMakerKey, SignIn } from './people.ts'
import { currentPerson, type PersonVisitor, visitorMay } from './permissions.ts'
import { type ListedKey, longestKeyDays, scopeFrom, scopes } from './person.ts'
import type { OwnSeats } from './scoped.ts'
import type { Passkey, Passkeys } from './sign-in.ts'

/** Anybody may send these forms. */
export const longestForm = 10_000

/** The text in a field of a form, without NUL, which no database takes; empty if there is none. */
export type FormFields = (name: string) => string

export const fieldsIn = async (context: Context<Env>): Promise<FormFields> => {
  const sent: Record<string, unknown> = await context.req.parseBody().catch(() => ({}))
  return name => {
    const value = sent[name]
    return typeof value === 'string' ? value.replaceAll('\0', '') : ''
  }
}

export const problemNote = (problem: string | undefined): Fragment =>
  problem === undefined ? html`` : html`<p class="wrong" role="alert" id="problem">${problem}</p>`

/** What a person did wrong, in words; anything else is an error of the program. */
export const wordsOf = (error: unknown): string => {
  if (UsageError.isInstance(error)) return error.message
  throw error
}

/** As the browser calls itself. */
export const browserOf = (context: Context<Env>): string => context.req.header('user-agent') ?? 'unknown'

/** Starts a sign-in in this browser. */
export const enter = async (
  accounts: Accounts,
  context: Context<Env>,
  person: Parameters<Accounts['signIn']>[0],
): Promise<void> => {
  keepSignIn(context, await accounts.signIn(person, addressOf(context), browserOf(context)))
  await keepBrowser(accounts, context, person)
}

/** A command on this machine has no account of its own. */
export const signedIn = (): PersonVisitor => {
  const visitor = currentPerson()
  if (visitor) return visitor
  throw new Refusal(403, 'Log in at /sign-in: this page is about your own account.')
}

// accountPage: A person's own account: where they are logged in, their keys, their password.

export interface AccountPageParts {
  readonly accounts: Accounts
  /** More sections of the page, such as passkeys. */
  readonly sections: readonly ((visitor: PersonVisitor) => Promise<Fragment>)[]
  /** A section has a script. */
  readonly scripts: boolean
  /** Ends the streams of a sign-in, or of a key. */
  readonly endedSignIn: (id: string) => void
  readonly endedKey: (id: string) => void
}

/** What the page says besides what is stored. */
interface News {
  readonly problem?: string
  /** What was done, or found out. */
  readonly done?: string
  /** Shown once. */
  readonly newKey?: string
}

const signInRow = ({ id, since, from, browser }: SignIn, here: boolean): Fragment =>
  html`<tr><td>${browserName(browser)}<br><span class="hint">${from}, since ${utcDayText(since)}</span></td><td>${
    here
      ? html`this browser`
      : html`<form method="post" action="/account/sign-ins/end"><input type="hidden" name="id" value="${id}"><button class="quiet">End</button></form>`
  }</td></tr>`

const keyRow = ({ id, label, scope, until, used }: ListedKey): Fragment =>
  html`<tr><td>${label}<br><span class="hint">${scope}, until ${utcDayText(until)}, ${
    used === null ? 'never used' : `last used ${utcDayText(used)}`
  }</span></td><td><form method="post" action="/account/keys/revoke"><input type="hidden" name="id" value="${id}"><button class="quiet">Revoke</button></form></td></tr>`

const doneNote = (done: string | undefined): Fragment =>
  done === undefined ? html`` : html`<p class="new" role="status">${done}</p>`

const keyNote = (key: string | undefined): Fragment =>
  key === undefined
    ? html``
    : html`<p class="new" role="status">Your new key. It is shown only now:<br><code>${key}</code></p>`

const keysPart = (keys: readonly ListedKey[], newKey: string | undefined): Fragment =>
  html`<section class="panel"><h2>API keys</h2>
<p class="hint">For programs: send one as “Authorization: Bearer rt_…”. “read” reads, “ask” also asks, “all” also shares, deletes and changes settings. No key manages accounts.</p>
${keyNote(newKey)}
<table>${keys.map(keyRow)}</table>
<form method="post" action="/account/keys" class="row">
<div><label for="label">For</label><input id="label" name="label" required maxlength="100"></div>
<div><label for="scope">May</label><select id="scope" name="scope">${scopes.map(one => html`<option>${one}</option>`)}</select></div>
<div><label for="days">Days</label><input id="days" name="days" type="number" min="1" max="${longestKeyDays}" value="90" required></div>
<button>Create key</button></form></section>`

const passwordPart = (has: boolean): Fragment =>
  html`<section class="panel"><h2>Password</h2>
<p class="hint">A new password ends every other login.</p>
<form method="post" action="/account/password">
${has ? html`<label for="old">Current password</label><input id="old" name="old" type="password" autocomplete="current-password" required maxlength="${longestPassword}">` : ''}
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${shortestPassword}" maxlength="${longestPassword}">
<button>Change password</button></form></section>`

const page = async (
  context: Context<Env>,
  { accounts, sections, scripts }: AccountPageParts,
  { problem, done, newKey }: News = {},
): Promise<Response> => {
  const visitor = signedIn()
  const { person, by } = visitor
  const [signIns, keys, has, more] = await Promise.all([
    accounts.signIns.of(person.id),
    accounts.keys.of(person.id),
    accounts.passwords.has(person.id),
    Promise.all(sections.map(section => section(visitor))),
  ])
  const isHere = ({ id }: SignIn): boolean => 'signIn' in by && by.signIn === id
  return plainPage(
    context,
    'Roundtable: your account',
    html`<main>
<p><a href="/">Back to Roundtable</a>${person.role === 'admin' ? html` · <a href="/team">Team</a>` : ''}</p>
<h1>${person.name}</h1>
<p class="hint">${person.role} since ${utcDayText(person.since)}</p>
${problemNote(problem)}
${doneNote(done)}
<section class="panel"><h2>Logged in</h2>
<table>${signIns.map(one => signInRow(one, isHere(one)))}</table>
<div class="row"><form method="post" action="/sign-out"><button>Log out</button></form>
<form method="post" action="/account/sign-out-everywhere"><button class="quiet">Log out everywhere</button></form></div></section>
${keysPart(keys, newKey)}
${passwordPart(has)}
${more}
</main>`,
    problem === undefined ? 200 : 422,
    scripts,
  )
}

/** A form of the page: what was wrong is shown on the page itself, and so is what `work` has to say. */
export type AccountForm = (
  path: string,
  work: (context: Context<Env>, field: FormFields) => Promise<Response | string>,
) => void

export const addAccountPage = (app: OpenAPIHono<Env>, parts: AccountPageParts): AccountForm => {
  const { accounts, endedSignIn, endedKey } = parts
  const actor = (context: Context<Env>) => ({ who: signedIn().person.id, from: addressOf(context) })
  const form: AccountForm = (path, work) => {
    app.post(path, bodyLimit(longestForm), async context => {
      try {
        const reply = await work(context, await fieldsIn(context))
        return typeof reply === 'string' ? page(context, parts, { done: reply }) : reply
      } catch (error) {
        return page(context, parts, { problem: wordsOf(error) })
      }
    })
  }
  const endAll = async (): Promise<void> => {
    for (const { id } of await accounts.signIns.of(signedIn().person.id)) endedSignIn(id)
  }
  app.get('/account', context => page(context, parts))
  form('/account/keys', async (context, field) => {
    const { person } = signedIn()
    const [scope, days] = [scopeFrom(field('scope')), Number(field('days'))]
    const newKey = await accounts.keys.make(person.id, field('label'), scope, days)
    await accounts.audit.add(actor(context), `key-made-${scope}`, person.id, field('label'))
    return page(context, parts, { newKey })
  })
  form('/account/keys/revoke', async (context, field) => {
    const { person } = signedIn()
    const id = field('id')
    const label = await accounts.keys.revoke(person.id, id)
    if (label !== undefined) {
      endedKey(id)
      await accounts.audit.add(actor(context), 'key-revoked', person.id, label)
    }
    return context.redirect('/account', 303)
  })
  form('/account/sign-ins/end', async (context, field) => {
    const { person } = signedIn()
    await accounts.signIns.end(person.id, field('id'))
    endedSignIn(field('id'))
    await accounts.audit.add(actor(context), 'sign-in-ended', person.id)
    return context.redirect('/account', 303)
  })
  form('/account/sign-out-everywhere', async context => {
    await endAll()
    await accounts.signOutEverywhere(signedIn().person, actor(context))
    dropSignIn(context)
    return context.redirect('/sign-in', 303)
  })
  form('/account/password', async (context, field) => {
    const { person } = signedIn()
    const has = await accounts.passwords.has(person.id)
    if (has && !(await accounts.passwords.isRight(person.id, field('old'), { browser: person.id })))
      throw new UsageError('The current password is wrong. Nothing was changed.')
    await endAll()
    await accounts.changePassword(person, field('password'), actor(context))
    await enter(accounts, context, person)
    return context.redirect('/account', 303)
  })
  return form
}

// doors: What every way to log in needs of the server.

export interface Doors extends Pick<Service, 'log' | 'clock'> {
  readonly app: OpenAPIHono<Env>
  readonly accounts: ServedAccounts
  /** Counts a failed try by its address, and refuses more than a few a minute. */
  readonly wrong: (context: Context<Env>) => void
}

// endpointPage: Endpoints that are a person's own, on their account page. A key is never sent back, only its end.

const button = (id: string, act: 'test' | 'remove', words: string): Fragment =>
  html`<form method="post" action="/account/endpoints/${act}"><input type="hidden" name="id" value="${id}"><button class="quiet">${words}</button></form>`

const row = ({ id, shown, ending }: ShownEndpoint): Fragment =>
  html`<tr><td>${id}<br><span class="hint">${shown}, ${ending === null ? 'no key' : `key ${ending}`}</span></td><td>${button(id, 'test', 'Test')}</td><td>${button(id, 'remove', 'Remove')}</td></tr>`

/** The section of the account page. */
export const endpointsOf =
  (endpoints: OwnEndpoints) =>
  async (visitor: PersonVisitor): Promise<Fragment> =>
    visitorMay(visitor, 'change-endpoint')
      ? html`<section class="panel"><h2>Your endpoints</h2>
<p class="hint">OpenAI-compatible servers that only your own sessions can seat, as “name/model”. Address and key are stored encrypted, and the key is never shown again.</p>
<table>${(await endpoints.of(visitor.person.id)).map(row)}</table>
<form method="post" action="/account/endpoints" class="row">
<div><label for="endpoint">Name</label><input id="endpoint" name="id" required maxlength="60"></div>
<div><label for="endpoint-address">Address</label><input id="endpoint-address" name="address" type="url" placeholder="https://…/v1" required maxlength="2000"></div>
<div><label for="endpoint-key">Key, if it needs one</label><input id="endpoint-key" name="key" type="password" autocomplete="off" maxlength="1000"></div>
<button>Save endpoint</button></form></section>`
      : html``

export const addEndpoints = (
  form: AccountForm,
  { audit }: ServedAccounts,
  { endpoints, isServers }: OwnSeats,
  { reach, clock }: Pick<Service, 'reach' | 'clock'>,
): void => {
  form('/account/endpoints', async (context, field) => {
    const { person } = signedIn()
    const id = field('id').trim()
    if (isServers(id))
      throw new UsageError(
        `The server has "${id.slice(0, 60)}" already, or keeps the name. Choose another name.`,
      )
    await endpoints.save(person.id, id, field('address'), field('key'))
    await audit.add({ who: person.id, from: addressOf(context) }, 'endpoint-saved', person.id)
    return context.redirect('/account', 303)
  })
  form('/account/endpoints/test', async (_context, field) => {
    const id = field('id')
    const { person } = signedIn()
    const isOwn = (await endpoints.of(person.id)).some(one => one.id === id)
    const finding = isOwn ? await tryOut(reach.config, reach, id, clock) : undefined
    if (!finding)
      throw new UsageError('You have no such endpoint, or the server has one with this name since.')
    if (finding.state === 'good') return `${id} answers: ${finding.words}.`
    throw new UsageError(`${id} doesn’t answer. ${finding.words}. ${finding.advice ?? ''}`)
  })
  form('/account/endpoints/remove', async (context, field) => {
    const { person } = signedIn()
    if (await endpoints.remove(person.id, field('id')))
      await audit.add({ who: person.id, from: addressOf(context) }, 'endpoint-removed', person.id)
    return context.redirect('/account', 303)
  })
}

// makerKeyPage: Keys of makers that are a person's own, on their account page. A key is never sent back, only its end.

type Connected = Pick<Reach, 'connections'>

/** Makers that the server reaches with a key of its own: a person's key takes its place. */
const makersIn = ({ connections }: Connected) => connections.filter(({ maker }) => maker.keys.length > 0)

const makerKeyRow = ({ maker, ending }: ShownMakerKey): Fragment =>
  html`<tr><td>${maker}<br><span class="hint">${ending}</span></td><td><form method="post" action="/account/maker-keys/remove"><input type="hidden" name="maker" value="${maker}"><button class="quiet">Remove</button></form></td></tr>`

const form = (
  reach: Connected,
): Fragment => html`<form method="post" action="/account/maker-keys" class="row">
<div><label for="maker">Provider</label><select id="maker" name="maker">${makersIn(reach).map(
  ({ maker }) => html`<option value="${maker.id}">${maker.label}</option>`,
)}</select></div>
<div><label for="maker-key">Key</label><input id="maker-key" name="key" type="password" autocomplete="off" required maxlength="1000"></div>
<button>Save key</button></form>`

/** The section of the account page. */
export const makerKeysOf =
  (keys: MakerKeys, reach: Connected) =>
  async ({ person }: PersonVisitor): Promise<Fragment> =>
    html`<section class="panel"><h2>Providers’ keys</h2>
<p class="hint">Your sessions use your own keys instead of the server’s. They are stored encrypted, and never shown again.</p>
<table>${(await keys.of(person.id)).map(makerKeyRow)}</table>
${makersIn(reach).length > 0 ? form(reach) : html`<p class="hint">This server reaches no provider that takes a key.</p>`}</section>`

export const addMakerKeys = ({ app, accounts }: Doors, keys: MakerKeys, reach: Connected): void => {
  app.post('/account/maker-keys', bodyLimit(longestForm), async context => {
    const { person } = signedIn()
    const field = await fieldsIn(context)
    const connection = makersIn(reach).find(({ maker }) => maker.id === field('maker'))
    if (!connection) throw new Refusal(422, 'This server does not reach that provider. Choose another one.')
    const key = keySchema.safeParse(field('key'))
    if (!key.success) throw new Refusal(422, 'That is not a key. Copy it again, without spaces.')
    await keys.save(person.id, connection.maker.id, key.data, connection.address)
    await accounts.audit.add({ who: person.id, from: addressOf(context) }, 'maker-key-saved', person.id)
    return context.redirect('/account', 303)
  })
  app.post('/account/maker-keys/remove', bodyLimit(longestForm), async context => {
    const { person } = signedIn()
    const field = await fieldsIn(context)
    if (await keys.remove(person.id, field('maker')))
      await accounts.audit.add({ who: person.id, from: addressOf(context) }, 'maker-key-removed', person.id)
    return context.redirect('/account', 303)
  })
}

// passkeyParts: The passkey buttons of the plain pages. They show themselves once their script runs in a browser that has passkeys.

export const passkeyScript = '/sign-in/passkeys.js'

/** Undefined if the pages aren't built: then there are no buttons either. */
export const passkeyScriptIn = (pages: string): string | undefined => {
  const file = join(pages, 'passkeys.js')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Within a form, whose fields are sent along. The page needs `scripts`. */
const passkeyButton = (path: string, use: 'add' | 'sign-in', label: string, look = ''): Fragment => html`
<button type="button" class="${look}" data-passkey="${path}" data-passkey-use="${use}" hidden>${label}</button>
<p class="wrong" role="alert" data-passkey-problem hidden></p>
<script type="module" src="${passkeyScript}"></script>`

export const passkeySignIn = (): Fragment =>
  passkeyButton('/sign-in/passkey', 'sign-in', 'Log in with a passkey', 'quiet')

/** Beside the field for the name. */
export const passkeyJoin = (secret: string): Fragment =>
  passkeyButton(`/invitation/${secret}/passkey`, 'add', 'Join with a passkey', 'quiet')

const passkeyRow = ({ id, host, madeAt, usedAt }: Passkey): Fragment =>
  html`<tr><td>${host}<br><span class="hint">since ${utcDayText(madeAt)}, ${
    usedAt === null ? 'never used' : `last used ${utcDayText(usedAt)}`
  }</span></td><td><form method="post" action="/account/passkeys/remove"><input type="hidden" name="id" value="${id}"><button class="quiet">Remove</button></form></td></tr>`

/** The section of the account page. */
export const passkeysOf =
  (passkeys: Passkeys) =>
  async ({ person }: PersonVisitor): Promise<Fragment> =>
    html`<section class="panel"><h2>Passkeys</h2>
<p class="hint">A passkey logs you in with your device instead of a password.</p>
<table>${(await passkeys.of(person.id)).map(passkeyRow)}</table>
<form>${passkeyButton('/account/passkeys', 'add', 'Add a passkey')}</form></section>`

// signInPage: Logging in with a name and a password, logging out, and accepting an invitation.

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
  const unusable = (context: Context<Env>): Promise<Response> =>
    usedUp(
      context,
      refusedBy(() => wrong(context)),
    )
  app.get('/invitation/:token', async context => {
    const token = context.req.param('token')
    const invitation = await accounts.invitations.with(token)
    return invitation ? invitationForm(context, parts, token, invitation) : unusable(context)
  })
  app.post('/invitation/:token', bodyLimit(longestForm), async context => {
    const token = context.req.param('token')
    if (!(await accounts.invitations.with(token))) return unusable(context)
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
  const { accounts, ended } = parts
  // Pages that were open before send people here.
  app.get('/login', context =>
    context.redirect(`/sign-in?to=${encodeURIComponent(pathAfterLogin(context.req.query('to')))}`),
  )
  app.get('/sign-in', context => signInForm(context, parts, pathAfterLogin(context.req.query('to'))))
  app.post('/sign-in', bodyLimit(longestForm), async context => {
    const field = await fieldsIn(context)
    const to = pathAfterLogin(field('to'))
    const entry = {
      ...{ nameOrEmail: field('name'), password: field('password') },
      ...{ from: addressOf(context), browser: browserOf(context), mark: browserMark(context) },
    }
    try {
      const entered = await accounts.signInWith(entry)
      if (entered) {
        keepSignIn(context, entered.secret)
        await keepBrowser(accounts, context, entered.person)
        return context.redirect(to, 303)
      }
    } catch (error) {
      // Before the audit log: guesses over the limit must not fill it.
      return signInForm(context, parts, to, wordsOf(error), 429)
    }
    await accounts.noteFailure(entry.nameOrEmail, entry.from)
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
