/** Who makes a request: a person by sign-in or key, somebody with a link, or a command on the server's own machine. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { UsageError } from '../core/errors.ts'
import type { Scope } from './keys.ts'
import { type Action, may, permissions, usualTarget, type Whose } from './permissions.ts'
import type { Person } from './person.ts'

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
