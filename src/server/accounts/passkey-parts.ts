/** The passkey buttons of the plain pages. They show themselves once their script runs in a browser that has passkeys. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from 'hono/html'
import type { Passkey, Passkeys } from '../../accounts/passkeys.ts'
import type { PersonVisitor } from '../../accounts/visitor.ts'
import { utcDayText } from '../../core/wording/dates.ts'
import type { Fragment } from '../plain-page.ts'

export const passkeyScript = '/sign-in/passkeys.js'

/** Undefined if the pages aren't built: then there are no buttons either. */
export const passkeyScriptIn = (pages: string): string | undefined => {
  const file = join(pages, 'passkeys.js')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Within a form, whose fields are sent along. The page needs `scripts`. */
const button = (path: string, use: 'add' | 'sign-in', label: string, look = ''): Fragment => html`
<button type="button" class="${look}" data-passkey="${path}" data-passkey-use="${use}" hidden>${label}</button>
<p class="wrong" role="alert" data-passkey-problem hidden></p>
<script type="module" src="${passkeyScript}"></script>`

export const passkeySignIn = (): Fragment =>
  button('/sign-in/passkey', 'sign-in', 'Log in with a passkey', 'quiet')

/** Beside the field for the name. */
export const passkeyJoin = (secret: string): Fragment =>
  button(`/invitation/${secret}/passkey`, 'add', 'Join with a passkey', 'quiet')

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
<form>${button('/account/passkeys', 'add', 'Add a passkey')}</form></section>`
