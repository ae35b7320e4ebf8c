/** Holds SPEC.md and the tests together: every behaviour has a test, every ID in a test's title exists. */
import { globSync, readFileSync } from 'node:fs'

const ids = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(match => match[1]!)

const promised = ids(readFileSync('SPEC.md', 'utf8'), /^- \[([A-Z]+\d+)\]/gm)
const tests = globSync(['src/**/*.test.ts', 'src/**/*.test.tsx', 'src/**/contract.ts', 'test/**/*.ts'])
const held = new Set(tests.flatMap(file => ids(readFileSync(file, 'utf8'), /\[([A-Z]+\d+)\]/g)))

const problems = [
  ...promised.filter((id, index) => promised.indexOf(id) !== index).map(id => `SPEC.md has [${id}] twice`),
  ...promised.filter(id => !held.has(id)).map(id => `[${id}] has no test`),
  ...[...held]
    .filter(id => !promised.includes(id))
    .map(id => `a test names [${id}], which SPEC.md does not have`),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`${promised.length} behaviours, each with a test`)
