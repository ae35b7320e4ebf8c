/** Requests and replies about the people of a server with accounts, for its admins. */
import { z } from 'zod'
import { roles } from '../core/role.ts'
import { list, plainText } from './common.ts'

export const waysIn = ['password', 'passkey', 'provider'] as const

const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: z.enum(roles),
  since: z.string(),
  disabled: z.boolean(),
  /** How they can log in. */
  ways: list(z.enum(waysIn)),
  lastSignIn: z.string().nullable(),
  /** In how many browsers they are logged in. */
  signedIn: z.int().nonnegative(),
})
export const membersSchema = z.object({ people: list(memberSchema) }).meta({ id: 'Members' })
export type MemberReply = z.infer<typeof memberSchema>
export type MembersReply = z.infer<typeof membersSchema>

export const roleBodySchema = z.strictObject({ role: z.enum(roles) }).meta({ id: 'RoleChange' })
export type RoleBody = z.input<typeof roleBodySchema>

export const disabledBodySchema = z.strictObject({ disabled: z.boolean() }).meta({ id: 'Disabled' })
export type DisabledBody = z.input<typeof disabledBodySchema>

export const invitationBodySchema = z
  .strictObject({
    role: z.enum(roles),
    /** For whom it is. They may choose another name. */
    name: plainText(100).trim().min(1).optional(),
    email: z.email().max(200).optional(),
  })
  .meta({ id: 'NewInvitation' })
export type InvitationBody = z.input<typeof invitationBodySchema>

/** The link is shown only here. */
export const invitedSchema = z.object({ path: z.string() }).meta({ id: 'Invited' })
export type InvitedReply = z.infer<typeof invitedSchema>

const invitationSchema = z.object({
  id: z.string(),
  role: z.enum(roles),
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Who made it. */
  by: z.string(),
  until: z.string(),
})
export const invitationsSchema = z.object({ invitations: list(invitationSchema) }).meta({ id: 'Invitations' })
export type InvitationReply = z.infer<typeof invitationSchema>
export type InvitationsReply = z.infer<typeof invitationsSchema>

/** A key without its secret, which nobody can read again. */
const keySchema = z.object({
  id: z.string(),
  person: z.string(),
  name: z.string(),
  label: z.string(),
  scope: z.string(),
  until: z.string(),
  /** The day of its last use. */
  used: z.string().nullable(),
})
export const keysSchema = z.object({ keys: list(keySchema) }).meta({ id: 'TeamKeys' })
export type TeamKeyReply = z.infer<typeof keySchema>
export type TeamKeysReply = z.infer<typeof keysSchema>

const mostAmount = 1e12
const amount = z.number().nonnegative().max(mostAmount).nullable()
const wholeAmount = z.int().nonnegative().max(mostAmount).nullable()

/** In dollars and tokens; null: no limit. */
const limitSchema = z.strictObject({ usd: amount, tokens: wholeAmount })
export const budgetBodySchema = z
  .strictObject({ day: limitSchema, month: limitSchema })
  .meta({ id: 'Budget' })
export type BudgetBody = z.input<typeof budgetBodySchema>

/** Counts and sums alone: what was asked is nobody else’s business. */
const usedSchema = z.object({
  usd: z.number(),
  tokens: z.number(),
  calls: z.int().nonnegative(),
  /** Sessions that were opened and still exist. */
  asked: z.int().nonnegative(),
})
export type UsedReply = z.infer<typeof usedSchema>

const payerSchema = z.object({
  /** A person’s id, or `team` for everybody together. */
  id: z.string(),
  name: z.string(),
  today: usedSchema,
  month: usedSchema,
  /** The days of this month on which something was asked or used. */
  days: list(usedSchema.extend({ day: z.string() })),
  budget: budgetBodySchema,
})
export const teamSpendingSchema = z
  .object({
    /** In UTC, such as 2026-11-18. */
    today: z.string(),
    /** The team first, then everybody by name. */
    payers: list(payerSchema),
  })
  .meta({ id: 'TeamSpending' })
export type TeamPayerReply = z.infer<typeof payerSchema>
export type TeamSpendingReply = z.infer<typeof teamSpendingSchema>

export const auditQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** The `next` of the previous page. */
  before: plainText(100).optional(),
})

const auditLineSchema = z.object({
  at: z.string(),
  /** A name, or `terminal` for a command on the server’s machine. */
  who: z.string(),
  what: z.string(),
  /** A name, or the id of a session. */
  whose: z.string().nullable(),
  /** What it was set to, or which one of several. */
  detail: z.string().nullable(),
  from: z.string(),
})
export const auditSchema = z
  .object({ entries: list(auditLineSchema), next: z.string().nullable() })
  .meta({ id: 'Audit' })
export type AuditLineReply = z.infer<typeof auditLineSchema>
export type AuditReply = z.infer<typeof auditSchema>

export const retentionSchema = z
  .object({
    /** Seconds after which a finished session is removed; null: sessions are kept. */
    keepSeconds: z.number().nullable(),
  })
  .meta({ id: 'Retention' })
export type RetentionReply = z.infer<typeof retentionSchema>
