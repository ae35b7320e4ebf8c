/** A person's own account: where they are logged in, their keys, their password. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Accounts } from '../../accounts/accounts.ts'
import { type ListedKey, longestKeyDays, scopeFrom, scopes } from '../../accounts/keys.ts'
import { longestPassword, shortestPassword } from '../../accounts/passwords.ts'
import type { SignIn } from '../../accounts/sign-ins.ts'
import type { PersonVisitor } from '../../accounts/visitor.ts'
import { UsageError } from '../../core/errors.ts'
import { utcDayText } from '../../core/wording/dates.ts'
import { addressOf, bodyLimit } from '../limits.ts'
import { type Fragment, plainPage } from '../plain-page.ts'
import type { Env } from '../service.ts'
import { browserName } from './browser-name.ts'
import { dropSignIn } from './cookie.ts'
import { enter, type FormFields, fieldsIn, longestForm, problemNote, signedIn, wordsOf } from './forms.ts'

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
    if (has && !(await accounts.passwords.isRight(person.id, field('old'), person.id)))
      throw new UsageError('The current password is wrong. Nothing was changed.')
    await endAll()
    await accounts.changePassword(person, field('password'), actor(context))
    await enter(accounts, context, person)
    return context.redirect('/account', 303)
  })
  return form
}
