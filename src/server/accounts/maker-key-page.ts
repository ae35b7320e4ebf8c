/** Keys of makers that are a person's own, on their account page. A key is never sent back, only its end. */
import { html } from 'hono/html'
import type { MakerKeys, ShownMakerKey } from '../../accounts/maker-keys.ts'
import type { PersonVisitor } from '../../accounts/visitor.ts'
import { keySchema } from '../../core/question/saved-defaults.ts'
import type { Reach } from '../../table/reach.ts'
import { addressOf, bodyLimit } from '../limits.ts'
import type { Fragment } from '../plain-page.ts'
import { Refusal } from '../problem.ts'
import type { Doors } from './doors.ts'
import { fieldsIn, longestForm, signedIn } from './forms.ts'

type Connected = Pick<Reach, 'connections'>

/** Makers that the server reaches with a key of its own: a person's key takes its place. */
const makersIn = ({ connections }: Connected) => connections.filter(({ maker }) => maker.keys.length > 0)

const row = ({ maker, ending }: ShownMakerKey): Fragment =>
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
<table>${(await keys.of(person.id)).map(row)}</table>
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
