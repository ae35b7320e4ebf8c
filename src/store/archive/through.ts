/** An archive that passes every call on to another archive, which may be a different one for each call. */
import type { Archive } from './archive.ts'
import { archiveFrom, callOn } from './methods.ts'

export type Use = <T>(call: (archive: Archive) => Promise<T>) => Promise<T>

export const archiveThrough = (use: Use, close: () => Promise<void>): Archive =>
  archiveFrom((method, given) => use(archive => callOn(archive, method, given)), close)
