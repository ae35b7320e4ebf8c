/** A part of the account page: what the person may use, and has used. */

import { createRoute, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { z } from 'zod'
import { sessionActs } from '../api/common.ts'
import type { FoundReply, SessionReply } from '../api/sessions.ts'
import {
  auditQuerySchema,
  auditSchema,
  type BudgetBody,
  budgetBodySchema,
  disabledBodySchema,
  type EstimateReply,
  invitationBodySchema,
  invitationsSchema,
  invitedSchema,
  keysSchema,
  type MemberReply,
  membersSchema,
  retentionSchema,
  roleBodySchema,
  teamSpendingSchema,
} from '../api/table.ts'
import { UsageError } from '../core/basics.ts'
import { type Fragment, pathAfterLogin, plainPage } from '../http/guards.ts'
import { addressOf, bodyLimit, perMinute } from '../http/limits.ts'
import { misused, Refusal } from '../http/log.ts'
import {
  type Env,
  problems,
  replies,
  router,
  type ServedAccounts,
  type Service,
  takes,
} from '../http/service.ts'
import { type Allowance, type Archive, teamPayer } from '../store/archive.ts'
import { type Member, membersOf, usedByTeam } from './accounts.ts'
import { type Budgets, budgetNotes, budgetsIn, limitWords, spentWords } from './budgets.ts'
import { siteOf, visibilityRoutes } from './guard.ts'
import {
  addAccountPage,
  addEndpoints,
  addMakerKeys,
  addSignIn,
  type Doors,
  endpointsOf,
  enter,
  fieldsIn,
  makerKeysOf,
  passkeyScript,
  passkeyScriptIn,
  passkeysOf,
  type SignInWay,
  signedIn,
} from './pages.ts'
import { type Actor, invitationPath, oneUseSeconds, type People } from './people.ts'
import { currentPerson, type PersonVisitor, visitorMay, whoseIs } from './permissions.ts'
import { checkedName, isSecretLike, type Person, secretHash } from './person.ts'
import { accessName } from './scoped.ts'
import {
  admit,
  OidcFailure,
  type OidcSettings,
  oidcSignIns,
  openProvider,
  PasskeyFailure,
  type Passkeys,
  passkeysOn,
} from './sign-in.ts'

export const budgetOf =
  (archive: Archive, clock: () => number) =>
  async ({ person }: PersonVisitor): Promise<Fragment> => {
    const everybody = await budgetsIn(archive).spent(clock())
    const own = everybody.find(({ payer }) => payer === person.id)
    const teams = limitWords(everybody.find(({ payer }) => payer === teamPayer)?.allowance ?? {})
    return html`<section class="panel"><h2>Budget</h2>
<p>You may use: ${limitWords(own?.allowance ?? {})}. The team together: ${teams}.</p>
<p class="hint">${own ? `You used ${spentWords(own.today)} today, and ${spentWords(own.month)} this month.` : 'You used nothing this month.'} Days and months begin at 00:00 UTC. A call of unknown price counts as an expensive one.</p></section>`
  }

// estimates: An estimate as a person sees it: also whether a budget has too little left for it.

export const withBudgetNotes = async (
  { accounts, clock }: Service,
  estimate: EstimateReply,
): Promise<EstimateReply> => {
  const person = currentPerson()?.person
  if (!accounts || !person) return estimate
  const { inputTokens, outputTokens, costUsd, notes } = estimate
  const needs = { tokens: inputTokens.low + outputTokens.low, usd: costUsd?.low ?? null }
  return {
    ...estimate,
    notes: [...(await budgetNotes(accounts.archive, person.id, clock(), needs)), ...notes],
  }
}

// oidcRoutes: Logging in with the team's provider: to it, back from it, and a page in plain words if that fails.

const cookie = 'roundtable-oidc'
/** By address: each one is stored until somebody comes back, or ten minutes are over. */
const beginsPerMinute = 60
const path = '/sign-in/oidc'

export const oidcWay = ({ name }: OidcSettings): SignInWay => ({ label: `Log in with ${name}`, path })

const problemPage = (context: Context<Env>, name: string, words: string): Promise<Response> =>
  plainPage(
    context,
    'Roundtable: not logged in',
    html`<main class="card">
<h1>Not logged in</h1>
<p class="wrong" role="alert">${words}</p>
<p><a href="${path}">Log in with ${name}</a></p>
<p><a href="/sign-in">Other ways to log in</a></p>
</main>`,
    401,
  )

export const addOidc = (doors: Doors, settings: OidcSettings): void => {
  const { app, accounts, clock, log, wrong } = doors
  const { archive } = accounts
  const { name, domains } = settings
  const signIns = oidcSignIns(openProvider(settings), archive, clock)

  /** What a person can do something about is a page; anything else is an error of ours. */
  const orPage = async (context: Context<Env>, work: () => Promise<Response>): Promise<Response> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OidcFailure) && !UsageError.isInstance(error)) throw error
      const problem = error instanceof OidcFailure ? error.problem : 'usage'
      if (problem === 'away' || problem === 'invalid')
        log.warn({ problem, error: String(error.cause) }, 'A login with the provider failed.')
      wrong(context)
      return problemPage(context, name, error.message)
    }
  }

  const begins = perMinute(beginsPerMinute, clock)
  app.get(path, context =>
    orPage(context, async () => {
      begins(addressOf(context))
      const invitation = context.req.query('invitation')
      const { address, secret } = await signIns.begin({
        redirect: `${siteOf(context).origin}${path}/callback`,
        to: pathAfterLogin(context.req.query('to')),
        invitation: invitation !== undefined && isSecretLike(invitation) ? invitation : null,
      })
      setCookie(context, cookie, secret, {
        path,
        httpOnly: true,
        // The provider's page leads back here, and a strict cookie would not come along.
        sameSite: 'Lax',
        secure: siteOf(context).origin.startsWith('https:'),
        maxAge: oneUseSeconds,
      })
      return context.redirect(address.href, 303)
    }),
  )

  app.get(`${path}/callback`, context =>
    orPage(context, async () => {
      const secret = getCookie(context, cookie)
      deleteCookie(context, cookie, { path })
      const { search } = new URL(context.req.url)
      const { to, ...returned } = await signIns.finish(secret, search)
      const person = await admit({ accounts, archive, domains }, returned, addressOf(context))
      await enter(accounts, context, person)
      return context.redirect(to, 303)
    }),
  )
}

// passkeyRoutes: Passkeys over HTTP: log in with one, add one to an account, or join with one by an invitation.

/** Anybody may send these. */
const longestBody = 100_000

const bodyOf = async (context: Context<Env>): Promise<Readonly<Record<string, unknown>>> => {
  const body: unknown = await context.req.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new Refusal(400, 'The body is not valid JSON.')
}

const used = (): Refusal =>
  new Refusal(404, 'This invitation was used or revoked, or has expired. Ask for a new one.')

/** `script`: what the plain pages load; undefined if it isn't built. */
export const addPasskeys = (doors: Doors, script: string | undefined): Passkeys => {
  const { app, accounts, clock, wrong } = doors
  const passkeys = passkeysOn(accounts.archive, clock)

  const refused = async <T>(context: Context<Env>, work: Promise<T>): Promise<T> =>
    work.catch(error => {
      if (!(error instanceof PasskeyFailure)) throw error
      wrong(context)
      throw new Refusal(422, error.message)
    })
  /** Somebody who is about to have an account is known by the invitation. */
  const invited = async (context: Context<Env>) => {
    const secret = context.req.param('token') ?? ''
    if (!(await accounts.invitations.with(secret))) throw used()
    const body = await bodyOf(context)
    return { body, secret, id: secretHash(secret), name: checkedName(String(body.name ?? '')) }
  }

  app.get(passkeyScript, context => {
    if (script === undefined) throw new Refusal(404, 'The web pages are not built, so there are no passkeys.')
    return context.body(script, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    })
  })

  const limit = bodyLimit(longestBody)
  app.post('/sign-in/passkey/options', limit, async context =>
    context.json(await refused(context, passkeys.ask(siteOf(context)))),
  )
  app.post('/sign-in/passkey', limit, async context => {
    const { passkey, to } = await bodyOf(context)
    const id = await refused(context, passkeys.signIn(siteOf(context), passkey))
    const person = await accounts.people.withId(id)
    if (!person || person.disabled)
      throw new Refusal(403, 'This account was disabled. Ask an admin of this server.')
    await enter(accounts, context, person)
    return context.json({ to: pathAfterLogin(to) })
  })

  app.post('/account/passkeys/options', limit, async context =>
    context.json(await refused(context, passkeys.offer(signedIn().person, siteOf(context)))),
  )
  app.post('/account/passkeys', limit, async context => {
    const { person } = signedIn()
    const { passkey } = await bodyOf(context)
    await refused(context, passkeys.add(person, siteOf(context), passkey))
    await accounts.audit.add({ who: person.id, from: addressOf(context) }, 'passkey-added', person.id)
    return context.json({ to: '/account' })
  })
  app.post('/account/passkeys/remove', limit, async context => {
    const { person } = signedIn()
    const field = await fieldsIn(context)
    if (await passkeys.remove(person.id, field('id')))
      await accounts.audit.add({ who: person.id, from: addressOf(context) }, 'passkey-removed', person.id)
    return context.redirect('/account', 303)
  })

  app.post('/invitation/:token/passkey/options', limit, async context => {
    const { body: _body, ...holder } = await invited(context)
    return context.json(await refused(context, passkeys.offer(holder, siteOf(context))))
  })
  app.post('/invitation/:token/passkey', limit, async context => {
    const { body, secret, ...holder } = await invited(context)
    const join = () => accounts.accept(secret, holder.name, undefined, addressOf(context))
    let person: Awaited<ReturnType<typeof join>> | undefined
    const joined = async (): Promise<string> => {
      person = await join()
      return person.id
    }
    await refused(context, passkeys.add(holder, siteOf(context), body.passkey, joined))
    if (person) await enter(accounts, context, person)
    return context.json({ to: '/' })
  })
  return passkeys
}

// teamRoute: What the routes of `/api/team` share: how they are described, whom they name, and who does it.

const tags = ['Team']

/** A person, an invitation, or whose budget it is. */
export const teamParams = z.object({ id: z.string().max(100) })

type Asked = NonNullable<RouteConfig['request']>

/** A route that shows something. */
export const shows = <Path extends string, Reply extends z.ZodType, Request extends Asked = object>(
  path: Path,
  summary: string,
  reply: Reply,
  what: string,
  request: Request = {} as Request,
) =>
  createRoute({
    ...{ method: 'get', path, tags, summary, request },
    responses: { 200: replies(reply, what), ...problems },
  })

/** A route that changes something, and has nothing more to say than that it is done. */
export const changes = <Method extends 'put' | 'delete', Path extends string, Request extends Asked>(
  method: Method,
  path: Path,
  summary: string,
  done: string,
  request: Request,
) =>
  createRoute({
    ...{ method, path, tags, summary, request },
    responses: { 204: { description: done }, ...problems },
  })

/** A route that makes something. */
export const makes = <Path extends string, Reply extends z.ZodType, Request extends Asked>(
  path: Path,
  summary: string,
  reply: Reply,
  what: string,
  request: Request,
) =>
  createRoute({
    ...{ method: 'post', path, tags, summary, request },
    responses: { 201: replies(reply, what), ...problems },
  })

export const teamActor = (context: Context<Env>): Actor => ({
  who: currentPerson()?.person.id ?? 'machine',
  from: addressOf(context),
})

/** Throws if nobody has the account. */
export const personAt = async (people: People, id: string): Promise<Person> => {
  const person = await people.withId(id)
  if (person) return person
  throw new Refusal(404, 'Nobody has this account. Reload the page to see who does.')
}

export const namesById = async (people: People): Promise<ReadonlyMap<string, string>> =>
  new Map((await people.list()).map(({ id, name }) => [id, name]))

// teamRoutes: `/api/team`: people, their invitations and their keys, for admins. Everything that changes something is audited.

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

// teamUsageRoutes: `/api/team`: what everybody asked and spent, their budgets, the audit log and retention, for admins.

const spending = shows(
  '/api/team/spending',
  'Read what everybody asked and spent this month, as counts and sums',
  teamSpendingSchema,
  'The team, then everybody by name',
)

const budget = changes(
  'put',
  '/api/team/budgets/{id}',
  'Set the budget of a person, or of the `team`',
  'The next call is checked against it',
  { params: teamParams, body: takes(budgetBodySchema) },
)

const auditLog = shows(
  '/api/team/audit',
  'Read the audit log, newest first',
  auditSchema,
  'A page of the log',
  { query: auditQuerySchema },
)

const retention = shows(
  '/api/team/retention',
  'Read how long finished sessions are kept',
  retentionSchema,
  'As the server was started',
)

const budgetReply = ({ day, month }: Allowance): BudgetBody => ({
  day: { usd: day?.usd ?? null, tokens: day?.tokens ?? null },
  month: { usd: month?.usd ?? null, tokens: month?.tokens ?? null },
})

const setBudget = async (budgets: Budgets, payer: string, { day, month }: BudgetBody): Promise<void> => {
  for (const unit of ['usd', 'tokens'] as const)
    await budgets.set(payer, unit, { day: day[unit] ?? undefined, month: month[unit] ?? undefined })
}

export const teamUsageRoutes = (
  { archive, people, audit }: ServedAccounts,
  { clock, keepMs }: Pick<Service, 'clock' | 'keepMs'>,
) =>
  router()
    .openapi(spending, async context => {
      const at = clock()
      const [used, names] = [await usedByTeam(archive, await people.list(), at), await namesById(people)]
      const payers = used.map(({ payer, allowance, today, month, days }) => ({
        ...{ id: payer, name: names.get(payer) ?? payer, budget: budgetReply(allowance) },
        ...{ today, month, days: [...days] },
      }))
      return context.json({ today: new Date(at).toISOString().slice(0, 10), payers }, 200)
    })
    .openapi(budget, async context => {
      const { id } = context.req.valid('param')
      if (id !== teamPayer) await personAt(people, id)
      await setBudget(budgetsIn(archive), id, context.req.valid('json'))
      const budgets = budgetsIn(archive)
      await audit.add(teamActor(context), 'budget-changed', id, limitWords(await budgets.of(id)))
      return context.body(null, 204)
    })
    .openapi(auditLog, async context => {
      const { limit, before } = context.req.valid('query')
      const [{ entries, next }, names] = [await audit.page(limit, before), await namesById(people)]
      const named = entries.map(({ at, who, what, whose, detail = null, from }) => ({
        ...{ at, what, detail, from, who: names.get(who) ?? who },
        whose: whose === undefined ? null : (names.get(whose) ?? whose),
      }))
      return context.json({ entries: named, next }, 200)
    })
    .openapi(retention, context =>
      context.json({ keepSeconds: keepMs === undefined ? null : keepMs / 1_000 }, 200),
    )

// accounts: The routes and pages of accounts, which are there only while accounts are on.

export const addAccounts = (
  app: OpenAPIHono<Env>,
  service: Service,
  accounts: ServedAccounts,
  wrong: (context: Context<Env>) => void,
  pages: string,
): void => {
  const { log, clock, reach } = service
  const { oidc, makerKeys, own } = accounts
  const doors = { app, accounts, wrong, log, clock }
  const script = passkeyScriptIn(pages)
  const passkeys = addPasskeys(doors, script)
  const scripts = script !== undefined
  if (oidc) addOidc(doors, oidc)
  if (makerKeys) addMakerKeys(doors, makerKeys, reach)
  const endedSignIn = (signIn: string): void => service.streams.endFor(accessName({ signIn }))
  const endedKey = (key: string): void => service.streams.endFor(accessName({ key, scope: 'read' }))
  app.route('/', visibilityRoutes(service))
  app.route('/', teamRoutes(accounts, { signIn: endedSignIn, key: endedKey }))
  app.route('/', teamUsageRoutes(accounts, service))
  addSignIn(app, {
    ...{ accounts, wrong, ended: endedSignIn },
    ways: oidc ? [oidcWay(oidc)] : [],
    passkeys: scripts,
  })
  const form = addAccountPage(app, {
    ...{ accounts, scripts, endedSignIn, endedKey },
    sections: [
      budgetOf(accounts.archive, clock),
      ...(scripts ? [passkeysOf(passkeys)] : []),
      ...(makerKeys ? [makerKeysOf(makerKeys, reach)] : []),
      ...(own ? [endpointsOf(own.endpoints)] : []),
    ],
  })
  if (own) addEndpoints(form, accounts, own, service)
}

// sessionLinks: Links are secrets: whoever may only read a session doesn't get the links to it, and to the seats at it.

/** The reply without such links, and with whose the session is. Without accounts, the reply as it is. */
export const asVisitorSees = async (service: Service, reply: SessionReply): Promise<SessionReply> => {
  const visitor = currentPerson()
  const ownership = visitor && (await service.engine.archive.filing(reply.id))
  if (!visitor || !ownership) return reply
  const whose = whoseIs(ownership, visitor.person)
  const people = reply.people.map(one => ({ ...one, path: null }))
  const ownerName = async (owner: string): Promise<string | null> =>
    owner === visitor.person.id
      ? visitor.person.name
      : ((await service.accounts?.people.withId(owner))?.name ?? null)
  return {
    ...reply,
    ...(!visitorMay(visitor, 'share-session', whose) && { share: null }),
    ...(!visitorMay(visitor, 'change-session', whose) && { people }),
    ownership: {
      ...{ own: whose === 'own', visibility: ownership.visibility },
      by: ownership.owner && (await ownerName(ownership.owner)),
      may: sessionActs.filter(act => visitorMay(visitor, act, whose)),
    },
  }
}

/** Found sessions with the names of their owners, if those are others. Without accounts, as they are. */
export const withOwners = async (
  { accounts }: Service,
  sessions: readonly FoundReply[],
): Promise<readonly FoundReply[]> => {
  const me = currentPerson()?.person.id
  const isOthers = ({ owner }: FoundReply): boolean => owner !== undefined && owner !== me
  if (!accounts || !sessions.some(isOthers)) return sessions
  const names = new Map((await accounts.people.list()).map(({ id, name }) => [id, name]))
  return sessions.map(one => {
    const by = isOthers(one) ? names.get(one.owner ?? '') : undefined
    return by === undefined ? one : { ...one, by }
  })
}
