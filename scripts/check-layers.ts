/**
 * Checks that rooms stand in one order, that pure rooms stay pure, that every chapter can be loaded first, that no two
 * files export a type of the same name, and that only rooms with a command name a flag or a command of the terminal.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, normalize, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { terminalWordsIn } from './terminal-words.ts'

/** A room is a folder of src/. It imports from itself and from rooms before it. */
const rooms = [
  ...['core', 'count', 'words', 'report', 'protocols', 'models', 'evidence', 'agents', 'builtin'],
  ...['store', 'exports', 'run', 'table', 'api', 'library', 'client', 'web', 'http', 'terminal'],
  ...['telemetry', 'webhooks', 'backup', 'openai', 'letters', 'accounts', 'mcp', 'bench', 'main'],
]
/** Imports against the order that are still there. This list only gets shorter. */
const known = new Set([
  ...['http → accounts', 'http → letters', 'web → accounts', 'web → letters'],
  ...['terminal → letters', 'terminal → bench', 'mcp → main'],
])
/** The only packages that the pure rooms may use. */
const pure = ['core', 'count', 'words', 'report', 'protocols']
const purePackages = ['zod']
/** Rooms with a command of their own, so that they may name flags and commands. */
const commanding = ['terminal', 'backup', 'letters', 'accounts', 'mcp', 'bench', 'main']

const files = globSync('src/**/*.{ts,tsx}').filter(file => !file.includes('.test.'))
const roomOf = (file: string): string => file.split(sep)[1] ?? ''
const resolved = (file: string, to: string): string => normalize(join(dirname(file), to))
const texts = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))

const problems: string[] = []
for (const file of files) if (!rooms.includes(roomOf(file))) problems.push(`${file} stands in no known room`)

const met = new Set<string>()
for (const [file, text] of texts) {
  const room = roomOf(file)
  for (const [, to = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    if (!to.startsWith('.')) {
      if (pure.includes(room) && !purePackages.includes(to))
        problems.push(`${file} imports ${to}: ${room} is pure`)
      continue
    }
    const target = resolved(file, to)
    const other = roomOf(target)
    // What lies outside of src/ isn't code of a room: the package's own description, the stored prices.
    if (!target.startsWith(`src${sep}`) || rooms.indexOf(other) <= rooms.indexOf(room)) continue
    const edge = `${room} → ${other}`
    met.add(edge)
    if (!known.has(edge)) problems.push(`${file} imports ${target}: ${other} stands behind ${room}`)
  }
}
for (const edge of known)
  if (!met.has(edge)) problems.push(`${edge} is gone: take it off the list of known ones`)

/** Groups of files that need each other when they are loaded. Types alone load nothing. */
const loads = new Map(
  files.map(file => [
    file,
    [...texts.get(file)!.matchAll(/^(?:import(?! type\b)|export(?! type\b))[^;'"]*?\bfrom '(\.[^']+)'/gm)]
      .map(([, to = '']) => resolved(file, to))
      .filter(to => texts.has(to)),
  ]),
)
const ringed = (): string[] => {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[] = []
  const visit = (file: string): void => {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    stack.push(file)
    for (const to of loads.get(file)!) {
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!))
    }
    if (low.get(file) !== index.get(file)) return
    const ring = stack.splice(stack.indexOf(file))
    if (ring.length > 1) found.push(...ring)
  }
  for (const file of files) if (!index.has(file)) visit(file)
  return found
}

/** A ring of functions is harmless; a ring of values throws for whoever loads the wrong file of it first. */
const whyNotAlone = (file: string): Promise<string | undefined> =>
  new Promise(done => {
    const code = `await import(${JSON.stringify(pathToFileURL(file).href)}); process.exit(0)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', data => {
      said += data
    })
    child.on('close', status =>
      done(status === 0 ? undefined : (said.match(/^\w*Error.*$/m)?.[0] ?? `ended with ${status}`)),
    )
  })
const toLoad = ringed().filter(file => roomOf(file) !== 'web' && !file.endsWith('.tsx'))
const ringCount = toLoad.length
const loadAll = async (): Promise<void> => {
  for (let file = toLoad.shift(); file !== undefined; file = toLoad.shift()) {
    const why = await whyNotAlone(file)
    if (why) problems.push(`LOAD RING: ${file} can't be loaded first: ${why}`)
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, loadAll))

/** A name that means two things is a trap: whoever reads one of the two thinks of the other. */
const declared = new Map<string, string>()
for (const [file, text] of texts) {
  for (const [, name] of text.matchAll(/^export (?:abstract )?(?:class|enum|interface|type) (\w+)/gm)) {
    const first = declared.get(name!)
    if (first) problems.push(`${file} exports the type ${name}, and so does ${first}: rename one of them`)
    else declared.set(name!, file)
  }
}

for (const [file, text] of texts) {
  if (commanding.includes(roomOf(file))) continue
  for (const found of terminalWordsIn(text))
    problems.push(`${file} names a flag or a command of the terminal: ${found}`)
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(
  `${files.length} files keep the order of the rooms; ${ringCount} that need each other load alone; ${known.size} imports against the order are left`,
)
