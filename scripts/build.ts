/** Compiles src/ to dist/ as plain JavaScript, and builds the pages into dist/web. Another folder can be named. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const dist = resolve(process.argv[2] ?? 'dist')
rmSync(dist, { recursive: true, force: true })
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', dist]
const tsc = spawnSync(process.execPath, compiler, { stdio: 'inherit' })
if (tsc.status !== 0) process.exit(tsc.status ?? 1)
chmodSync(`${dist}/cli/main.js`, 0o755)
for (const data of [
  'providers/catalogue/models.json',
  'providers/house/engine-packages.json',
  'bench/live/tricks.jsonl',
  'store/migrations',
])
  cpSync(`src/${data}`, `${dist}/${data}`, { recursive: true })

const { build } = await import('vite')
await build({ logLevel: 'warn', build: { outDir: `${dist}/web` } })

/** A snapshot of an empty database: unpacking it is several times faster than creating one. */
const { PGlite } = await import('@electric-sql/pglite')
const empty = await PGlite.create('memory://')
writeFileSync(
  `${dist}/store/snapshot.tar.gz`,
  Buffer.from(await (await empty.dumpDataDir('gzip')).arrayBuffer()),
)
await empty.close()
