/**
 * Checks that SPEC.md is in order, and that it and the tests agree: every behaviour has a test with its ID in the
 * title, and IDs stand nowhere else in a test file. An ID in a comment would count as a test that doesn't exist.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { type ESTree, parseSync, Visitor } from 'vite'

interface Section {
  readonly title: string
  readonly owners: readonly string[]
  readonly ids: readonly string[]
}

const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(match => match[1]!)
const prefixOf = (id: string): string => id.replace(/\d+$/, '')
const numberOf = (id: string): number => Number(id.slice(prefixOf(id).length))
const repeated = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.indexOf(name) !== index)

const sectionFrom = (text: string): Section => ({
  title: text.slice(0, text.indexOf('\n')).trim(),
  owners: matchesOf(text, /^Owners?: (.+)$/gm).flatMap(line => matchesOf(line, /`([^`]+)`/g)),
  ids: matchesOf(text, /^- \[([A-Z]+\d+)\]/gm),
})

const spec = readFileSync('SPEC.md', 'utf8')
const sections = spec
  .split(/^## /m)
  .slice(1)
  .map(sectionFrom)
  .filter(({ ids }) => ids.length > 0)
/** The rows of the legend: prefix and the title of its section. */
const legend = new Map(
  [...spec.matchAll(/^\| ([A-Z]+) \| \[([^\]]+)\]/gm)].map(match => [match[1]!, match[2]!] as const),
)
const promised = sections.flatMap(({ ids }) => ids)

const problemsOf = ({ title, owners, ids }: Section): string[] => [
  ...(owners.length === 0 ? [`"${title}" has no line "Owner: …"`] : []),
  ...owners
    .filter(path => !existsSync(path))
    .map(path => `"${title}" is owned by ${path}, which doesn't exist`),
  ...[...new Set(ids.map(prefixOf))]
    .filter(prefix => legend.get(prefix) !== title)
    .map(prefix => `"${title}" uses the prefix ${prefix}, which the legend doesn't give to it`),
  ...ids
    .filter((id, index) => index > 0 && numberOf(ids[index - 1]!) > numberOf(id))
    .map(id => `[${id}] stands behind a higher number`),
]

/** `test`, `it` and `describe`, also behind `.each(…)`, `.skipIf(…)` and the like. */
const isTestFunction = (callee: ESTree.Expression | ESTree.Super): boolean => {
  if (callee.type === 'Identifier') return ['test', 'it', 'describe'].includes(callee.name)
  if (callee.type === 'MemberExpression') return isTestFunction(callee.object)
  if (callee.type === 'CallExpression') return isTestFunction(callee.callee)
  return callee.type === 'TaggedTemplateExpression' && isTestFunction(callee.tag)
}

const titlesIn = (file: string, text: string): ESTree.Span[] => {
  const titles: ESTree.Span[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!isTestFunction(callee)) return
      if (title?.type === 'TemplateLiteral') titles.push(...title.quasis)
      if (title?.type === 'Literal' && typeof title.value === 'string') titles.push(title)
    },
  })
  visitor.visit(parseSync(file, text).program)
  return titles
}

const held = new Set<string>()
const misplaced: string[] = []
for (const file of globSync(['src/**/*.test.{ts,tsx}', '{test,perf,scripts}/**/*.{ts,tsx}'])) {
  const text = readFileSync(file, 'utf8')
  const titles = titlesIn(file, text)
  for (const match of text.matchAll(/\[([A-Z]+\d+)\]/g)) {
    const id = match[1]!
    if (titles.some(({ start, end }) => start <= match.index && match.index < end)) held.add(id)
    else if (legend.has(prefixOf(id))) misplaced.push(`${file} has [${id}] outside the title of a test`)
  }
}

const problems = [
  ...repeated(promised).map(id => `SPEC.md has [${id}] twice`),
  ...sections.flatMap(problemsOf),
  ...[...legend]
    .filter(([, title]) => !sections.some(section => section.title === title))
    .map(([prefix, title]) => `the legend gives ${prefix} to "${title}", which SPEC.md doesn't have`),
  ...repeated([...legend.values()]).map(title => `the legend has "${title}" twice`),
  ...misplaced,
  ...promised.filter(id => !held.has(id)).map(id => `[${id}] has no test`),
  ...[...held]
    .filter(id => !promised.includes(id))
    .map(id => `a test names [${id}], which SPEC.md doesn't have`),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`${promised.length} behaviours in ${sections.length} sections, each with a test`)
