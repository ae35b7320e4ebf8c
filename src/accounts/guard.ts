/** Gives each request its person, and checks it against the table of permissions before any route sees it. */

import { createHash } from 'node:crypto'
import { createRoute } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { matchedRoutes } from 'hono/route'
import { z } from 'zod'
import { meSchema, visibilityBodySchema } from '../api/common.ts'
import type { SessionEvent } from '../core/event.ts'
import { bearerOf, isOpen, isToken } from '../http/guards.ts'
import { addressOf } from '../http/limits.ts'
import { misused, Refusal, unknownSession } from '../http/log.ts'
import {
  type Env,
  isSessionId,
  problems,
  replies,
  router,
  type ServedAccounts,
  type Service,
  sessionParams,
  takes,
} from '../http/service.ts'
import { logOf } from '../http/sessions.ts'
import { sessionIn } from '../openai/server.ts'
import type { Ownership } from '../store/archive.ts'
import type { Accounts } from './accounts.ts'
import { signInDays } from './people.ts'
import {
  type Action,
  asVisitor,
  currentPerson,
  currentVisitor,
  everyAction,
  permissions,
  type Visitor,
  visitorMay,
} from './permissions.ts'
import { isApiKeyLike, type Person } from './person.ts'
import { checkPermission, filingSeen } from './scoped.ts'
import type { Site } from './sign-in.ts'

// browserName: What people call a browser, from what it calls itself.

/** The first mark that is found counts: most browsers also claim to be others. */
const programs = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** As it calls itself, if it is none that is known here. */
export const browserName = (agent: string): string => {
  const [program, system] = [programs, systems].map(
    marks => marks.find(([mark]) => agent.includes(mark))?.[1],
  )
  return program && system ? `${program} on ${system}` : agent
}

// cookie: The cookie of a sign-in.

const cookieName = 'roundtable-sign-in'

export const signInSecret = (context: Context<Env>): string | undefined => getCookie(context, cookieName)

/**
 * Lax, because a provider of sign-ins sends people back from its own site. Only visits send the cookie then, and
 * everything that changes something also has to come from a page of this server.
 */
export const keepSignIn = (context: Context<Env>, secret: string): void =>
  setCookie(context, cookieName, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: context.req.header('x-forwarded-proto') === 'https',
    maxAge: signInDays * 86_400,
  })

const browserCookie = 'roundtable-browser'

export const browserMark = (context: Context<Env>): string | undefined => getCookie(context, browserCookie)

/** The browser is known again after it has logged out: guesses of others at the password don't hold it up. */
export const keepBrowser = async (
  { passwords }: Pick<Accounts, 'passwords'>,
  context: Context<Env>,
  person: Pick<Person, 'id'>,
): Promise<void> => {
  const mark = await passwords.browserMark(person.id)
  if (mark === undefined) return
  setCookie(context, browserCookie, mark, {
    path: '/sign-in',
    httpOnly: true,
    sameSite: 'Lax',
    secure: context.req.header('x-forwarded-proto') === 'https',
    maxAge: 365 * 86_400,
  })
}

export const dropSignIn = (context: Context<Env>): void => {
  if (signInSecret(context) !== undefined) deleteCookie(context, cookieName, { path: '/' })
}

// routeActions: What each route and each MCP tool does, in the words of the table of permissions. A route or tool without an entry is
// refused to everybody, and a test finds it.

/** `open`: nobody has to be logged in, because it shows nothing, or asks for the secret of a link itself. */
export type RouteAction = Action | 'open'

const under = <Entry extends string>(
  prefix: string,
  entries: Readonly<Record<string, Entry>>,
): Record<string, Entry> =>
  Object.fromEntries(
    Object.entries(entries).map(([route, action]) => {
      const [method, path = ''] = route.split(' ')
      return [`${method} ${prefix}${path}`, action]
    }),
  )

const sessions = under<Action>('/api/sessions', {
  'GET ': 'list',
  'POST ': 'ask',
  'GET /:id': 'read-session',
  'DELETE /:id': 'delete-session',
  'PUT /:id/tags': 'change-session',
  'PUT /:id/visibility': 'share-session',
  'GET /:id/thread': 'read-session',
  'POST /:id/fork': 'fork-session',
  'POST /:id/fork/estimate': 'fork-session',
  'GET /:id/rounds/estimate': 'read-session',
  'POST /:id/cancel': 'change-session',
  'POST /:id/resume': 'change-session',
  'POST /:id/rounds': 'change-session',
  'POST /:id/resolve': 'change-session',
  'POST /:id/kind': 'change-session',
  'POST /:id/say': 'change-session',
  'POST /:id/people': 'change-session',
  'POST /:id/seats/:seat/retry': 'change-session',
  'POST /:id/seats/:seat/answer': 'change-session',
  'POST /:id/seats/:seat/go-on': 'change-session',
  'POST /:id/seats/:seat/replace': 'change-session',
  'POST /:id/seats/:seat/link': 'change-session',
  'DELETE /:id/seats/:seat/link': 'change-session',
  'GET /:id/events': 'read-session',
  'GET /:id/export/:format': 'read-session',
  'GET /:id/files/:sha256': 'read-session',
  'POST /:id/share': 'share-session',
  'DELETE /:id/share': 'share-session',
})

const table = under<Action>('/api', {
  'GET /me': 'read-table',
  'POST /import': 'ask',
  'POST /exhibits': 'ask',
  'POST /estimate': 'ask',
  'POST /sharpen': 'ask',
  'POST /tour': 'ask',
  'GET /stats': 'list',
  'GET /models': 'read-table',
  'GET /retiring': 'list',
  'GET /protocols': 'read-table',
  'GET /lineups': 'read-table',
  'GET /lineups/:name': 'read-table',
  'PUT /lineups/:name': 'change-lineup',
  'DELETE /lineups/:name': 'change-lineup',
  'GET /templates': 'read-table',
  'GET /templates/:name': 'read-table',
  'PUT /templates/:name': 'change-template',
  'DELETE /templates/:name': 'change-template',
  'GET /openapi.json': 'read-table',
  'GET /docs': 'read-table',
})

const settings = under<Action>('/api', {
  'GET /settings': 'read-table',
  'GET /house': 'read-table',
  'POST /house/fetch': 'change-settings',
  'PUT /settings/keys/:id': 'change-settings',
  'DELETE /settings/keys/:id': 'change-settings',
  'PUT /settings/endpoints/:id': 'change-settings',
  'DELETE /settings/endpoints/:id': 'change-settings',
  'PUT /settings/defaults': 'change-settings',
  'PUT /settings/agents': 'change-settings',
  'POST /settings/reload': 'change-settings',
  'POST /settings/providers/:id/test': 'change-settings',
})

const chat = under<Action>('/v1', {
  'GET /models': 'read-table',
  'GET /models/:name{.+}': 'read-table',
  'POST /chat/completions': 'ask',
  'POST /responses': 'ask',
  'GET /responses/:id': 'read-session',
  'POST /responses/:id/cancel': 'change-session',
  'ALL /*': 'read-table',
})

const account = under<RouteAction>('', {
  'GET /login': 'open',
  'GET /sign-in': 'open',
  'POST /sign-in': 'open',
  'POST /sign-out': 'open',
  'GET /invitation/:token': 'open',
  'POST /invitation/:token': 'open',
  'GET /sign-in/oidc': 'open',
  'GET /sign-in/oidc/callback': 'open',
  'GET /sign-in/passkeys.js': 'open',
  'POST /sign-in/passkey/options': 'open',
  'POST /sign-in/passkey': 'open',
  'POST /invitation/:token/passkey/options': 'open',
  'POST /invitation/:token/passkey': 'open',
  'GET /account': 'own-account',
  'POST /account/keys': 'own-account',
  'POST /account/keys/revoke': 'own-account',
  'POST /account/sign-ins/end': 'own-account',
  'POST /account/sign-out-everywhere': 'own-account',
  'POST /account/password': 'own-account',
  'POST /account/passkeys/options': 'own-account',
  'POST /account/passkeys': 'own-account',
  'POST /account/passkeys/remove': 'own-account',
  'POST /account/maker-keys': 'own-account',
  'POST /account/maker-keys/remove': 'own-account',
  'POST /account/endpoints': 'change-endpoint',
  'POST /account/endpoints/test': 'change-endpoint',
  'POST /account/endpoints/remove': 'change-endpoint',
})

const team = under<Action>('/api/team', {
  'GET /people': 'manage-people',
  'PUT /people/:id/role': 'manage-people',
  'PUT /people/:id/disabled': 'manage-people',
  'DELETE /people/:id/sign-ins': 'manage-people',
  'DELETE /people/:id/keys/:key': 'manage-people',
  'GET /invitations': 'manage-people',
  'POST /invitations': 'manage-people',
  'DELETE /invitations/:id': 'manage-people',
  'GET /keys': 'manage-people',
  'GET /spending': 'manage-people',
  'PUT /budgets/:id': 'manage-people',
  'GET /audit': 'manage-people',
  'GET /retention': 'manage-people',
})

export const routeActions: Readonly<Record<string, RouteAction>> = {
  ...sessions,
  ...table,
  ...settings,
  ...chat,
  ...account,
  ...team,
  // Each tool has an entry of its own, below.
  'ALL /mcp': 'read-table',
  'GET /metrics': 'read-metrics',
  'GET /healthz': 'open',
  'GET /readyz': 'open',
  'GET /assets/*': 'open',
  'GET /api/shared/:token': 'open',
  'GET /api/shared/:token/events': 'open',
  'GET /api/seat/:token': 'open',
  'GET /api/seat/:token/pictures/:exhibit': 'open',
  'POST /api/seat/:token/answer': 'open',
  'GET /shared/:token': 'open',
  'GET /shared/:token/preview.png': 'open',
  // The pages themselves, which show nothing until they have asked for it.
  'GET /': 'read-table',
  'GET /*': 'read-table',
  'ALL /*': 'read-table',
}

/** The argument that names a session, if the tool is about one. */
interface ToolEntry {
  readonly action: Action
  readonly session?: 'id'
}

export const toolActions: Readonly<Record<string, ToolEntry>> = {
  ask_table: { action: 'ask' },
  wait_for_table: { action: 'read-session', session: 'id' },
  take_seat: { action: 'change-session', session: 'id' },
  show_session: { action: 'read-session', session: 'id' },
  find_sessions: { action: 'list' },
  list_models: { action: 'read-table' },
}

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`

/** Guards stand before every route, and answer nothing themselves. */
const guards: readonly string[] = ['ALL /*', 'ALL /api/*', 'ALL /api/seat/:token/*']

/** The route that will answer a request: the first that matches it and isn't a guard. */
const routeOf = (context: Context<Env>): string | undefined => {
  const keys = matchedRoutes(context).map(keyOf)
  return keys.find(key => !guards.includes(key)) ?? (keys.includes('ALL /*') ? 'ALL /*' : undefined)
}

export interface Requested {
  /** Undefined: the route has no entry. */
  readonly action: RouteAction | undefined
  /** The session that it is about. */
  readonly session?: string
  /** What a session would take at the table that it has: the endpoints of its owner count. */
  readonly estimates?: boolean
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The part of a path that stands where a route has `:id`. */
const idIn = (route: string, path: string): string | undefined => {
  const at = route.split('/').indexOf(':id')
  const part = at < 0 ? undefined : path.split('/')[at]
  return part === undefined ? undefined : decoded(part)
}

export const requestedBy = (context: Context<Env>): Requested => {
  const route = routeOf(context)
  const action = route === undefined ? undefined : routeActions[route]
  // Icons, and the page of a person's seat.
  if ((route === 'GET /*' || route === 'ALL /*') && isOpen(context)) return { action: 'open' }
  const id = idIn(route ?? '', context.req.path)
  const about = route?.includes('/v1/responses/') && id !== undefined ? sessionIn(id) : id
  const isAboutSession = route?.includes(' /api/sessions/') || route?.includes(' /v1/responses/')
  const estimates = route?.endsWith('/rounds/estimate') ?? false
  return { action, estimates, ...(isAboutSession && about !== undefined && { session: about }) }
}

export interface GuardParts {
  readonly accounts: ServedAccounts
  /** Counts wrong keys and cookies by address. */
  readonly wrong: (context: Context<Env>) => void
}

const byKey = async ({ keys }: Accounts, bearer: string): Promise<Visitor | undefined> => {
  const { key, person } = (await keys.with(bearer)) ?? {}
  if (!key || !person || person.disabled) return undefined
  return { kind: 'person', person, by: { key: key.id, scope: key.scope } }
}

const bySignIn = async ({ signIns }: Accounts, secret: string): Promise<Visitor | undefined> => {
  const { signIn, person } = (await signIns.with(secret)) ?? {}
  return signIn && person && !person.disabled
    ? { kind: 'person', person, by: { signIn: signIn.id } }
    : undefined
}

/** A key comes first: a program says by it who it is, whatever cookies it has. */
export const visitorOf = async (
  accounts: ServedAccounts,
  context: Context<Env>,
): Promise<Visitor | undefined> => {
  const bearer = bearerOf(context)
  if (bearer !== undefined) {
    if (accounts.localToken !== undefined && isToken(bearer, accounts.localToken)) return { kind: 'machine' }
    return byKey(accounts, bearer)
  }
  const secret = signInSecret(context)
  return secret === undefined ? undefined : bySignIn(accounts, secret)
}

const wantsPage = ({ req }: Context<Env>): boolean =>
  req.method === 'GET' &&
  !req.path.startsWith('/api/') &&
  Boolean(req.header('accept')?.includes('text/html'))

const nobody = (context: Context<Env>): Response => {
  if (wantsPage(context)) {
    dropSignIn(context)
    const { pathname, search } = new URL(context.req.url)
    return context.redirect(`/sign-in?to=${encodeURIComponent(pathname + search)}`)
  }
  const bearer = bearerOf(context)
  const whyNot = (given: string): string =>
    isApiKeyLike(given)
      ? 'This API key was revoked, has expired or never existed. '
      : 'This server has accounts, and no longer takes a token. '
  const why = bearer === undefined ? '' : whyNot(bearer)
  throw new Refusal(
    401,
    `${why}Log in at /sign-in, or send an API key of your account as "Authorization: Bearer rt_…".`,
    { headers: { 'www-authenticate': 'Bearer' } },
  )
}

export const accountsGuard = ({ accounts, wrong }: GuardParts): MiddlewareHandler<Env> => {
  /** A private session of somebody else gets the same words as one that never was. */
  const ownershipOf = async (visitor: Visitor, id: string): Promise<Ownership | undefined> => {
    // The route itself says what is wrong with such an id.
    if (!isSessionId(id)) return undefined
    const ownership = await filingSeen(accounts.archive, visitor, id)
    if (ownership) return ownership
    throw unknownSession(id)
  }
  const check = (visitor: Visitor, action: Action, ownership: Ownership | undefined): void => {
    try {
      checkPermission(visitor, action, ownership)
    } catch (error) {
      throw misused(422, error)
    }
  }
  const note = async (context: Context<Env>, visitor: Visitor, action: Action, session?: string) => {
    const { method } = context.req
    if (!permissions[action].audited || method === 'GET' || !context.res.ok) return
    const who = visitor.kind === 'person' ? visitor.person.id : visitor.kind
    await accounts.audit.add({ who, from: addressOf(context) }, context.get('done') ?? action, session)
  }
  /** In another's session nobody names endpoints that are somebody's own. */
  const seat = async (visitor: Visitor, { action, estimates }: Requested, ownership?: Ownership) => {
    if (visitor.kind !== 'person' || !accounts.own) return
    const { id } = visitor.person
    const isOthers = action === 'change-session' && ownership?.owner !== id
    const mayName = action !== undefined && action !== 'open' && permissions[action].models && !isOthers
    const person = estimates ? ownership?.owner : mayName && id
    if (person) await accounts.own.seatsFor(visitor, person)
  }
  return async (context, next) => {
    const requested = requestedBy(context)
    const { action, session } = requested
    if (action === 'open') return asVisitor({ kind: 'link' }, next)
    const visitor = await visitorOf(accounts, context)
    if (!visitor) {
      if (bearerOf(context) !== undefined || signInSecret(context) !== undefined) wrong(context)
      return nobody(context)
    }
    if (action === undefined) throw new Refusal(403, 'Nobody may use this address while accounts are on.')
    const ownership = session === undefined ? undefined : await ownershipOf(visitor, session)
    check(visitor, action, ownership)
    await seat(visitor, requested, ownership)
    await asVisitor(visitor, next)
    await note(context, visitor, action, session)
  }
}

// ownCopy: The id of an imported session.

/**
 * A person's import gets an id of its own, the same one each time. With the id in the file, the reply would tell whether
 * somebody else has a session with that id.
 */
export const ownCopy = (events: readonly SessionEvent[]): readonly SessionEvent[] => {
  const person = currentPerson()?.person.id
  const [first, ...rest] = events
  if (person === undefined || first?.type !== 'session-opened') return events
  const hash = createHash('sha256')
    .update(JSON.stringify([person, first.id]))
    .digest('hex')
  return [{ ...first, id: `${first.id.slice(0, 80)}-${hash.slice(0, 8)}` }, ...rest]
}

// site: The address that the people of a request use, which may be a proxy's in front of this server.

export const siteOf = ({ req }: Context<Env>): Site => {
  const { origin, hostname } = new URL(req.url)
  const secure = req.header('x-forwarded-proto') === 'https'
  return { origin: secure ? origin.replace(/^http:/, 'https:') : origin, host: hostname }
}

// toolGuard: Checks each call of an MCP tool against the table of permissions.

const aboutSession = z.object({ id: z.string() })

export const toolGuard =
  ({ archive }: ServedAccounts) =>
  async (tool: string, given: unknown): Promise<void> => {
    const entry = toolActions[tool]
    if (!entry) throw new Refusal(403, 'Nobody may use this tool while accounts are on.')
    const visitor = currentVisitor()
    if (!entry.session) return checkPermission(visitor, entry.action)
    const { id } = aboutSession.parse(given)
    const ownership = isSessionId(id) ? await filingSeen(archive, visitor, id) : undefined
    if (!ownership) throw unknownSession(id)
    checkPermission(visitor, entry.action, ownership)
  }

// visibility: Who is asking, and with whom a session is shared. These routes are there only while accounts are on.

const tags = ['Accounts']

const me = createRoute({
  method: 'get',
  path: '/api/me',
  tags,
  summary: 'Read who you are here',
  responses: { 200: replies(meSchema, 'Your account; null for a command on the server’s machine') },
})

const share = createRoute({
  method: 'put',
  path: '/api/sessions/{id}/visibility',
  tags,
  summary: 'Share a session with the team, or keep it private',
  request: { params: sessionParams, body: takes(visibilityBodySchema) },
  responses: { 204: { description: 'From now on, these people see it' }, ...problems },
})

export const visibilityRoutes = (service: Service) => {
  const { archive } = service.engine
  return router()
    .openapi(me, context => {
      const person = currentPerson()?.person
      const may = everyAction.filter(action => visitorMay(currentVisitor(), action))
      return context.json(
        { person: person ? { id: person.id, name: person.name, role: person.role } : null, may },
        200,
      )
    })
    .openapi(share, async context => {
      const { id } = context.req.valid('param')
      const { visibility } = context.req.valid('json')
      await logOf(service, id)
      const owner = (await archive.filing(id))?.owner ?? null
      if (owner !== null) await archive.own(id, { owner, visibility })
      else if (visibility === 'private')
        throw new Refusal(
          409,
          'This session belongs to the team, so it can’t become private. Fork it instead.',
        )
      // Those who may still watch come back by themselves.
      if (visibility === 'private') service.streams.end(id)
      context.set('done', visibility === 'private' ? 'made-private' : 'shared-with-team')
      return context.body(null, 204)
    })
}
