/**
 * Who may do what to whose: the one table from which the guards, the tests and the documentation are made. Another
 * person's private session isn't in it: nobody but its owner may do anything to it, and for others it isn't there.
 */
import type { Ownership } from '../store/archive/archive.ts'
import type { Scope } from './keys.ts'
import type { Person, Role } from './person.ts'

/** Whose something is, as one person sees it. */
export type Whose = 'own' | 'team' | 'private'

export const everyWhose: readonly Whose[] = ['own', 'team', 'private']

interface Rule {
  /** For the documentation: "… may <words>". */
  readonly words: string
  /** What it is done to: sessions and saved things are somebody's, everything else is the team's. */
  readonly to: 'session' | 'saved' | 'server' | 'account'
  /** Which scope a key needs. Null: only somebody who is logged in may do it, no key. */
  readonly scope: Scope | null
  /** Noted in the audit log. */
  readonly audited?: true
  /** It may name models, or shows which there are: endpoints of the person's own count. */
  readonly models?: true
  readonly may: Readonly<Record<Role, readonly Whose[]>>
}

const everybody = (...whose: readonly Whose[]): Rule['may'] => ({
  admin: whose,
  member: whose,
  viewer: whose,
})
const adminOnly: Rule['may'] = { admin: ['team'], member: [], viewer: [] }
const ownOrTeams: Rule['may'] = { admin: ['own', 'team'], member: ['own'], viewer: [] }

const table = {
  'read-session': {
    words: 'read a session, watch it, export it and see what follows it',
    to: 'session',
    scope: 'read',
    may: everybody('own', 'team'),
  },
  'change-session': {
    words: 'stop, resume and retry a session, add to it, tag it and record the right answer',
    to: 'session',
    scope: 'ask',
    models: true,
    may: { admin: ['own', 'team'], member: ['own', 'team'], viewer: [] },
  },
  'share-session': {
    words: 'share a session with the team or by a link, or end that',
    to: 'session',
    scope: 'all',
    audited: true,
    may: { admin: ['own', 'team'], member: ['own'], viewer: [] },
  },
  'delete-session': {
    words: 'delete a session',
    to: 'session',
    scope: 'all',
    audited: true,
    may: { admin: ['own', 'team'], member: ['own'], viewer: ['own'] },
  },
  'fork-session': {
    words: 'fork a session; the fork is their own',
    to: 'session',
    scope: 'ask',
    models: true,
    may: { admin: ['own', 'team'], member: ['own', 'team'], viewer: [] },
  },
  ask: {
    words: 'ask questions or import sessions',
    to: 'server',
    scope: 'ask',
    models: true,
    may: { admin: ['team'], member: ['team'], viewer: [] },
  },
  list: {
    words: 'list and search sessions, and read statistics of them: their own and the team’s',
    to: 'server',
    scope: 'read',
    may: everybody('team'),
  },
  'read-table': {
    words: 'see models, protocols, line-ups, templates and what is configured',
    to: 'server',
    scope: 'read',
    models: true,
    may: everybody('team'),
  },
  'change-lineup': {
    words: 'save and delete a line-up',
    to: 'saved',
    scope: 'all',
    may: ownOrTeams,
  },
  'change-template': {
    words: 'save and delete a template',
    to: 'saved',
    scope: 'all',
    audited: true,
    may: ownOrTeams,
  },
  'change-endpoint': {
    words: 'add, test and remove endpoints for their own sessions',
    to: 'account',
    scope: null,
    models: true,
    may: { admin: ['own'], member: ['own'], viewer: [] },
  },
  'change-settings': {
    words: 'change keys, endpoints and defaults of the server, which are the team’s, and download its models',
    to: 'server',
    scope: 'all',
    audited: true,
    models: true,
    may: adminOnly,
  },
  'read-metrics': { words: 'read the metrics of the server', to: 'server', scope: 'all', may: adminOnly },
  'manage-people': {
    words: 'invite people, change their roles, disable them and read the audit log',
    to: 'account',
    scope: null,
    may: adminOnly,
  },
  'own-account': {
    words: 'see and end their own logins, make and revoke their own keys, change their password',
    to: 'account',
    scope: null,
    may: everybody('own'),
  },
} as const satisfies Record<string, Rule>

export type Action = keyof typeof table

export const permissions: Readonly<Record<Action, Rule>> = table

export const everyAction = Object.keys(table) as Action[]

const order: readonly Scope[] = ['read', 'ask', 'all']

/** The usual target of an action, if nobody says whose: one's own, if there is such a thing. */
export const usualTarget = (action: Action): Whose =>
  permissions[action].may.admin.includes('own') ? 'own' : 'team'

/** `scope` is that of the key by which somebody acts; undefined if they are logged in. */
export const may = (role: Role, action: Action, whose: Whose, scope?: Scope): boolean => {
  const rule = permissions[action]
  if (scope !== undefined && (rule.scope === null || order.indexOf(scope) < order.indexOf(rule.scope)))
    return false
  return rule.may[role].includes(whose)
}

export const whoseIs = ({ owner, visibility }: Ownership, { id }: Pick<Person, 'id'>): Whose => {
  if (owner === id) return 'own'
  return visibility === 'team' ? 'team' : 'private'
}
