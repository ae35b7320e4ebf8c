/** Random secrets. Only their hashes are stored, so whoever reads the database can't use them. */
import { createHash, randomBytes } from 'node:crypto'

export const newSecret = (): string => randomBytes(32).toString('base64url')

export const newAccountId = (): string => randomBytes(9).toString('base64url')

/** Enough for secrets of 256 random bits. Passwords are hashed by `passwords.ts`. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Foreign text that is longer isn't one of ours, and isn't looked up. */
export const isSecretLike = (text: string): boolean => /^[A-Za-z0-9_-]{20,100}$/.test(text)
