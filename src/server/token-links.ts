/** Links that a secret token opens. They are not in the log, or every export would contain them. */
import { randomBytes } from 'node:crypto'
import type { Archive } from '../store/archive/archive.ts'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** How the settings of one kind of link are called: by what the link is for, and by its token. */
export interface LinkNames {
  of(subject: string): string
  by(token: string): string
}

export interface TokenLinks {
  /** Undefined if there is none. */
  tokenOf(archive: Archive, subject: string): Promise<string | undefined>
  /** Returns the same token until it is revoked. */
  make(archive: Archive, subject: string): Promise<string>
  /** Returns the token that was revoked. Of several that revoke it at once, one gets it. */
  revoke(archive: Archive, subject: string): Promise<string | undefined>
  /** A link is open only as long as its subject names it: what a crash or another process left behind opens nothing. */
  subjectOf(archive: Archive, token: string): Promise<string | undefined>
}

export const tokenLinks = (names: LinkNames): TokenLinks => {
  const tokenOf: TokenLinks['tokenOf'] = async (archive, subject) =>
    textOf(await archive.setting(names.of(subject)))
  return {
    tokenOf,
    async make(archive, subject) {
      const existing = await tokenOf(archive, subject)
      if (existing !== undefined) return existing
      const token = randomBytes(32).toString('base64url')
      // First, and never again: written after somebody has revoked the link, it would open it once more.
      await archive.saveSetting(names.by(token), subject)
      const stored = textOf(await archive.addSetting(names.of(subject), token))
      if (stored === undefined) throw new Error(`The link of ${subject} is not a token.`)
      if (stored !== token) await archive.removeSetting(names.by(token))
      return stored
    },
    async revoke(archive, subject) {
      const token = textOf(await archive.removeSetting(names.of(subject)))
      if (token !== undefined) await archive.removeSetting(names.by(token))
      return token
    },
    async subjectOf(archive, token) {
      const subject = textOf(await archive.setting(names.by(token)))
      if (subject === undefined) return undefined
      return (await tokenOf(archive, subject)) === token ? subject : undefined
    },
  }
}
