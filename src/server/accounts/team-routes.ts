/** `/api/team`: people, their invitations and their keys, for admins. Everything that changes something is audited. */
import { z } from 'zod'
import { invitationPath } from '../../accounts/invitations.ts'
import { checkedName, type Person } from '../../accounts/person.ts'
import { type Member, membersOf } from '../../accounts/team.ts'
import {
  disabledBodySchema,
  invitationBodySchema,
  invitationsSchema,
  invitedSchema,
  keysSchema,
  type MemberReply,
  membersSchema,
  roleBodySchema,
} from '../../api/index.ts'
import { misused } from '../problem.ts'
import { router, takes } from '../router.ts'
import type { ServedAccounts } from '../service.ts'
import { changes, makes, namesById, personAt, shows, teamActor, teamParams } from './team-route.ts'

const keyParams = teamParams.extend({ key: z.string().max(100) })

const people = shows(
  '/api/team/people',
  'List everybody who has an account',
  membersSchema,
  'People, by name',
)

const role = changes(
  'put',
  '/api/team/people/{id}/role',
  'Change a role; the person has to log in again',
  'They have this role now',
  { params: teamParams, body: takes(roleBodySchema) },
)

const disable = changes(
  'put',
  '/api/team/people/{id}/disabled',
  'Shut somebody out, or let them in again; their sessions stay',
  'It holds from now on',
  { params: teamParams, body: takes(disabledBodySchema) },
)

const signOut = changes(
  'delete',
  '/api/team/people/{id}/sign-ins',
  'Log somebody out everywhere',
  'They have to log in again',
  { params: teamParams },
)

const invitations = shows(
  '/api/team/invitations',
  'List the invitations that nobody has used yet',
  invitationsSchema,
  'Invitations',
)

const invite = makes(
  '/api/team/invitations',
  'Invite somebody by a link that works once, within a week',
  invitedSchema,
  'The link, which is shown only now',
  { body: takes(invitationBodySchema) },
)

const revokeInvitation = changes(
  'delete',
  '/api/team/invitations/{id}',
  'Revoke an invitation',
  'The link no longer works',
  { params: teamParams },
)

const keys = shows('/api/team/keys', 'List everybody’s API keys, without their secrets', keysSchema, 'Keys')

const revokeKey = changes(
  'delete',
  '/api/team/people/{id}/keys/{key}',
  'Revoke an API key of a person',
  'The key no longer works',
  { params: keyParams },
)

/** Ends the streams of a sign-in, or of a key. */
export interface Endings {
  signIn(id: string): void
  key(id: string): void
}

const memberReply = (member: Member): MemberReply => ({
  ...member,
  email: member.email ?? null,
  disabled: member.disabled ?? false,
})

const at = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const teamRoutes = (accounts: ServedAccounts, ended: Endings) => {
  const { archive, audit } = accounts
  /** Streams end at once, and not when somebody next looks whether they may still run. */
  const changed = async (person: Person, change: () => Promise<void>): Promise<void> => {
    const [signIns, held] = [await accounts.signIns.of(person.id), await accounts.keys.of(person.id)]
    await change().catch(error => {
      throw misused(409, error)
    })
    for (const { id } of signIns) ended.signIn(id)
    for (const { id } of held) ended.key(id)
  }
  return router()
    .openapi(people, async context =>
      context.json({ people: (await membersOf(archive, accounts)).map(memberReply) }, 200),
    )
    .openapi(role, async context => {
      const person = await personAt(accounts.people, context.req.valid('param').id)
      const { role: next } = context.req.valid('json')
      if (person.role !== next)
        await changed(person, () => accounts.changeRole(person, next, teamActor(context)))
      return context.body(null, 204)
    })
    .openapi(disable, async context => {
      const person = await personAt(accounts.people, context.req.valid('param').id)
      const { disabled } = context.req.valid('json')
      const act = disabled ? accounts.disable : accounts.enable
      if (Boolean(person.disabled) !== disabled) await changed(person, () => act(person, teamActor(context)))
      return context.body(null, 204)
    })
    .openapi(signOut, async context => {
      const person = await personAt(accounts.people, context.req.valid('param').id)
      await changed(person, () => accounts.signOutEverywhere(person, teamActor(context)))
      return context.body(null, 204)
    })
    .openapi(invitations, async context => {
      const open = await accounts.invitations.list()
      const names = await namesById(accounts.people)
      const listed = open
        .toSorted((one, other) => other.until - one.until)
        .map(({ name = null, email = null, by, until, ...rest }) => ({
          ...{ ...rest, name, email },
          ...{ by: names.get(by) ?? by, until: at(until) },
        }))
      return context.json({ invitations: listed }, 200)
    })
    .openapi(invite, async context => {
      const { name, email, role: given } = context.req.valid('json')
      const actor = teamActor(context)
      const secret = await accounts.invitations.make({
        ...{ role: given, by: actor.who },
        ...(name && { name: checkedName(name) }),
        ...(email && { email }),
      })
      await audit.add(actor, `invited-${given}`, undefined, name || email)
      return context.json({ path: invitationPath(secret) }, 201)
    })
    .openapi(revokeInvitation, async context => {
      if (await accounts.invitations.revoke(context.req.valid('param').id))
        await audit.add(teamActor(context), 'invitation-revoked')
      return context.body(null, 204)
    })
    .openapi(keys, async context => {
      const everybody = await accounts.people.list()
      const held = await Promise.all(
        everybody.map(async ({ id: person, name }) =>
          (await accounts.keys.of(person)).map(({ id, label, scope, until, used }) => ({
            ...{ id, person, name, label, scope, used },
            until: at(until),
          })),
        ),
      )
      return context.json({ keys: held.flat() }, 200)
    })
    .openapi(revokeKey, async context => {
      const { id, key } = context.req.valid('param')
      const label = await accounts.keys.revoke(id, key)
      if (label !== undefined) {
        ended.key(key)
        await audit.add(teamActor(context), 'key-revoked', id, label)
      }
      return context.body(null, 204)
    })
}
