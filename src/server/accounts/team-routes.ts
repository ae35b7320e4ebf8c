/** `/api/team`: people, their invitations and their keys, for admins. Everything that changes something is audited. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Actor } from '../../accounts/audit.ts'
import { invitationPath } from '../../accounts/invitations.ts'
import { checkedName, type Person } from '../../accounts/person.ts'
import { type Member, membersOf } from '../../accounts/team.ts'
import { currentPerson } from '../../accounts/visitor.ts'
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
import { addressOf } from '../limits.ts'
import { misused, Refusal } from '../problem.ts'
import { problems, replies, router, takes } from '../router.ts'
import type { Env, ServedAccounts } from '../service.ts'

export const teamTags = ['Team']

export const teamParams = z.object({ id: z.string().max(100) })
const keyParams = teamParams.extend({ key: z.string().max(100) })

const done = (description: string) => ({ 204: { description }, ...problems })

const people = createRoute({
  method: 'get',
  path: '/api/team/people',
  tags: teamTags,
  summary: 'List everybody who has an account',
  responses: { 200: replies(membersSchema, 'People, by name'), ...problems },
})

const role = createRoute({
  method: 'put',
  path: '/api/team/people/{id}/role',
  tags: teamTags,
  summary: 'Change a role; the person has to sign in again',
  request: { params: teamParams, body: takes(roleBodySchema) },
  responses: done('They have this role now'),
})

const disable = createRoute({
  method: 'put',
  path: '/api/team/people/{id}/disabled',
  tags: teamTags,
  summary: 'Shut somebody out, or let them in again; their sessions stay',
  request: { params: teamParams, body: takes(disabledBodySchema) },
  responses: done('It holds from now on'),
})

const signOut = createRoute({
  method: 'delete',
  path: '/api/team/people/{id}/sign-ins',
  tags: teamTags,
  summary: 'Sign somebody out everywhere',
  request: { params: teamParams },
  responses: done('They have to sign in again'),
})

const invitations = createRoute({
  method: 'get',
  path: '/api/team/invitations',
  tags: teamTags,
  summary: 'List the invitations that nobody has used yet',
  responses: { 200: replies(invitationsSchema, 'Invitations'), ...problems },
})

const invite = createRoute({
  method: 'post',
  path: '/api/team/invitations',
  tags: teamTags,
  summary: 'Invite somebody by a link that works once, within a week',
  request: { body: takes(invitationBodySchema) },
  responses: { 201: replies(invitedSchema, 'The link, which is shown only now'), ...problems },
})

const revokeInvitation = createRoute({
  method: 'delete',
  path: '/api/team/invitations/{id}',
  tags: teamTags,
  summary: 'Revoke an invitation',
  request: { params: teamParams },
  responses: done('The link no longer works'),
})

const keys = createRoute({
  method: 'get',
  path: '/api/team/keys',
  tags: teamTags,
  summary: 'List everybody’s API keys, without their secrets',
  responses: { 200: replies(keysSchema, 'Keys'), ...problems },
})

const revokeKey = createRoute({
  method: 'delete',
  path: '/api/team/people/{id}/keys/{key}',
  tags: teamTags,
  summary: 'Revoke an API key of a person',
  request: { params: keyParams },
  responses: done('The key no longer works'),
})

/** Ends the streams of a sign-in, or of a key. */
export interface Endings {
  signIn(id: string): void
  key(id: string): void
}

export const teamActor = (context: Context<Env>): Actor => ({
  who: currentPerson()?.person.id ?? 'machine',
  from: addressOf(context),
})

const memberReply = (member: Member): MemberReply => ({
  ...member,
  email: member.email ?? null,
  disabled: member.disabled ?? false,
})

const at = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const teamRoutes = (accounts: ServedAccounts, ended: Endings) => {
  const { archive, audit } = accounts
  const personAt = async (id: string): Promise<Person> => {
    const person = await accounts.people.withId(id)
    if (person) return person
    throw new Refusal(404, 'Nobody has this account. Reload the page to see who does.')
  }
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
      const person = await personAt(context.req.valid('param').id)
      const { role: next } = context.req.valid('json')
      if (person.role !== next)
        await changed(person, () => accounts.changeRole(person, next, teamActor(context)))
      return context.body(null, 204)
    })
    .openapi(disable, async context => {
      const person = await personAt(context.req.valid('param').id)
      const { disabled } = context.req.valid('json')
      const act = disabled ? accounts.disable : accounts.enable
      if (Boolean(person.disabled) !== disabled) await changed(person, () => act(person, teamActor(context)))
      return context.body(null, 204)
    })
    .openapi(signOut, async context => {
      const person = await personAt(context.req.valid('param').id)
      await changed(person, () => accounts.signOutEverywhere(person, teamActor(context)))
      return context.body(null, 204)
    })
    .openapi(invitations, async context => {
      const open = await accounts.invitations.list()
      const names = new Map((await accounts.people.list()).map(({ id, name }) => [id, name]))
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
      await audit.add(actor, `invited-${given}`)
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
      if (await accounts.keys.revoke(id, key)) {
        ended.key(key)
        await audit.add(teamActor(context), 'key-revoked', id)
      }
      return context.body(null, 204)
    })
}
