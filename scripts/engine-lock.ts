/**
 * Writes the list of packages that the engine of the built-in models consists of, with their checksums:
 * `npm run engine-lock -- 3.21.1`. The GPU builds and everything else that is optional are left out.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineName, type LockedPackage, nativeBuilds } from '../src/builtin/fetch.ts'

const [version] = process.argv.slice(2)
if (!version) throw new Error('Usage: npm run engine-lock -- <version of node-llama-cpp>')
const builds = [...new Set(Object.values(nativeBuilds))]
const folder = mkdtempSync(join(tmpdir(), 'engine-lock-'))
const dependencies = { [engineName]: version }
const optionalDependencies = Object.fromEntries(builds.map(name => [name, version]))
writeFileSync(
  join(folder, 'package.json'),
  JSON.stringify({ private: true, dependencies, optionalDependencies }),
)
execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: folder,
  stdio: 'inherit',
})
const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage & { readonly optional?: boolean }>
}
rmSync(folder, { recursive: true })
const isWanted = ([path, { optional }]: [string, { readonly optional?: boolean }]): boolean =>
  path !== '' && (!optional || builds.some(name => path === `node_modules/${name}`))
const packages = Object.entries(lock.packages)
  .filter(isWanted)
  .map(([path, { version, integrity, dependencies }]) => [
    path,
    { version, integrity, ...(dependencies && { dependencies }) },
  ])
const file = new URL('../src/builtin/engine-packages.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(Object.fromEntries(packages), null, 1)}\n`)
