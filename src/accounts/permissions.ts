/**
 * Who may do what to whose: the one table from which the guards, the tests and the documentation are made. Another
 * person's private session isn't in it: nobody but its owner may do anything to it, and for others it isn't there.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { UsageError } from '../core/basics.ts'
import type { Ownership } from '../store/archive.ts'
import type { Person, Role, Scope } from './person.ts'

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

// visitor: Who makes a request: a person by sign-in or key, somebody with a link, or a command on the server's own machine.

export interface PersonVisitor {
  readonly kind: 'person'
  readonly person: Person
  /** The sign-in or the key, by its id. */
  readonly by: { readonly signIn: string } | { readonly key: string; readonly scope: Scope }
}

export type Visitor =
  | PersonVisitor
  /** Has a link to one session or seat, and the route looks up which. */
  | { readonly kind: 'link' }
  /** A command of whoever runs the server, who can read the database anyway. */
  | { readonly kind: 'machine' }

const visitors = new AsyncLocalStorage<Visitor>()

/** Everything that is done within `work`, however much later, is done as this visitor. */
export const asVisitor = <T>(visitor: Visitor, work: () => T): T => visitors.run(visitor, work)

/** Throws if nobody is known: what forgets to say who asks sees nothing. */
export const currentVisitor = (): Visitor => {
  const visitor = visitors.getStore()
  if (visitor) return visitor
  throw new Error('Sessions were asked for, and nobody knows by whom.')
}

/** The person of the request, if there is one. Undefined without accounts. */
export const currentPerson = (): PersonVisitor | undefined => {
  const visitor = visitors.getStore()
  return visitor?.kind === 'person' ? visitor : undefined
}

export const visitorMay = (visitor: Visitor, action: Action, whose: Whose = usualTarget(action)): boolean => {
  if (visitor.kind !== 'person') return true
  const { person, by } = visitor
  return may(person.role, action, whose, 'scope' in by ? by.scope : undefined)
}

/** Whether the person may do it, whatever their key may. */
const accountMay = (visitor: Visitor, action: Action, whose: Whose = usualTarget(action)): boolean =>
  visitor.kind === 'person' && may(visitor.person.role, action, whose)

/** Throws if the visitor may not do it. */
export const checkMay = (visitor: Visitor, action: Action, whose?: Whose): void => {
  if (visitorMay(visitor, action, whose)) return
  const { words, to, scope } = permissions[action]
  const their = whose === 'team' && to === 'saved' ? ' of the team’s' : ''
  const what = `${words}${their}`
  throw new UsageError(
    accountMay(visitor, action, whose)
      ? `This key may not ${what}. ${scope === null ? 'No key may: log in.' : `Use a key with the scope “${scope}”.`}`
      : `Your account may not ${what}. Ask an admin of this server.`,
    'not-allowed',
  )
}

const mostKept = 100

/** Something that is kept from one request to the next, and that no two people may share. */
export const forEachPerson = <T>(make: () => T): (() => T) => {
  const kept = new Map<string, T>()
  return () => {
    const id = currentPerson()?.person.id ?? ''
    const known = kept.get(id) ?? make()
    kept.delete(id)
    kept.set(id, known)
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return known
  }
}
