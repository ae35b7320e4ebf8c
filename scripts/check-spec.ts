/** Keeps SPEC.md and the tests together: every behaviour has a test, and every ID in a test's title exists. */
import { globSync, readFileSync } from 'node:fs'

const id = /\[([A-Z]+\d+)\]/g
/** A title begins with its IDs. One in a comment doesn't count: a behaviour could lose its test unnoticed. */
const beginning = /['"`](?:\[[A-Z]+\d+\] ?)+/g

const idsIn = (text: string): string[] => [...text.matchAll(id)].map(match => match[1]!)
const titlesIn = (text: string): string => (text.match(beginning) ?? []).join(' ')

const promised = readFileSync('SPEC.md', 'utf8')
  .split('\n')
  .flatMap(line => (line.startsWith('- [') ? idsIn(line).slice(0, 1) : []))
const files = globSync('{src,test,perf,scripts,examples}/**/*.{ts,tsx}').map(path => ({
  path,
  text: readFileSync(path, 'utf8'),
}))
const held = new Set(files.flatMap(({ text }) => idsIn(titlesIn(text))))

const problems = [
  ...promised
    .filter((one, index) => promised.indexOf(one) !== index)
    .map(one => `SPEC.md has [${one}] twice`),
  ...promised.filter(one => !held.has(one)).map(one => `[${one}] has no test`),
  ...[...held]
    .filter(one => !promised.includes(one))
    .map(one => `a test names [${one}], which isn't in SPEC.md`),
  ...files.flatMap(({ path, text }) =>
    idsIn(text.replace(beginning, '')).map(one => `${path} names [${one}] outside of a test's title`),
  ),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`${promised.length} behaviours, each with a test`)
