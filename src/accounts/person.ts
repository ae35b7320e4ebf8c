/** A person with an account. */

import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Role, roles, UsageError } from '../core/basics.ts'
import type { Archive } from '../store/archive.ts'

export { type Role, roles }

const longestName = 100

/** No line break and no control character: names stand in lists, pages and the audit log. */
export const personNameSchema = z
  .string()
  .transform(name => name.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'A name needs at least one visible character.')
      .max(longestName),
  )

export const personSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().optional(),
  role: z.enum(roles),
  /** ISO 8601. */
  since: z.string(),
  disabled: z.literal(true).optional(),
})
export type Person = z.infer<typeof personSchema>

/** "Ada" and "ada" are one name: otherwise one person could pass for another. No database takes a NUL. */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').replaceAll('\0', '').trim().toLowerCase()

const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
const isMixed = (word: string): boolean => alphabets.filter(letter => letter.test(word)).length > 1

export const checkedName = (name: string): string => {
  const read = personNameSchema.safeParse(name)
  if (!read.success)
    throw new UsageError(`Choose a name of 1 to ${longestName} visible characters, in one line.`)
  if (!read.data.split(/[^\p{L}\p{M}]+/u).some(isMixed)) return read.data
  throw new UsageError('Write each word of the name in the letters of one alphabet.')
}

/** Letters of Cyrillic and Greek that look like Latin ones, and what can't be told apart among Latin ones. */
const lookAlikes = new Map(
  [...'аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkмmнhтtвbɡgαaοoρpνvιiκkτtυuχxεeηn0o1l|lıi'.matchAll(/(.)(.)/gu)].map(
    ([, like, letter]) => [like!, letter!] as const,
  ),
)

/** The same for names that look the same: "Сара" in Cyrillic letters and "Capa" in Latin ones. */
export const lookOf = (name: string): string =>
  [...nameKey(name)]
    .map(letter => lookAlikes.get(letter) ?? letter)
    .join('')
    .replaceAll('i', 'l')

export const roleFrom = (text: string): Role => {
  const role = roles.find(one => one === text)
  if (role) return role
  throw new UsageError(`"${text.slice(0, 50)}" isn't a role. Choose ${roles.join(', ')}.`)
}

// secrets: Random secrets. Only their hashes are stored, so whoever reads the database can't use them.

export const newSecret = (): string => randomBytes(32).toString('base64url')

export const newAccountId = (): string => randomBytes(9).toString('base64url')

/** Enough for secrets of 256 random bits. Passwords are hashed in `accounts.ts`. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Foreign text that is longer isn't one of ours, and isn't looked up. */
export const isSecretLike = (text: string): boolean => /^[A-Za-z0-9_-]{20,100}$/.test(text)

// keys: Personal API keys, for programs. A key is shown once; its hash is stored.

/** Each scope has what the one before it has: reading, asking, and everything that isn't about accounts. */
export const scopes = ['read', 'ask', 'all'] as const
export type Scope = (typeof scopes)[number]

const prefix = 'rt_'
const day = 86_400_000
export const longestKeyDays = 365
const mostKeys = 50

const apiKeySchema = z.object({
  person: z.string(),
  /** What it is for, in its owner's words. */
  label: z.string(),
  scope: z.enum(scopes),
  since: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
})

export interface ApiKey extends z.infer<typeof apiKeySchema> {
  /** The hash of the key. */
  readonly id: string
}

export interface ListedKey extends ApiKey {
  /** The day of its last use, such as 2026-01-31. */
  readonly used: string | null
}

export interface ApiKeys {
  /** Returns the key itself, which nobody can read again. */
  make(person: string, label: string, scope: Scope, days: number): Promise<string>
  /** The key and whose it is; undefined if it was revoked, has expired or never existed. Notes the day of its use. */
  with(key: string): Promise<{ readonly key: ApiKey; readonly person: Person } | undefined>
  of(person: string): Promise<readonly ListedKey[]>
  /** Whether a key is still there, by its id. */
  holds(id: string): Promise<boolean>
  /** False if the person has no such key. */
  /** Returns its label; undefined if the person has no such key. */
  revoke(person: string, id: string): Promise<string | undefined>
  revokeAll(person: string): Promise<void>
}

export const isApiKeyLike = (text: string): boolean =>
  text.startsWith(prefix) && isSecretLike(text.slice(prefix.length))

export const scopeFrom = (text: string): Scope => {
  const scope = scopes.find(one => one === text)
  if (scope) return scope
  throw new UsageError(`"${text.slice(0, 50)}" isn't a scope. Choose ${scopes.join(', ')}.`)
}

export const apiKeysIn = (archive: Archive, clock: () => number): ApiKeys => {
  const read = (id: string, value: unknown): ApiKey | undefined => {
    const key = apiKeySchema.safeParse(value)
    return key.success && key.data.until > clock() ? { id, ...key.data } : undefined
  }
  const withId = async (id: string): Promise<ApiKey | undefined> =>
    read(id, await archive.record('api-key', id))
  const rowsOf = (person: string) => archive.records('api-key', { owner: person })
  let noted = { day: 0, keys: new Set<string>() }
  /** Beside the key: a key that was revoked meanwhile must not be written again. */
  const noteUse = async ({ id, person }: ApiKey): Promise<void> => {
    const now = clock()
    const today = Math.floor(now / day)
    if (noted.day !== today) noted = { day: today, keys: new Set() }
    if (noted.keys.has(id)) return
    noted.keys.add(id)
    await archive.saveRecord('key-use', id, new Date(now).toISOString().slice(0, 10), person)
  }
  const usedOf = async (id: string): Promise<string | null> => {
    const used = await archive.record('key-use', id)
    return typeof used === 'string' ? used : null
  }
  return {
    holds: async id => (await withId(id)) !== undefined,
    async make(person, label, scope, days) {
      if (!(days >= 1 && days <= longestKeyDays))
        throw new UsageError(`A key lasts 1 to ${longestKeyDays} days.`)
      if ((await rowsOf(person)).length >= mostKeys)
        throw new UsageError(`You have ${mostKeys} keys already. Revoke one first.`)
      const key = `${prefix}${newSecret()}`
      const now = clock()
      const stored = {
        ...{ person, scope, label: label.trim().slice(0, 100) || 'key' },
        ...{ since: new Date(now).toISOString(), until: now + days * day },
      }
      await archive.saveRecord('api-key', secretHash(key), stored, person)
      return key
    },
    async with(text) {
      if (!isApiKeyLike(text)) return undefined
      const id = secretHash(text)
      const found = await archive.ownedRecord('api-key', id)
      const key = found && read(id, found.value)
      const person = personSchema.safeParse(found?.person).data
      if (!key || key.person !== person?.id) return undefined
      await noteUse(key)
      return { key, person }
    },
    async of(person) {
      const keys = (await rowsOf(person)).flatMap(({ key, value }) => read(key, value) ?? [])
      return Promise.all(keys.map(async key => ({ ...key, used: await usedOf(key.id) })))
    },
    async revoke(person, id) {
      if (!(await rowsOf(person)).some(({ key }) => key === id)) return undefined
      const removed = await archive.removeRecord('api-key', id)
      return removed === undefined ? undefined : (read(id, removed)?.label ?? '')
    },
    async revokeAll(person) {
      for (const { key } of await rowsOf(person)) await archive.removeRecord('api-key', key)
    },
  }
}
