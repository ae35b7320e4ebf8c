/** The script of the plain sign-in pages: their buttons make a passkey, or log in with one. Without it they stay hidden. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'

interface Reply {
  /** The page to open. */
  readonly to?: string
  /** What went wrong, in words. */
  readonly detail?: string
}

const send = async (path: string, body: unknown): Promise<Reply> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const reply = (await response.json()) as Reply
  if (!response.ok) throw new Error(reply.detail ?? 'The server refused. Try again.')
  return reply
}

/** The fields of the form that the button belongs to, such as the name that somebody chose. */
const fieldsAround = (button: HTMLElement): Record<string, unknown> => {
  const form = button.closest('form')
  return form ? Object.fromEntries(new FormData(form)) : {}
}

const use = async (button: HTMLButtonElement, path: string): Promise<void> => {
  const fields = fieldsAround(button)
  const optionsJSON = await send(`${path}/options`, fields)
  const passkey =
    button.dataset.passkeyUse === 'add'
      ? await startRegistration({
          optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'],
        })
      : await startAuthentication({
          optionsJSON: optionsJSON as Parameters<typeof startAuthentication>[0]['optionsJSON'],
        })
  const { to } = await send(path, { ...fields, passkey })
  location.assign(to ?? '/')
}

/** What the browser says if somebody closes its dialog is about its own rules. */
const wordsOf = (error: unknown): string => {
  const { name, message } = error as Error
  if (name === 'NotAllowedError') return 'No passkey was used. Try again, or log in another way.'
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.'
  return message
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-passkey]')) {
  if (!browserSupportsWebAuthn()) break
  button.hidden = false
  const problem = document.querySelector<HTMLElement>('[data-passkey-problem]')
  button.addEventListener('click', async () => {
    button.disabled = true
    if (problem) problem.hidden = true
    try {
      await use(button, button.dataset.passkey!)
    } catch (error) {
      if (problem) {
        problem.textContent = wordsOf(error)
        problem.hidden = false
      }
      button.disabled = false
    }
  })
}
