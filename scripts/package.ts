/**
 * Makes the package that people install: `npm run package [-- <folder>]` writes roundtable-<version>.tgz there. Large
 * packages of which little is used are bundled into dist/vendor, and whatever only a checkout needs is left out.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vendor } from './vendor.ts'

/** Their folders have up to a hundred times as much as the program uses. */
const bundled = /^(@ai-sdk\/.+|drizzle-orm|eld|@modelcontextprotocol\/.+|@opentelemetry\/.+|aws4fetch)$/

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly exports: Readonly<Record<string, unknown>>
}

const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** The build is used as it is if nothing has changed since. */
const isFresh = (): boolean => {
  const built = timeOf('dist/store/snapshot.tar.gz')
  return globSync(['src/**/*', 'scripts/build.ts', 'package.json']).every(file => timeOf(file) < built)
}

const published = ({ dependencies, exports, ...manifest }: Manifest) => {
  const { devDependencies, scripts, overrides, allowScripts, ...rest } = manifest as Record<string, unknown>
  const kept = Object.entries(dependencies).filter(([name]) => !bundled.test(name))
  const { 'roundtable-source': _source, ...entry } = exports['.'] as Record<string, string>
  return { ...rest, exports: { ...exports, '.': entry }, dependencies: Object.fromEntries(kept) }
}

/** Writes the file, and returns its path. */
export const writePackage = async (folder: string): Promise<string> => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  const stage = mkdtempSync(join(tmpdir(), 'roundtable-package-'))
  try {
    if (isFresh()) cpSync('dist', join(stage, 'dist'), { recursive: true })
    else execFileSync(process.execPath, ['scripts/build.ts', join(stage, 'dist')], { stdio: 'inherit' })
    for (const name of ['README.md', 'LICENSE', ...manifest.files.filter(name => name !== 'dist')])
      cpSync(name, join(stage, name), { recursive: true })
    const { dependencies, ...rest } = published(manifest)
    await vendor(join(stage, 'dist'), name => bundled.test(name), Object.keys(dependencies))
    writeFileSync(join(stage, 'package.json'), JSON.stringify({ ...rest, dependencies }, null, 2))
    mkdirSync(folder, { recursive: true })
    execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(folder)], {
      cwd: stage,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return join(resolve(folder), `roundtable-${manifest.version}.tgz`)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(await writePackage(process.argv[2] ?? '.'))
