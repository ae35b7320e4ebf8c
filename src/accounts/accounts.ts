/** Everything about accounts on one archive, and the acts that touch several parts of it. */
import { UsageError } from '../core/errors.ts'
import type { Archive } from '../store/archive/archive.ts'
import { type Actor, type Audit, auditIn } from './audit.ts'
import { type Invitations, invitationsIn, usedUp } from './invitations.ts'
import { type ApiKeys, apiKeysIn } from './keys.ts'
import { type PasswordCost, type Passwords, passwordsIn } from './passwords.ts'
import { type People, peopleIn } from './people.ts'
import type { Person, Role } from './person.ts'
import { secretHash } from './secrets.ts'
import { type SignIns, signInsIn } from './sign-ins.ts'

export interface Accounts {
  readonly people: People
  readonly passwords: Passwords
  readonly signIns: SignIns
  readonly invitations: Invitations
  readonly keys: ApiKeys
  readonly audit: Audit
  /** Makes an account from an invitation. Without a password, the person logs in in another way. */
  accept(secret: string, name: string, password: string | undefined, from: string): Promise<Person>
  /** As `signIn`, for whoever has this name and password; undefined if nobody has, or the account is disabled. */
  signInWith(
    nameOrEmail: string,
    password: string,
    from: string,
    browser: string,
  ): Promise<string | undefined>
  /** That somebody tried a wrong password. An unknown name is as much work as a known one. */
  noteFailure(nameOrEmail: string, from: string): Promise<void>
  /** Starts a sign-in and returns the secret for its cookie. */
  signIn(person: Person, from: string, browser: string): Promise<string>
  /** The new role holds at once: the person has to log in again, and their keys have it too. */
  changeRole(person: Person, role: Role, actor: Actor): Promise<void>
  /** Ends every sign-in. */
  changePassword(person: Person, password: string, actor: Actor): Promise<void>
  /** Nobody is removed: their sessions, and the audit log, would be nobody's. */
  disable(person: Person, actor: Actor): Promise<void>
  enable(person: Person, actor: Actor): Promise<void>
  signOutEverywhere(person: Person, actor: Actor): Promise<void>
}

export interface AccountsOptions {
  readonly clock?: () => number
  readonly passwordCost?: PasswordCost
}

export const accountsIn = (
  archive: Archive,
  { clock = Date.now, passwordCost }: AccountsOptions = {},
): Accounts => {
  const people = peopleIn(archive, clock)
  const passwords = passwordsIn(archive, passwordCost)
  const signIns = signInsIn(archive, clock)
  const invitations = invitationsIn(archive, clock)
  const keys = apiKeysIn(archive, clock)
  const audit = auditIn(archive, clock)

  /** A server without an admin could never have one again. */
  const refuseWithoutAdmin = (person: Person, left: readonly Person[]): void => {
    if (person.role !== 'admin' || left.some(one => one.role === 'admin' && !one.disabled)) return
    throw new UsageError(`${person.name} is the only admin. Make somebody else an admin first.`)
  }
  const refuseLastAdmin = async (person: Person): Promise<void> =>
    refuseWithoutAdmin(
      person,
      (await people.list()).filter(({ id }) => id !== person.id),
    )
  const ended = async ({ id }: Person, actor: Actor, what: string): Promise<void> => {
    await signIns.endAll(id)
    await audit.add(actor, what, id)
  }
  /** Saved first: a sign-in that starts in between has what is new. Somebody else may have changed the person since. */
  const changed = async (
    person: Person,
    change: (now: Person) => Person,
    actor: Actor,
    what: string,
  ): Promise<void> => {
    const before = (await people.withId(person.id)) ?? person
    await people.save(change(before))
    // Two admins may do it to each other at once.
    try {
      refuseWithoutAdmin(before, await people.list())
    } catch (error) {
      await people.save(before)
      throw error
    }
    await ended(person, actor, what)
  }
  const signIn: Accounts['signIn'] = async (person, from, browser) => {
    const secret = await signIns.start(person.id, from, browser)
    await audit.add({ who: person.id, from }, 'signed-in', person.id)
    return secret
  }
  return {
    ...{ people, passwords, signIns, invitations, keys, audit },
    async accept(secret, name, password, from) {
      // A guess at an invitation costs no hash, and a server that is too busy for one leaves the invitation usable.
      if (!(await invitations.with(secret))) throw usedUp()
      // While it is tried, nobody can revoke it.
      await people.checkFree(name)
      const save = password === undefined ? undefined : await passwords.prepared(password, from)
      const person = await invitations.use(secret, ({ role, email }) =>
        people.add({ name, role, ...(email && { email }) }),
      )
      await save?.(person.id)
      await audit.add({ who: person.id, from }, 'invitation-accepted', person.id)
      return person
    },
    async signInWith(nameOrEmail, password, from, browser) {
      const person = await people.named(nameOrEmail.slice(0, 200))
      const mark = await passwords.mark(person?.id)
      const right = await passwords.isRight(person?.id, password, from)
      if (right && person && !person.disabled) {
        const secret = await signIn(person, from, browser)
        // A new password ended all sign-ins, perhaps right before this one began.
        if ((await passwords.mark(person.id)) === mark) return secret
        await signIns.end(person.id, secretHash(secret))
      }
      return undefined
    },
    async noteFailure(nameOrEmail, from) {
      const person = await people.named(nameOrEmail.slice(0, 200))
      await audit.add({ who: 'nobody', from }, 'sign-in-failed', person?.id)
    },
    signIn,
    async changeRole(person, role, actor) {
      if (role !== 'admin') await refuseLastAdmin(person)
      await changed(person, now => ({ ...now, role }), actor, `role-${role}`)
    },
    async changePassword(person, password, actor) {
      await passwords.set(person.id, password)
      await ended(person, actor, 'password-changed')
    },
    async disable(person, actor) {
      await refuseLastAdmin(person)
      await changed(person, now => ({ ...now, disabled: true }), actor, 'disabled')
    },
    async enable(person, actor) {
      await changed(person, ({ disabled: _disabled, ...now }) => now, actor, 'enabled')
    },
    async signOutEverywhere(person, actor) {
      await ended(person, actor, 'signed-out-everywhere')
    },
  }
}
