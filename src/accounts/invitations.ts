/** Invitations: a link that makes one account, once, within a week. */
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import type { Archive } from '../store/archive/archive.ts'
import { type Role, roles } from './person.ts'
import { isSecretLike, newSecret, secretHash } from './secrets.ts'

const day = 86_400_000
export const invitationDays = 7

const invitationSchema = z.object({
  role: z.enum(roles),
  /** For whom, as whoever made it says. */
  name: z.string().optional(),
  email: z.string().optional(),
  /** Who made it: a person's id, or `terminal`. */
  by: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
})

export interface Invitation extends z.infer<typeof invitationSchema> {
  /** The hash of its secret. */
  readonly id: string
}

export interface NewInvitation {
  readonly role: Role
  readonly name?: string
  readonly email?: string
  readonly by: string
}

export interface Invitations {
  /** Returns the secret for the link. */
  make(invitation: NewInvitation): Promise<string>
  /** Undefined if it was used, revoked, has expired or never existed. */
  with(secret: string): Promise<Invitation | undefined>
  /** Uses it up: of many who try at once, one gets it. It is given back if `work` fails. */
  use<T>(secret: string, work: (invitation: Invitation) => Promise<T>): Promise<T>
  list(): Promise<readonly Invitation[]>
  revoke(id: string): Promise<boolean>
}

export const invitationPath = (secret: string): string => `/invitation/${secret}`

export const usedUp = (): UsageError =>
  new UsageError('This invitation was used or revoked, or has expired. Ask for a new one.')

export const invitationsIn = (archive: Archive, clock: () => number): Invitations => {
  const read = (id: string, value: unknown): Invitation | undefined => {
    const invitation = invitationSchema.safeParse(value)
    return invitation.success && invitation.data.until > clock() ? { id, ...invitation.data } : undefined
  }
  return {
    async make({ role, name, email, by }) {
      const secret = newSecret()
      const invitation = { role, ...(name && { name }), ...(email && { email }), by }
      const until = clock() + invitationDays * day
      await archive.saveRecord('invitation', secretHash(secret), { ...invitation, until })
      return secret
    },
    async with(secret) {
      if (!isSecretLike(secret)) return undefined
      const id = secretHash(secret)
      return read(id, await archive.record('invitation', id))
    },
    async use(secret, work) {
      if (!isSecretLike(secret)) throw usedUp()
      const id = secretHash(secret)
      const value = await archive.removeRecord('invitation', id)
      const invitation = read(id, value)
      if (!invitation || value === undefined) throw usedUp()
      try {
        return await work(invitation)
      } catch (error) {
        await archive.addRecord('invitation', id, value)
        throw error
      }
    },
    async list() {
      const found = await archive.records('invitation')
      return found.flatMap(({ key, value }) => read(key, value) ?? [])
    },
    async revoke(id) {
      return (await archive.removeRecord('invitation', id)) !== undefined
    },
  }
}
