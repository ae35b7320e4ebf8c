/**
 * What each route and each MCP tool does, in the words of the table of permissions. A route or tool without an entry is
 * refused to everybody, and a test finds it.
 */

import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Action } from '../../accounts/permissions.ts'
import { isOpen } from '../access.ts'
import { sessionIn } from '../openai/responses.ts'
import type { Env } from '../service.ts'

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
  'POST /:id/open': 'change-session',
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
const guards: readonly string[] = ['ALL /*', 'ALL /api/*']

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
