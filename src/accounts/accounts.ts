/** Everything about accounts on one archive, and the acts that touch several parts of it. */

import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { UsageError } from '../core/basics.ts'
import { inTurns } from '../core/turns.ts'
import { type Allowance, type Archive, type DayAsked, type RecordKind, teamPayer } from '../store/archive.ts'
import { budgetsIn, type PeriodSpending } from './budgets.ts'
import {
  type Actor,
  type Audit,
  auditIn,
  type Invitations,
  invitationsIn,
  type People,
  peopleIn,
  type SignIns,
  signInsIn,
  usedUp,
} from './people.ts'
import { type ApiKeys, apiKeysIn, nameKey, newSecret, type Person, type Role, secretHash } from './person.ts'

// guesses: Wrong passwords slow down whoever tries them, and the account that they are for. A try is counted before its password
// is looked at: one that is counted afterwards is a free one, however many come at once.

/**
 * A browser that has logged in before is counted alone: strangers who guess at an account, or share an address with its
 * owner behind a proxy, don't keep them out.
 */
export type Guess = { readonly account: string; readonly address: string } | { readonly browser: string }

/** Tries before the first delay, which doubles with each further one. Many people may share an address. */
const [freeTries, freeOfAddress] = [5, 30]
const [firstDelay, longestDelay, longestMemory] = [1_000, 300_000, 86_400_000]
const mostNames = 20_000

interface Tries {
  readonly count: number
  /** When the last one was. */
  readonly at: number
}

/** Counts a try, or throws UsageError if it comes too soon. Returns what forgives it: the password was right. */
export const guessCounter = (clock: () => number): ((guess: Guess) => () => void) => {
  const tries = new Map<string, Tries>()
  /** A clock that was set back must not keep anybody out. */
  const before = (name: string): { readonly count: number; readonly since: number } => {
    const { count, at } = tries.get(name) ?? { count: 0, at: 0 }
    const since = clock() - at
    return since < 0 || since > longestMemory ? { count: 0, since: 0 } : { count, since }
  }
  const note = (name: string, count: number): void => {
    tries.delete(name)
    if (count > 0) tries.set(name, { count, at: clock() })
    if (tries.size > mostNames) tries.delete(tries.keys().next().value!)
  }
  const count = (name: string, free: number): void => {
    const { count, since } = before(name)
    const delay = count < free ? 0 : Math.min(longestDelay, firstDelay * 2 ** (count - free))
    if (since < delay)
      throw new UsageError(
        `Too many wrong tries. Try again in ${Math.ceil((delay - since) / 1_000)} seconds, or in a browser in which you have logged in before.`,
      )
    note(name, count + 1)
  }
  return guess => {
    if ('browser' in guess) {
      count(`browser ${guess.browser}`, freeTries)
      return () => note(`browser ${guess.browser}`, 0)
    }
    const [address, account] = [`address ${guess.address}`, `account ${guess.account}`]
    // The address first: tries that the account's delay refuses count for it, too.
    count(address, freeOfAddress)
    count(account, freeTries)
    return () => {
      note(address, before(address).count - 1)
      note(account, 0)
    }
  }
}

// passwords: Passwords, as salted hashes of scrypt whose parameters are stored beside them.

export const shortestPassword = 12
/** Longer ones aren't read: somebody could make the server hash a book. */
export const longestPassword = 500

export interface PasswordCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** 128 MB and about half a second for each guess. */
export const usualCost: PasswordCost = { N: 2 ** 17, r: 8, p: 1 }

const storedSchema = z.object({
  salt: z.string(),
  hash: z.string(),
  N: z.int(),
  r: z.int(),
  p: z.int(),
})
type StoredPassword = z.infer<typeof storedSchema>

const derived = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 256 * N * r }
    scrypt(password.normalize('NFKC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

/** Signed by the hash, which nobody but the server has. */
const browserProof = ({ hash }: StoredPassword, browser: string): string =>
  createHmac('sha256', Buffer.from(hash, 'base64')).update(`browser ${browser}`).digest('base64url')

export interface Passwords {
  /** Replaces the password of a person. */
  set(person: string, password: string): Promise<void>
  /** Hashes a password for somebody who is about to have an account; what it returns saves it. `from`: as below. */
  prepared(password: string, from: string): Promise<(person: string) => Promise<void>>
  /**
   * An unknown person takes as long as a wrong password: nobody learns who has an account. All guesses at one account from
   * one address wait behind each other, and nobody else behind them. Throws UsageError if there were too many.
   */
  isRight(person: string | undefined, password: string, guess: Guess): Promise<boolean>
  /** What a browser keeps to be known again; it ends with the password. Undefined: the person has none. */
  browserMark(person: string): Promise<string | undefined>
  /** The name of a browser, if its mark is of this person. */
  browserWith(person: string | undefined, mark: string): Promise<string | undefined>
  has(person: string): Promise<boolean>
  /** Another one with every new password; undefined if there is none. */
  mark(person: string | undefined): Promise<string | undefined>
  remove(person: string): Promise<void>
}

/** What the passwords that are tried first are made of: these, digits, and little else. */
const commonParts = [
  ...[
    'administrator',
    'roundtable',
    'qwertyuiop',
    'basketball',
    'iloveyou',
    'password',
    'passwort',
    'passw0rd',
  ],
  ...[
    'p@ssw0rd',
    'p@ssword',
    'baseball',
    'football',
    'trustno1',
    'sunshine',
    'princess',
    'superman',
    'changeme',
  ],
  ...[
    'starwars',
    'computer',
    'internet',
    'whatever',
    'asdfghjkl',
    'letmein',
    'welcome',
    'zxcvbnm',
    'charlie',
  ],
  ...[
    'michael',
    'shadow',
    'dragon',
    'monkey',
    'master',
    'qwerty',
    'qwertz',
    'azerty',
    'secret',
    'summer',
    'winter',
  ],
  ...[
    'spring',
    'autumn',
    'hello',
    'admin',
    'login',
    'asdf',
    'qwer',
    'zxcv',
    'test',
    'user',
    'love',
    'pass',
    'abcd',
  ],
  ...['abc', 'qaz', 'wsx', 'edc'],
]

const isCommon = (password: string): boolean => {
  const lower = password.normalize('NFKC').toLowerCase()
  const left = commonParts.reduce((rest, part) => rest.replaceAll(part, ''), lower)
  return new Set(lower).size < 5 || left.replace(/[\p{N}\p{P}\p{S}\p{Z}]/gu, '').length <= 2
}

export const checkedPassword = (password: string): string => {
  if (password.length < shortestPassword || password.length > longestPassword)
    throw new UsageError(`Choose a password of ${shortestPassword} to ${longestPassword} characters.`)
  if (!isCommon(password)) return password
  throw new UsageError(
    'That password is one of the first that people try. Choose another, such as four words.',
  )
}

/** More in all would wait for longer than a browser does, and a person needs one. */
const hashLimits = {
  ...{ waiting: 40, ofOne: 4 },
  refusal: () => new UsageError('Too many people are logging in. Try again in a minute.'),
}

export const passwordsIn = (
  archive: Archive,
  cost: PasswordCost = usualCost,
  clock: () => number = Date.now,
): Passwords => {
  const counted = guessCounter(clock)
  const turn = inTurns(hashLimits)
  const dummy: StoredPassword = {
    salt: randomBytes(16).toString('base64'),
    hash: randomBytes(32).toString('base64'),
    ...cost,
  }
  const storedOf = async (person: string | undefined): Promise<StoredPassword | undefined> => {
    const value = person === undefined ? undefined : await archive.record('password', person)
    return value === undefined ? undefined : storedSchema.parse(value)
  }
  const prepared: Passwords['prepared'] = async (password, from) => {
    const salt = randomBytes(16)
    const hash = await turn(from, () => derived(checkedPassword(password), salt, cost))
    const stored = { salt: salt.toString('base64'), hash: hash.toString('base64'), ...cost }
    return person => archive.saveRecord('password', person, stored, person)
  }
  return {
    prepared,
    set: async (person, password) => (await prepared(password, person))(person),
    async isRight(person, password, guess) {
      const forgive = counted(guess)
      if (password.length > longestPassword) return false
      const from = 'browser' in guess ? guess.browser : `${guess.address} ${guess.account}`
      const stored = await storedOf(person)
      const compared = stored ?? dummy
      const hash = await turn(from, () => derived(password, Buffer.from(compared.salt, 'base64'), compared))
      const right = timingSafeEqual(hash, Buffer.from(compared.hash, 'base64')) && stored !== undefined
      if (right) forgive()
      return right
    },
    async browserMark(person) {
      const browser = newSecret()
      const stored = await storedOf(person)
      return stored && `${browser}.${browserProof(stored, browser)}`
    },
    async browserWith(person, mark) {
      const [browser = '', proof = ''] = mark.split('.')
      const stored = await storedOf(person)
      // Compared as hashes, which are equally long.
      const isOurs = stored && secretHash(proof) === secretHash(browserProof(stored, browser))
      return isOurs ? browser : undefined
    },
    has: async person => (await storedOf(person)) !== undefined,
    mark: async person => (await storedOf(person))?.salt,
    async remove(person) {
      await archive.removeRecord('password', person)
    },
  }
}

/** What somebody enters to log in, and where. */
export interface Entry {
  readonly nameOrEmail: string
  readonly password: string
  readonly from: string
  readonly browser: string
  /** What the browser kept of its last login. */
  readonly mark?: string | undefined
}

export interface Accounts {
  readonly people: People
  readonly passwords: Passwords
  readonly signIns: SignIns
  readonly invitations: Invitations
  readonly keys: ApiKeys
  readonly audit: Audit
  /** Makes an account from an invitation. Without a password, the person logs in in another way. */
  accept(secret: string, name: string, password: string | undefined, from: string): Promise<Person>
  /**
   * As `signIn`, for whoever has this name and password; undefined if nobody has, or the account is disabled. Throws UsageError
   * if too many were tried.
   */
  signInWith(entry: Entry): Promise<{ readonly person: Person; readonly secret: string } | undefined>
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
  const passwords = passwordsIn(archive, passwordCost, clock)
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
    async signInWith({ nameOrEmail, password, from, browser, mark }) {
      const person = await people.named(nameOrEmail.slice(0, 200))
      const before = await passwords.mark(person?.id)
      const known =
        mark === undefined ? undefined : await passwords.browserWith(person?.id, mark.slice(0, 200))
      const account = person?.id ?? nameKey(nameOrEmail.slice(0, 200))
      const guess = known === undefined ? { account, address: from } : { browser: known }
      const right = await passwords.isRight(person?.id, password, guess)
      if (right && person && !person.disabled) {
        const secret = await signIn(person, from, browser)
        // A new password ended all sign-ins, perhaps right before this one began.
        if ((await passwords.mark(person.id)) === before) return { person, secret }
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

// team: The team as its admins see it: who has an account and how they log in, and what everybody used, as counts.

/** Which record says that somebody can log in in this way. */
const recordOfWay = {
  password: 'password',
  passkey: 'passkey',
  provider: 'oidc-identity',
} as const satisfies Record<string, RecordKind>
type WayIn = keyof typeof recordOfWay

export interface Member extends Person {
  readonly ways: readonly WayIn[]
  /** ISO 8601. */
  readonly lastSignIn: string | null
  readonly signedIn: number
}

export interface MemberUse extends PeriodSpending {
  /** Sessions that were opened and still exist. */
  readonly asked: number
}

export interface UsedByPayer {
  /** A person's id, or the team. */
  readonly payer: string
  readonly today: MemberUse
  readonly month: MemberUse
  readonly days: readonly (MemberUse & { readonly day: string })[]
  readonly allowance: Allowance
}

export const membersOf = async (archive: Archive, accounts: Accounts): Promise<readonly Member[]> => {
  const ways = Object.keys(recordOfWay) as WayIn[]
  const owners = await Promise.all(
    ways.map(async way => new Set((await archive.records(recordOfWay[way])).map(({ owner }) => owner))),
  )
  const last = new Map((await archive.records('last-sign-in')).map(({ key, value }) => [key, value]))
  return Promise.all(
    (await accounts.people.list()).map(async person => {
      const at = last.get(person.id)
      return {
        ...person,
        ways: ways.filter((_, index) => owners[index]?.has(person.id)),
        lastSignIn: typeof at === 'string' ? at : null,
        signedIn: (await accounts.signIns.of(person.id)).length,
      }
    }),
  )
}

const sessionsIn = (asked: readonly DayAsked[]): number => asked.reduce((sum, one) => sum + one.sessions, 0)

const none: PeriodSpending = { usd: 0, tokens: 0, calls: 0 }

/** Today and this month in UTC: the team first, then these people. */
export const usedByTeam = async (
  archive: Archive,
  people: readonly Person[],
  at: number,
): Promise<readonly UsedByPayer[]> => {
  const today = new Date(at).toISOString().slice(0, 10)
  const first = `${today.slice(0, 7)}-01`
  const [spent, spentByDay, askedByDay] = await Promise.all([
    budgetsIn(archive).spent(at),
    archive.spending(first, today),
    archive.asked(first, today),
  ])
  return [teamPayer, ...people.map(({ id }) => id)].map(payer => {
    const sums = spent.find(one => one.payer === payer)
    const asked = askedByDay.filter(({ owner }) => payer === teamPayer || owner === payer)
    const days = spentByDay.filter(one => one.payer === payer)
    const onDay = (day: string): MemberUse => {
      const { usd, tokens, calls } = days.find(one => one.day === day) ?? none
      return { usd, tokens, calls, asked: sessionsIn(asked.filter(one => one.day === day)) }
    }
    const busy = [...new Set([...days, ...asked].map(({ day }) => day))].sort().reverse()
    return {
      payer,
      today: onDay(today),
      month: { ...(sums?.month ?? none), asked: sessionsIn(asked) },
      days: busy.map(day => ({ day, ...onDay(day) })),
      allowance: sums?.allowance ?? {},
    }
  })
}
