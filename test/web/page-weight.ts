/** How much script a page needs before it can show anything: the entry, the page, and all that these import at once. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const closure = (manifest: Manifest, names: readonly string[]): Set<string> => {
  const reached = new Set<string>()
  const visit = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    for (const other of manifest[name]?.imports ?? []) visit(other)
  }
  for (const name of names) visit(name)
  return reached
}

/** Each page's address and the file that it loads, relative to the pages: `page('/s/$id', () => import('./session/session.tsx'))`. */
const routes = (): (readonly [string, string])[] =>
  [
    ...readFileSync('src/web/shell.tsx', 'utf8').matchAll(
      /page\('([^']+)', \(\) => import\('(?:\.\/)?([^']+)'\)/g,
    ),
  ].map(([, page, file]) => [page!, file!])

export interface PageWeight {
  /** Its address. */
  readonly page: string
  /** Thousands of bytes, compressed. */
  readonly kilobytes: number
}

export const pageWeights = async (): Promise<PageWeight[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-weight-'))
  await build({ logLevel: 'error', build: { outDir: folder, emptyOutDir: true, manifest: 'manifest.json' } })
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const size = (name: string): number =>
    gzipSync(readFileSync(join(folder, manifest[name]!.file))).length / 1_000
  const weights = routes().map(([page, chunk]) => ({
    page,
    kilobytes: [...closure(manifest, ['index.html', chunk])].reduce((sum, name) => sum + size(name), 0),
  }))
  rmSync(folder, { recursive: true, force: true })
  return weights
}
