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
  const token = textOf(await archive.addSetting(ofSession(session), randomBytes(32).toString('base64url')))
  if (token === undefined) throw new Error(`The share of session ${session} is not a token.`)
  await archive.saveSetting(byToken(token), session)
  return shareWith(token)
}

/** Returns the token that was revoked. */
export const unshare = async (archive: Archive, session: string): Promise<string | undefined> => {
  const token = textOf(await archive.setting(ofSession(session)))
  if (token === undefined) return undefined
  await archive.removeSetting(byToken(token))
  await archive.removeSetting(ofSession(session))
  return token
}

export const sessionShared = async (archive: Archive, token: string): Promise<string | undefined> =>
  textOf(await archive.setting(byToken(token)))
