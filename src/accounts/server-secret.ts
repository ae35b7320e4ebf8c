/** The key of this server, which encrypts what people entrust to it: from the environment, or from a file of its own. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../core/errors.ts'

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
