/** Gives each request its person, and checks it against the table of permissions before any route sees it. */
import type { Context, MiddlewareHandler } from 'hono'
import type { Accounts } from '../../accounts/accounts.ts'
import { isApiKeyLike } from '../../accounts/keys.ts'
import { type Action, permissions } from '../../accounts/permissions.ts'
import { checkPermission, filingSeen } from '../../accounts/scoped-archive.ts'
import { asVisitor, type Visitor } from '../../accounts/visitor.ts'
import type { Ownership } from '../../store/archive/archive.ts'
import { bearerOf, isToken } from '../access.ts'
import { addressOf } from '../limits.ts'
import { misused, Refusal, unknownSession } from '../problem.ts'
import { isSessionId } from '../router.ts'
import type { Env, ServedAccounts } from '../service.ts'
import { dropSignIn, signInSecret } from './cookie.ts'
import { type Requested, requestedBy } from './route-actions.ts'

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
