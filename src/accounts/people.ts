/** Everybody who has an account. A name, and an e-mail address, belong to one person only. */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { keyEnding, keySchema } from '../core/ask.ts'
import { UsageError } from '../core/basics.ts'
import type { EndpointSettings } from '../models/chat.ts'
import { endpointsFrom, keyVariable, shownAddress } from '../models/endpoints.ts'
import type { Archive, Json, RecordKind } from '../store/archive.ts'
import {
  checkedName,
  isSecretLike,
  lookOf,
  nameKey,
  newAccountId,
  newSecret,
  type Person,
  personSchema,
  type Role,
  roles,
  secretHash,
} from './person.ts'

// audit: The audit log: who did what to whose, when, and from where. It is only ever added to, and never has contents.

/** Who acts. `who` is a person's id, or says that nobody is logged in. */
export interface Actor {
  readonly who: string
  /** The network address, or `terminal`. */
  readonly from: string
}

/** Somebody at a terminal of the server's machine. */
export const atTerminal: Actor = { who: 'terminal', from: 'terminal' }

const auditEntrySchema = z.object({
  at: z.string(),
  who: z.string(),
  what: z.string(),
  /** The id of a person, session, key or invitation. */
  whose: z.string().optional(),
  /** What it was set to, or which one of several. */
  detail: z.string().optional(),
  from: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

export interface Audit {
  add(actor: Actor, what: string, whose?: string, detail?: string): Promise<void>
  /** The newest first; `before` is the `next` of the page before. */
  page(
    limit: number,
    before?: string,
  ): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | null }>
}

let added = 0

export const auditIn = (archive: Archive, clock: () => number): Audit => ({
  async add({ who, from }, what, whose, detail) {
    const at = new Date(clock()).toISOString()
    // The time first, so that keys sort by it; then a count, for what this process adds within one millisecond.
    const key = `${at} ${String(added++).padStart(9, '0')} ${newAccountId()}`
    const about = { ...(whose !== undefined && { whose }), ...(detail !== undefined && { detail }) }
    await archive.addRecord('audit', key, { at, who, what, ...about, from }, who)
  },
  async page(limit, before) {
    const found = await archive.records('audit', { limit, ...(before !== undefined && { before }) })
    const entries = found.map(({ value }) => auditEntrySchema.parse(value))
    return { entries, next: found.length === limit ? found.at(-1)!.key : null }
  },
})

// invitations: Invitations: a link that makes one account, once, within a week.

const day = 86_400_000
export const invitationDays = 7

const invitationSchema = z.object({
  role: z.enum(roles),
  /** For whom, as whoever made it says. */
  name: z.string().optional(),
  email: z.string().optional(),
  /** Who made it: a person's id, or `terminal`. */
  by: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
})

export interface Invitation extends z.infer<typeof invitationSchema> {
  /** The hash of its secret. */
  readonly id: string
}

export interface NewInvitation {
  readonly role: Role
  readonly name?: string
  readonly email?: string
  readonly by: string
}

export interface Invitations {
  /** Returns the secret for the link. */
  make(invitation: NewInvitation): Promise<string>
  /** Undefined if it was used, revoked, has expired or never existed. */
  with(secret: string): Promise<Invitation | undefined>
  /** Uses it up: of many who try at once, one gets it. It is given back if `work` fails. */
  use<T>(secret: string, work: (invitation: Invitation) => Promise<T>): Promise<T>
  list(): Promise<readonly Invitation[]>
  revoke(id: string): Promise<boolean>
}

export const invitationPath = (secret: string): string => `/invitation/${secret}`

export const usedUp = (): UsageError =>
  new UsageError('This invitation was used or revoked, or has expired. Ask for a new one.')

export const invitationsIn = (archive: Archive, clock: () => number): Invitations => {
  const read = (id: string, value: unknown): Invitation | undefined => {
    const invitation = invitationSchema.safeParse(value)
    return invitation.success && invitation.data.until > clock() ? { id, ...invitation.data } : undefined
  }
  return {
    async make({ role, name, email, by }) {
      const secret = newSecret()
      const invitation = { role, ...(name && { name }), ...(email && { email }), by }
      const until = clock() + invitationDays * day
      await archive.saveRecord('invitation', secretHash(secret), { ...invitation, until })
      return secret
    },
    async with(secret) {
      if (!isSecretLike(secret)) return undefined
      const id = secretHash(secret)
      return read(id, await archive.record('invitation', id))
    },
    async use(secret, work) {
      if (!isSecretLike(secret)) throw usedUp()
      const id = secretHash(secret)
      const value = await archive.removeRecord('invitation', id)
      const invitation = read(id, value)
      if (!invitation || value === undefined) throw usedUp()
      try {
        return await work(invitation)
      } catch (error) {
        await archive.addRecord('invitation', id, value)
        throw error
      }
    },
    async list() {
      const found = await archive.records('invitation')
      return found.flatMap(({ key, value }) => read(key, value) ?? [])
    },
    async revoke(id) {
      return (await archive.removeRecord('invitation', id)) !== undefined
    },
  }
}

// sealedText: Text that only this server can read: AES-256-GCM, bound to what it is for.

export const sealedSchema = z.object({ iv: z.string(), tag: z.string(), data: z.string() })
export type SealedText = z.infer<typeof sealedSchema>

const cipher = 'aes-256-gcm'

/** `purpose`: whose it is and what for. A sealed text that is copied to another place doesn't open there. */
export const seal = (secret: Buffer, purpose: string, text: string): SealedText => {
  const iv = randomBytes(12)
  const sealing = createCipheriv(cipher, secret, iv).setAAD(Buffer.from(purpose))
  const data = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return {
    iv: iv.toString('base64'),
    tag: sealing.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  }
}

/** Undefined if it was sealed with another key, for another purpose, or was changed. */
export const unseal = (
  secret: Buffer,
  purpose: string,
  { iv, tag, data }: SealedText,
): string | undefined => {
  try {
    const opening = createDecipheriv(cipher, secret, Buffer.from(iv, 'base64'), { authTagLength: 16 })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(Buffer.from(tag, 'base64'))
    return Buffer.concat([opening.update(Buffer.from(data, 'base64')), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

// makerKeys: Keys of makers that are a person's own: encrypted at rest, used for their sessions, and never sent back.

const storedSchema = z.object({
  maker: z.string(),
  /** The address that it was entered for; null: the maker's own. With another one it isn't sent. */
  address: z.string().nullable(),
  /** The last characters, by which its owner knows it. */
  ending: z.string(),
  sealed: sealedSchema,
})

/** What may be shown of a key. */
export interface ShownMakerKey {
  readonly maker: string
  readonly ending: string
}

export interface OpenMakerKey {
  readonly maker: string
  readonly address: string | null
  readonly key: string
}

export interface MakerKeys {
  save(person: string, maker: string, key: string, address: string | null): Promise<void>
  of(person: string): Promise<readonly ShownMakerKey[]>
  /** False if there was none. */
  remove(person: string, maker: string): Promise<boolean>
  /** For the calls of this person's sessions. Those that another secret sealed are left out. */
  open(person: string): Promise<readonly OpenMakerKey[]>
}

export const makerKeysIn = (archive: Archive, secret: Buffer): MakerKeys => {
  const keyOf = (person: string, maker: string): string => `${person} ${maker}`
  const stored = async (person: string) =>
    (await archive.records('maker-key', { owner: person })).map(({ value }) => storedSchema.parse(value))
  return {
    async save(person, maker, key, address) {
      const text = keySchema.parse(key)
      const sealed = seal(secret, keyOf(person, maker), text)
      const value = { maker, address, ending: keyEnding(text), sealed }
      await archive.saveRecord('maker-key', keyOf(person, maker), value, person)
    },
    async of(person) {
      return (await stored(person)).map(({ maker, ending }) => ({ maker, ending }))
    },
    async remove(person, maker) {
      return (await archive.removeRecord('maker-key', keyOf(person, maker))) !== undefined
    },
    async open(person) {
      return (await stored(person)).flatMap(({ maker, address, sealed }) => {
        const key = unseal(secret, keyOf(person, maker), sealed)
        return key === undefined ? [] : [{ maker, address, key }]
      })
    },
  }
}

// oneUse: Secrets that are good for one use within some minutes: only their hash is stored.

/** Seconds that somebody has to come back. */
export const oneUseSeconds = 600

/** What nobody came back for is removed at most this often. */
const sweepEvery = 60_000

type Stored = { readonly until: number; readonly value: Json }

export interface OneUse<Value extends Json> {
  /** Keeps a value for whoever comes back with the secret; a new one, or the one that is given. */
  put(value: Value, secret?: string): Promise<string>
  /** The value, for the first who asks. `expired`: they came too late. */
  take(secret: string): Promise<Value | 'expired' | undefined>
}

export const oneUse = <Value extends Json>(
  archive: Pick<Archive, 'records' | 'addRecord' | 'removeRecord'>,
  kind: RecordKind,
  clock: () => number,
): OneUse<Value> => {
  let swept = -Infinity
  const sweep = async (): Promise<void> => {
    if (clock() - swept < sweepEvery) return
    swept = clock()
    const old = (await archive.records(kind)).filter(({ value }) => (value as Stored).until < clock())
    for (const { key } of old) await archive.removeRecord(kind, key)
  }
  return {
    async put(value, secret = newSecret()) {
      await sweep()
      await archive.addRecord(kind, secretHash(secret), { until: clock() + oneUseSeconds * 1_000, value })
      return secret
    },
    async take(secret) {
      if (!isSecretLike(secret)) return undefined
      const stored = (await archive.removeRecord(kind, secretHash(secret))) as Stored | undefined
      if (!stored) return undefined
      return stored.until < clock() ? 'expired' : (stored.value as Value)
    },
  }
}

// ownEndpoints: Endpoints that are a person's own: their address and key are encrypted at rest, and used for their sessions alone.

const storedEndpointSchema = z.object({
  id: z.string(),
  /** Without its query, which may hold a key. */
  shown: z.string(),
  /** The last characters of the key. Null: it needs none. */
  ending: z.string().nullable(),
  sealed: sealedSchema,
})
/** Sealed together: a key can't be combined with another address. */
const sealedPartSchema = z.object({ baseURL: z.string(), key: z.string().optional() })

/** What may be shown of an endpoint. */
export type ShownEndpoint = Pick<z.infer<typeof storedEndpointSchema>, 'id' | 'shown' | 'ending'>

export interface OwnEndpoints {
  /** Replaces one with the same id. `key`: empty if it needs none. */
  save(person: string, id: string, baseURL: string, key: string): Promise<void>
  of(person: string): Promise<readonly ShownEndpoint[]>
  /** False if there was none. */
  remove(person: string, id: string): Promise<boolean>
  /** For the calls of this person's sessions. Those that another secret sealed are left out. */
  open(person: string): Promise<readonly EndpointSettings[]>
}

const [mostEndpoints, longestId, longestAddress] = [20, 60, 2_000]

const checkedKey = (key: string): string | undefined => {
  if (key.trim() === '') return undefined
  const read = keySchema.safeParse(key)
  if (read.success) return read.data
  throw new UsageError('That is not a key. Copy it again, without spaces.')
}

/** The address as it is called. */
const checkedAddress = (id: string, baseURL: string): string => {
  if (id.length > longestId) throw new UsageError(`The name may have ${longestId} characters.`)
  if (baseURL.length > longestAddress) throw new UsageError('The address is too long.')
  return endpointsFrom([{ id, baseURL: baseURL.trim(), ownKeyOnly: true }], {})[0]!.baseURL
}

/** `through`: how connections are made, so that nobody's endpoint leads to where they may not go. */
export const ownEndpointsIn = (
  archive: Archive,
  secret: Buffer,
  through: EndpointSettings['through'],
): OwnEndpoints => {
  /** Ids that differ in upper and lower case alone are one. */
  const keyOf = (person: string, id: string): string => `${person} ${keyVariable(id)}`
  const purposeOf = (person: string, id: string): string => `endpoint ${keyOf(person, id)}`
  const stored = async (person: string) =>
    (await archive.records('endpoint', { owner: person }))
      .map(({ value }) => storedEndpointSchema.parse(value))
      .sort((one, other) => one.id.localeCompare(other.id))
  const opened = (
    person: string,
    { id, sealed }: z.infer<typeof storedEndpointSchema>,
  ): EndpointSettings[] => {
    const text = unseal(secret, purposeOf(person, id), sealed)
    if (text === undefined) return []
    return [
      { id, ...sealedPartSchema.parse(JSON.parse(text)), ownKeyOnly: true, ...(through && { through }) },
    ]
  }
  return {
    async save(person, id, address, given) {
      const [baseURL, key] = [checkedAddress(id, address), checkedKey(given)]
      const others = (await stored(person)).filter(one => keyOf(person, one.id) !== keyOf(person, id))
      if (others.length >= mostEndpoints)
        throw new UsageError(`You have ${mostEndpoints} endpoints. Remove one first.`)
      const value = {
        ...{ id, shown: shownAddress(baseURL), ending: key === undefined ? null : keyEnding(key) },
        sealed: seal(secret, purposeOf(person, id), JSON.stringify({ baseURL, key })),
      }
      await archive.saveRecord('endpoint', keyOf(person, id), value, person)
    },
    async of(person) {
      return (await stored(person)).map(({ id, shown, ending }) => ({ id, shown, ending }))
    },
    async remove(person, id) {
      return (await archive.removeRecord('endpoint', keyOf(person, id))) !== undefined
    },
    async open(person) {
      return (await stored(person)).flatMap(one => opened(person, one))
    },
  }
}

export interface NewPerson {
  readonly name: string
  readonly email?: string
  readonly role: Role
}

export interface People {
  add(person: NewPerson): Promise<Person>
  /** Throws if nobody could be called so, or somebody is. */
  checkFree(name: string): Promise<void>
  withId(id: string): Promise<Person | undefined>
  /** By name or e-mail address, in upper or lower case. */
  named(nameOrEmail: string): Promise<Person | undefined>
  /** As `named`, and an error that says what to do if there is nobody. */
  known(nameOrEmail: string): Promise<Person>
  list(): Promise<readonly Person[]>
  save(person: Person): Promise<void>
}

const taken = (name: string): UsageError =>
  new UsageError(`"${name}" is taken. Choose another name.`, 'already-exists')

export const peopleIn = (archive: Archive, clock: () => number): People => {
  const withId: People['withId'] = async id => {
    const value = await archive.record('person', id)
    return value === undefined ? undefined : personSchema.parse(value)
  }
  const named: People['named'] = async nameOrEmail => {
    const id = await archive.record('person-name', nameKey(nameOrEmail))
    return typeof id === 'string' ? withId(id) : undefined
  }
  const list: People['list'] = async () =>
    (await archive.records('person'))
      .map(({ value }) => personSchema.parse(value))
      .sort((one, other) => one.name.localeCompare(other.name))
  /** Of many who want the same name at once, one gets it. */
  const reserve = async (name: string, id: string): Promise<void> => {
    if ((await archive.addRecord('person-name', nameKey(name), id, id)) === id) return
    throw taken(name)
  }
  /** One person must not pass for another: by a name that looks the same, or that is another's address. */
  const checkOwn = async (name: string, email?: string): Promise<void> => {
    if (/@.+\./.test(name) && nameKey(name) !== nameKey(email ?? ''))
      throw new UsageError('Choose a name that is no e-mail address.')
    if ((await list()).some(one => lookOf(one.name) === lookOf(name))) throw taken(name)
  }
  return {
    async checkFree(name) {
      if (await named(checkedName(name))) throw taken(name)
    },
    withId,
    named,
    list,
    async add({ name, email, role }) {
      const id = newAccountId()
      const since = new Date(clock()).toISOString()
      const person: Person = { id, name: checkedName(name), ...(email && { email }), role, since }
      await checkOwn(person.name, email)
      await reserve(person.name, id)
      try {
        if (email && nameKey(email) !== nameKey(name)) await reserve(email, id)
      } catch (error) {
        await archive.removeRecord('person-name', nameKey(person.name))
        throw error
      }
      await archive.saveRecord('person', id, person)
      return person
    },
    async known(nameOrEmail) {
      const person = await named(nameOrEmail)
      if (person) return person
      const names = (await list()).map(one => one.name).slice(0, 20)
      const who = names.length > 0 ? `People here: ${names.join(', ')}.` : 'Nobody has an account yet.'
      throw new UsageError(`Nobody here is called "${nameOrEmail.slice(0, 100)}". ${who}`)
    },
    async save(person) {
      await archive.saveRecord('person', person.id, person)
    },
  }
}

// serverSecret: The key of this server, which encrypts what people entrust to it: from the environment, or from a file of its own.

const bytes = 32

/** 32 bytes, in hexadecimal or base64. What is wrong isn't quoted: it may be most of a key. */
const keyFrom = (text: string, place: string): Buffer => {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length === bytes) return key
  throw new UsageError(`${place} must be ${bytes} random bytes, in hexadecimal or base64.`)
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

const readKey = (path: string): Buffer => {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new UsageError(
      `Others can read ${path}. Make it readable for you alone (mode 600), or make a new one.`,
    )
  return keyFrom(readFileSync(path, 'utf8').trim(), path)
}

/** Of several processes that make the file at once, one wins. */
const keyIn = (path: string): Buffer => {
  try {
    return readKey(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, `${randomBytes(bytes).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  return readKey(path)
}

/** `path`: where the file is, if there is no variable. Without either there is no key: processes on several machines need the same. */
export const serverSecret = (variable: string | undefined, path: string | undefined): Buffer | undefined => {
  if (variable !== undefined) return keyFrom(variable, 'ROUNDTABLE_SECRET')
  return path === undefined ? undefined : keyIn(path)
}

// signIns: Sign-ins: a browser has a random secret in a cookie, and its hash is stored until it ends.

export const signInDays = 30

const signInSchema = z.object({
  person: z.string(),
  /** ISO 8601. */
  since: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
  from: z.string(),
  /** The browser, as it called itself. */
  browser: z.string(),
})

export interface SignIn extends z.infer<typeof signInSchema> {
  /** The hash of its secret: it names the sign-in, and opens nothing. */
  readonly id: string
}

export interface SignIns {
  /** Returns the secret for the cookie. */
  start(person: string, from: string, browser: string): Promise<string>
  /** The sign-in and who logged in; undefined if it has ended. */
  with(secret: string): Promise<{ readonly signIn: SignIn; readonly person: Person } | undefined>
  /** Whether a sign-in is still there, by its id. */
  holds(id: string): Promise<boolean>
  of(person: string): Promise<readonly SignIn[]>
  /** Ends one, if it is this person's. */
  end(person: string, id: string): Promise<void>
  endAll(person: string): Promise<void>
}

const longestBrowser = 200

export const signInsIn = (archive: Archive, clock: () => number): SignIns => {
  const read = (id: string, value: unknown): SignIn | undefined => {
    const signIn = signInSchema.safeParse(value)
    return signIn.success && signIn.data.until > clock() ? { id, ...signIn.data } : undefined
  }
  const withId = async (id: string): Promise<SignIn | undefined> =>
    read(id, await archive.record('sign-in', id))
  /** Also those that have expired: they are removed with the others. */
  const keysOf = async (person: string): Promise<readonly string[]> =>
    (await archive.records('sign-in', { owner: person })).map(({ key }) => key)
  return {
    async start(person, from, browser) {
      const secret = newSecret()
      const now = clock()
      const signIn = {
        ...{ person, from, browser: browser.slice(0, longestBrowser) },
        since: new Date(now).toISOString(),
        until: now + signInDays * day,
      }
      await archive.saveRecord('sign-in', secretHash(secret), signIn, person)
      await archive.saveRecord('last-sign-in', person, signIn.since, person)
      return secret
    },
    async with(secret) {
      if (!isSecretLike(secret)) return undefined
      const id = secretHash(secret)
      const found = await archive.ownedRecord('sign-in', id)
      const signIn = found && read(id, found.value)
      const person = personSchema.safeParse(found?.person).data
      return signIn && signIn.person === person?.id ? { signIn, person } : undefined
    },
    holds: async id => (await withId(id)) !== undefined,
    async of(person) {
      const found = await archive.records('sign-in', { owner: person })
      return found
        .flatMap(({ key, value }) => read(key, value) ?? [])
        .sort((one, other) => (one.since < other.since ? 1 : -1))
    },
    async end(person, id) {
      if ((await keysOf(person)).includes(id)) await archive.removeRecord('sign-in', id)
    },
    async endAll(person) {
      for (const id of await keysOf(person)) await archive.removeRecord('sign-in', id)
    },
  }
}

// switch: Accounts are off unless ROUNDTABLE_ACCOUNTS says otherwise.

export const accountsOn = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const said = env.ROUNDTABLE_ACCOUNTS?.trim().toLowerCase()
  if (!said || said === 'off') return false
  if (said === 'on') return true
  // A typo must not open a server to everybody who has its token.
  throw new UsageError('Set ROUNDTABLE_ACCOUNTS to "on" or "off".')
}
