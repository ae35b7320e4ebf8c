/**
 * Checks the direction of imports, that there is no cycle, that no two files export a type of the same name, and that
 * no text below cli/ names a flag or a command of the terminal.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { terminalWordsIn } from './terminal-words.ts'

/** Which folders of src/ a folder may import from, besides itself. */
const shared = ['core', 'protocols', 'providers', 'store', 'exports', 'evidence'] as const
const allowed: Record<string, readonly string[]> = {
  core: [],
  protocols: ['core'],
  providers: ['core'],
  store: ['core'],
  exports: ['core'],
  evidence: ['core'],
  accounts: ['core', 'providers', 'store'],
  bench: ['core'],
  api: ['core', 'exports'],
  runtime: shared,
  table: [...shared, 'runtime'],
  library: [...shared, 'runtime', 'table'],
  trials: ['core', 'store', 'exports', 'bench', 'runtime', 'table'],
  worker: ['core', 'store', 'runtime'],
  webhooks: ['core', 'protocols', 'exports', 'runtime'],
  telemetry: ['core', 'providers', 'runtime', 'worker'],
  server: [...shared, 'accounts', 'api', 'runtime', 'table', 'library', 'worker'],
  client: ['core', 'exports', 'store', 'api', 'runtime', 'table', 'library'],
  cli: [
    ...shared,
    'accounts',
    'bench',
    'api',
    'runtime',
    'table',
    'library',
    'trials',
    'worker',
    'telemetry',
    'webhooks',
    'server',
    'client',
  ],
  web: ['core', 'api'],
}
/** The only packages that the pure layers may use. */
const packages: Record<string, readonly string[]> = { core: ['zod'], protocols: ['zod'] }

const files = globSync('src/**/*.{ts,tsx}').filter(
  file => !file.includes('.test.') && !file.endsWith('contract.ts'),
)
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(match => match[1]!)
const resolved = (file: string, to: string): string => normalize(join(dirname(file), to))
const layerOf = (file: string): string => file.split(sep)[1] ?? ''

const problems: string[] = []
for (const file of files) {
  const layer = layerOf(file)
  for (const to of importsOf(file)) {
    if (!to.startsWith('.')) {
      const free = packages[layer]
      if (free && !free.includes(to)) problems.push(`${file} imports ${to}: ${layer} is pure`)
      continue
    }
    const target = resolved(file, to)
    const other = layerOf(target)
    if (layer.includes('.') || other === layer) continue
    const may = allowed[layer] ?? []
    if (!may.includes(other)) problems.push(`${file} imports ${target}: not from ${layer}`)
  }
}

const graph = new Map(
  files.map(file => [
    file,
    importsOf(file)
      .filter(to => to.startsWith('.'))
      .map(to => resolved(file, to)),
  ]),
)
const done = new Set<string>()
const walk = (file: string, path: readonly string[]): void => {
  if (path.includes(file)) {
    problems.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
    return
  }
  if (done.has(file)) return
  for (const to of graph.get(file) ?? []) walk(to, [...path, file])
  done.add(file)
}
for (const file of files) walk(file, [])

/** A name that means two things is a trap: whoever reads one of the two thinks of the other. */
const declared = new Map<string, string>()
for (const file of files) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(
    /^export (?:abstract )?(?:class|enum|interface|type) (\w+)/gm,
  )) {
    const first = declared.get(name!)
    if (first) problems.push(`${file} exports the type ${name}, and so does ${first}: rename one of them`)
    else declared.set(name!, file)
  }
}

for (const file of files) {
  if (layerOf(file) === 'cli') continue
  for (const text of terminalWordsIn(readFileSync(file, 'utf8')))
    problems.push(`${file} names a flag or a command of the terminal: ${text}`)
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`${files.length} files keep to their layers`)
