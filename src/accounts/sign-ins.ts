/** Sign-ins: a browser has a random secret in a cookie, and its hash is stored until it ends. */
import { z } from 'zod'
import type { Archive } from '../store/archive/archive.ts'
import { type Person, personSchema } from './person.ts'
import { isSecretLike, newSecret, secretHash } from './secrets.ts'

const day = 86_400_000
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
