/** Where webhooks go, and the secret that signs them: from the process' own environment and from nowhere else. */
import { UsageError } from '../core/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface WebhookSettings {
  readonly addresses: readonly URL[]
  readonly secret: Buffer
}

const shortestSecret = 20
const mostAddresses = 10

const addressIn = (text: string): URL => {
  // The message doesn't repeat the address: it may hold a key.
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError('ROUNDTABLE_WEBHOOKS: each address must begin with http:// or https://.')
  return new URL(text)
}

/** Undefined if there are none. */
export const webhooksFrom = (env: Environment): WebhookSettings | undefined => {
  const addresses = (env.ROUNDTABLE_WEBHOOKS ?? '')
    .split(/[\s,]+/)
    .filter(text => text !== '')
    .map(addressIn)
  if (addresses.length === 0) return undefined
  if (addresses.length > mostAddresses)
    throw new UsageError(`ROUNDTABLE_WEBHOOKS: there may be at most ${mostAddresses} addresses.`)
  const secret = env.ROUNDTABLE_WEBHOOK_SECRET?.trim() ?? ''
  if (secret.length < shortestSecret)
    throw new UsageError(
      `ROUNDTABLE_WEBHOOKS needs ROUNDTABLE_WEBHOOK_SECRET, a random text of at least ${shortestSecret} characters.`,
      'weak-token',
    )
  const isEncoded = secret.startsWith('whsec_')
  return { addresses, secret: isEncoded ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret) }
}
