/** An empty database from the build. Unpacking it is much faster than creating one, or than having PGlite unpack it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'

const snapshot = ['./snapshot.tar.gz', '../../dist/store/snapshot.tar.gz']
  .map(path => fileURLToPath(new URL(path, import.meta.url)))
  .find(path => existsSync(path))

/** Whether there was a snapshot. Postgres refuses a folder that others may read. */
export const unpackSnapshot = (folder: string): boolean => {
  if (!snapshot) return false
  for (const { name, type, data } of parseTar(gunzipSync(readFileSync(snapshot)))) {
    const path = join(folder, name)
    mkdirSync(type === 'directory' ? path : dirname(path), { recursive: true, mode: 0o700 })
    if (type !== 'directory') writeFileSync(path, data ?? '', { mode: 0o600 })
  }
  return true
}
