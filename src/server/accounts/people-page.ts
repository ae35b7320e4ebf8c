/** The admins' page: people and their roles, invitations, and the audit log. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Actor, AuditEntry } from '../../accounts/audit.ts'
import { type Invitation, invitationDays, invitationPath } from '../../accounts/invitations.ts'
import { checkedName, type Person, roleFrom, roles } from '../../accounts/person.ts'
import { UsageError } from '../../core/errors.ts'
import { addressOf, bodyLimit } from '../limits.ts'
import { type Fragment, plainPage } from '../plain-page.ts'
import type { Env } from '../service.ts'
import { type FormFields, fieldsIn, longestForm, problemNote, signedIn, wordsOf } from './forms.ts'

export interface PeoplePageParts {
  readonly accounts: Accounts
  /** More sections of the page, such as budgets. */
  readonly sections: readonly (() => Promise<Fragment>)[]
  /** Ends the streams of a sign-in. */
  readonly endedSignIn: (id: string) => void
}

interface News {
  readonly problem?: string
  /** Shown once. */
  readonly link?: string
}

const newestEntries = 50

const dayOf = (at: string | number): string => new Date(at).toISOString().slice(0, 10)

const button = (path: string, id: string, label: string): Fragment =>
  html`<form method="post" action="/people/${path}"><input type="hidden" name="id" value="${id}"><button class="quiet">${label}</button></form>`

const roleForm = ({ id, name, role }: Person): Fragment =>
  html`<form method="post" action="/people/role" class="row"><input type="hidden" name="id" value="${id}">
<select name="role" aria-label="Role of ${name}">${roles.map(one => html`<option ${one === role ? 'selected' : ''}>${one}</option>`)}</select><button class="quiet">Change role</button></form>`

const personRow = (person: Person): Fragment => {
  const { id, name, email, since, disabled } = person
  const more = [email, `since ${dayOf(since)}`, disabled && 'disabled'].filter(Boolean).join(', ')
  return html`<tr><td>${name}<br><span class="hint">${more}</span></td><td class="acts">${roleForm(person)}
${button('sign-out', id, 'Sign out')} ${disabled ? button('enable', id, 'Enable') : button('disable', id, 'Disable')}</td></tr>`
}

const invitationRow = ({ id, name, role, until }: Invitation): Fragment =>
  html`<tr><td>${name ?? 'somebody'}<br><span class="hint">${role}, until ${dayOf(until)}</span></td><td>${button('withdraw', id, 'Withdraw')}</td></tr>`

const linkNote = (link: string | undefined): Fragment =>
  link === undefined
    ? html``
    : html`<p class="new" role="status">Send this link to the person alone. It works once, for ${invitationDays} days, and is shown only now:<br><code>${link}</code></p>`

const invitePart = (invitations: readonly Invitation[], link: string | undefined): Fragment =>
  html`<section class="panel"><h2>Invitations</h2>
${linkNote(link)}
<table>${invitations.map(invitationRow)}</table>
<form method="post" action="/people/invite" class="row">
<div><label for="name">Name</label><input id="name" name="name" required maxlength="100"></div>
<div><label for="email">E-mail (optional)</label><input id="email" name="email" type="email" maxlength="200"></div>
<div><label for="role">Role</label><select id="role" name="role">${roles.toReversed().map(one => html`<option ${one === 'member' ? 'selected' : ''}>${one}</option>`)}</select></div>
<button>Invite</button></form></section>`

const auditPart = (entries: readonly AuditEntry[], nameOf: (id: string) => string): Fragment =>
  html`<section class="panel"><h2>Audit log</h2>
<table>${entries.map(
    ({ at, who, what, whose, from }) =>
      html`<tr><td>${nameOf(who)}: ${what}${whose === undefined ? '' : ` ${nameOf(whose)}`}<br><span class="hint">${at}, from ${from}</span></td></tr>`,
  )}</table></section>`

const page = async (
  context: Context<Env>,
  { accounts, sections }: PeoplePageParts,
  { problem, link }: News = {},
): Promise<Response> => {
  const [people, invitations, { entries }, more] = await Promise.all([
    accounts.people.list(),
    accounts.invitations.list(),
    accounts.audit.page(newestEntries),
    Promise.all(sections.map(section => section())),
  ])
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return plainPage(
    context,
    'Roundtable: people',
    html`<main>
<p><a href="/">Back to Roundtable</a> · <a href="/account">Your account</a></p>
<h1>People</h1>
${problemNote(problem)}
<section class="panel"><h2>Accounts</h2><table>${people.map(personRow)}</table></section>
${invitePart(invitations, link)}
${more}
${auditPart(entries, id => names.get(id) ?? id)}
</main>`,
    problem === undefined ? 200 : 422,
  )
}

export const addPeoplePage = (app: OpenAPIHono<Env>, parts: PeoplePageParts): void => {
  const { accounts, endedSignIn } = parts
  const form = (
    path: string,
    work: (field: FormFields, actor: Actor, context: Context<Env>) => Promise<News | undefined>,
  ): void => {
    app.post(path, bodyLimit(longestForm), async context => {
      try {
        const actor = { who: signedIn().person.id, from: addressOf(context) }
        const news = await work(await fieldsIn(context), actor, context)
        return news ? page(context, parts, news) : context.redirect('/people', 303)
      } catch (error) {
        return page(context, parts, { problem: wordsOf(error) })
      }
    })
  }
  /** Their live pages end with their sign-ins. */
  const toPerson = (path: string, work: (person: Person, actor: Actor, field: FormFields) => Promise<void>) =>
    form(path, async (field, actor) => {
      const person = await accounts.people.withId(field('id'))
      if (!person) throw new UsageError('There is no such person any more. Nothing was changed.')
      const signIns = await accounts.signIns.of(person.id)
      await work(person, actor, field)
      for (const { id } of signIns) endedSignIn(id)
      return undefined
    })
  app.get('/people', context => page(context, parts))
  form('/people/invite', async (field, actor, context) => {
    const role = roleFrom(field('role'))
    const email = field('email').trim().slice(0, 200)
    const invited = { name: checkedName(field('name')), ...(email && { email }) }
    const secret = await accounts.invitations.make({ role, ...invited, by: actor.who })
    await accounts.audit.add(actor, `invited-${role}`)
    const url = new URL(invitationPath(secret), context.req.url)
    if (context.req.header('x-forwarded-proto') === 'https') url.protocol = 'https:'
    return { link: url.href }
  })
  form('/people/withdraw', async (field, actor) => {
    if (await accounts.invitations.revoke(field('id'))) await accounts.audit.add(actor, 'invitation-revoked')
    return undefined
  })
  toPerson('/people/role', (person, actor, field) =>
    accounts.changeRole(person, roleFrom(field('role')), actor),
  )
  toPerson('/people/disable', (person, actor) => accounts.disable(person, actor))
  toPerson('/people/enable', (person, actor) => accounts.enable(person, actor))
  toPerson('/people/sign-out', (person, actor) => accounts.signOutEverywhere(person, actor))
}
