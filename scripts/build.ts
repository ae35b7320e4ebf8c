/** Compiles src/ to dist/ as plain JavaScript, and builds the pages into dist/web. Another folder can be named. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

const dist = resolve(process.argv[2] ?? 'dist')
rmSync(dist, { recursive: true, force: true })
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', dist]
const tsc = spawnSync(process.execPath, compiler, { stdio: 'inherit' })
if (tsc.status !== 0) process.exit(tsc.status ?? 1)
chmodSync(`${dist}/main/main.js`, 0o755)
for (const data of [
  'models/models.json',
  'builtin/engine-packages.json',
  'bench/tricks.jsonl',
  'store/migrations',
])
  cpSync(`src/${data}`, `${dist}/${data}`, { recursive: true })

const { build } = await import('vite')
await build({ logLevel: 'warn', build: { outDir: `${dist}/web` } })

/**
 * A snapshot of an empty database: unpacking it is several times faster than creating one. It is of one that was closed: a
 * database that has to recover first can hang later, on a disk that is full.
 */
const { PGlite } = await import('@electric-sql/pglite')
const { createTarGzip } = await import('nanotar')
const making = mkdtempSync(join(tmpdir(), 'roundtable-snapshot-'))
const database = join(making, 'postgres')
await (await PGlite.create(database)).close()
// An entry without data is a folder, and an empty file has data without bytes.
const entries = readdirSync(database, { recursive: true, withFileTypes: true }).map(entry => {
  const path = join(entry.parentPath, entry.name)
  return {
    name: relative(database, path),
    ...(entry.isFile() && { data: new Uint8Array(readFileSync(path)) }),
  }
})
writeFileSync(`${dist}/store/snapshot.tar.gz`, await createTarGzip(entries))
rmSync(making, { recursive: true, force: true })
