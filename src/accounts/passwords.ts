/** Passwords, as salted hashes of scrypt whose parameters are stored beside them. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import type { Archive } from '../store/archive/archive.ts'
import { inTurns } from './turns.ts'

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

export interface Passwords {
  /** Replaces the password of a person. */
  set(person: string, password: string): Promise<void>
  /** Hashes a password for somebody who is about to have an account; what it returns saves it. `from`: as below. */
  prepared(password: string, from: string): Promise<(person: string) => Promise<void>>
  /**
   * An unknown person takes as long as a wrong password: nobody learns who has an account. `from`: the address of the
   * guess, or who is logged in. All from one wait behind each other, and nobody else behind them.
   */
  isRight(person: string | undefined, password: string, from: string): Promise<boolean>
  has(person: string): Promise<boolean>
  /** Another one with every new password; undefined if there is none. */
  mark(person: string | undefined): Promise<string | undefined>
  remove(person: string): Promise<void>
}

export const checkedPassword = (password: string): string => {
  if (password.length >= shortestPassword && password.length <= longestPassword) return password
  throw new UsageError(`Choose a password of ${shortestPassword} to ${longestPassword} characters.`)
}

export const passwordsIn = (archive: Archive, cost: PasswordCost = usualCost): Passwords => {
  const turn = inTurns()
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
    async isRight(person, password, from) {
      if (password.length > longestPassword) return false
      const stored = await storedOf(person)
      const compared = stored ?? dummy
      const hash = await turn(from, () => derived(password, Buffer.from(compared.salt, 'base64'), compared))
      return timingSafeEqual(hash, Buffer.from(compared.hash, 'base64')) && stored !== undefined
    },
    has: async person => (await storedOf(person)) !== undefined,
    mark: async person => (await storedOf(person))?.salt,
    async remove(person) {
      await archive.removeRecord('password', person)
    },
  }
}
