/** Accounts are off unless ROUNDTABLE_ACCOUNTS says otherwise. */
import { UsageError } from '../core/errors.ts'

export const accountsOn = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const said = env.ROUNDTABLE_ACCOUNTS?.trim().toLowerCase()
  if (!said || said === 'off') return false
  if (said === 'on') return true
  // A typo must not open a server to everybody who has its token.
  throw new UsageError('Set ROUNDTABLE_ACCOUNTS to "on" or "off".')
}
