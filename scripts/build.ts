/** Compiles src/ to dist/ as plain JavaScript, and builds the pages into dist/web. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
if (tsc.status !== 0) process.exit(tsc.status ?? 1)
if (existsSync('dist/cli/main.js')) chmodSync('dist/cli/main.js', 0o755)
cpSync('src/providers/catalogue/models.json', 'dist/providers/catalogue/models.json')
cpSync('src/providers/house/engine-packages.json', 'dist/providers/house/engine-packages.json')
cpSync('src/bench/live/tricks.jsonl', 'dist/bench/live/tricks.jsonl')
cpSync('src/store/migrations', 'dist/store/migrations', { recursive: true })

const { build } = await import('vite')
await build({ logLevel: 'warn' })

/** A snapshot of an empty database: unpacking it is several times faster than creating one. */
const { PGlite } = await import('@electric-sql/pglite')
const empty = await PGlite.create('memory://')
writeFileSync(
  'dist/store/snapshot.tar.gz',
  Buffer.from(await (await empty.dumpDataDir('gzip')).arrayBuffer()),
)
await empty.close()
