/** The passkey buttons of the plain pages. They show themselves once their script runs in a browser that has passkeys. */
import { html } from 'hono/html'
import type { Passkey } from '../../accounts/passkeys.ts'
import type { Fragment } from '../plain-page.ts'

export const passkeyScript = '/sign-in/passkeys.js'

/** Within a form, whose fields are sent along. The page needs `scripts`. */
const button = (path: string, use: 'add' | 'sign-in', label: string): Fragment => html`
<button type="button" data-passkey="${path}" data-passkey-use="${use}" hidden>${label}</button>
<p class="wrong" role="alert" data-passkey-problem hidden></p>
<script type="module" src="${passkeyScript}"></script>`

export const passkeySignIn = (): Fragment => button('/sign-in/passkey', 'sign-in', 'Sign in with a passkey')

/** Beside the field for the name. */
export const passkeyJoin = (secret: string): Fragment =>
  button(`/invitation/${secret}/passkey`, 'add', 'Join with a passkey')

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const passkeySection = (passkeys: readonly Passkey[]): Fragment => html`
<h2>Passkeys</h2>
<p class="hint">A passkey signs you in with your device instead of a password.</p>
${passkeys.map(
  ({ id, host, madeAt, usedAt }) => html`<form method="post" action="/account/passkeys/remove">
<input type="hidden" name="id" value="${id}">
<p>For ${host}, added ${day(madeAt)}, ${usedAt === null ? 'never used' : `last used ${day(usedAt)}`}</p>
<button aria-label="Remove the passkey for ${host}, added ${day(madeAt)}">Remove</button>
</form>`,
)}
<form>${button('/account/passkeys', 'add', 'Add a passkey')}</form>`
