/** Endpoints that are a person's own, on their account page. A key is never sent back, only its end. */
import { html } from 'hono/html'
import type { OwnEndpoints, ShownEndpoint } from '../../accounts/own-endpoints.ts'
import { type PersonVisitor, visitorMay } from '../../accounts/visitor.ts'
import { UsageError } from '../../core/errors.ts'
import { tryOut } from '../../table/doctor.ts'
import { addressOf } from '../limits.ts'
import type { Fragment } from '../plain-page.ts'
import type { ServedAccounts, Service } from '../service.ts'
import type { AccountForm } from './account-page.ts'
import { signedIn } from './forms.ts'
import type { OwnSeats } from './scoped-reach.ts'

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
