/** Links that show one session to whoever has them. */
import type { Share } from '../api/index.ts'
import type { Archive } from '../store/archive/archive.ts'
import { tokenLinks } from './token-links.ts'

const links = tokenLinks({
  of: session => `share of session ${session}`,
  by: token => `shared by ${token}`,
})

export const shareWith = (token: string): Share => ({ token, path: `/shared/${token}` })

export const shareOf = async (archive: Archive, session: string): Promise<Share | null> => {
  const token = await links.tokenOf(archive, session)
  return token === undefined ? null : shareWith(token)
}

/** Returns the same link until it is revoked. */
export const share = async (archive: Archive, session: string): Promise<Share> =>
  shareWith(await links.make(archive, session))

/** Returns the token that was revoked. */
export const unshare = links.revoke

export const sessionShared = links.subjectOf
