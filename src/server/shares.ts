/** Links that show one session to whoever has them. They are not in the log, or every export would contain them. */
import { randomBytes } from 'node:crypto'
import type { Share } from '../api/index.ts'
import type { Archive } from '../store/archive/archive.ts'

const ofSession = (session: string): string => `share of session ${session}`
const byToken = (token: string): string => `shared by ${token}`

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const shareWith = (token: string): Share => ({ token, path: `/shared/${token}` })

export const shareOf = async (archive: Archive, session: string): Promise<Share | null> => {
  const token = textOf(await archive.setting(ofSession(session)))
  return token === undefined ? null : shareWith(token)
}

/** Returns the same link until it is revoked. */
export const share = async (archive: Archive, session: string): Promise<Share> => {
  const existing = await shareOf(archive, session)
  if (existing) return existing
  const token = randomBytes(32).toString('base64url')
  // First, and never again: written after somebody has revoked the link, it would open it once more.
  await archive.saveSetting(byToken(token), session)
  const stored = textOf(await archive.addSetting(ofSession(session), token))
  if (stored === undefined) throw new Error(`The share of session ${session} is not a token.`)
  if (stored !== token) await archive.removeSetting(byToken(token))
  return shareWith(stored)
}

/** Returns the token that was revoked. Of several that revoke it at once, one gets it. */
export const unshare = async (archive: Archive, session: string): Promise<string | undefined> => {
  const token = textOf(await archive.removeSetting(ofSession(session)))
  if (token !== undefined) await archive.removeSetting(byToken(token))
  return token
}

/** A link is open only as long as its session names it: what a crash or another process left behind opens nothing. */
export const sessionShared = async (archive: Archive, token: string): Promise<string | undefined> => {
  const session = textOf(await archive.setting(byToken(token)))
  if (session === undefined) return undefined
  return textOf(await archive.setting(ofSession(session))) === token ? session : undefined
}
