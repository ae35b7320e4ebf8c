/** The documents name what there is: no dead link, no variable that only the code knows, no README that grew into a manual. */

import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makers } from '../src/models/makers.ts'
import { protocols } from '../src/protocols/index.ts'

const documents = globSync(['*.md', 'docs/**/*.md'])
const textOf = (path: string): string => readFileSync(path, 'utf8')
const manual = globSync('docs/*.md').map(textOf).join('\n')

/** As GitHub makes them from headings. */
const anchorsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

const deadLinks = (path: string): string[] =>
  [...textOf(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(
    ([link, file = '', anchor]) => {
      const target = file === '' ? path : join(dirname(path), file)
      const isDead = !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
      return isDead ? [`${path}: ${link}`] : []
    },
  )

test('[Z2] the README has less than 6 kB, and no link in a document is dead', () => {
  expect(statSync('README.md').size).toBeLessThan(6_000)
  expect(documents.flatMap(deadLinks)).toEqual([])
})

/** `env.NAME` and `variable(env, 'NAME')`. */
const variablesIn = (source: string): string[] =>
  [...source.matchAll(/\benv\.([A-Z][A-Z_]+)|variable\(env, '([A-Z][A-Z_]+)'/g)].map(
    ([, read, looked]) => (read ?? looked)!,
  )

/** As code, or as the first word of a command line. */
const isNamed = (name: string): boolean => new RegExp(`(?:\`\\$?|roundtable -- )${name}\\b`).test(manual)

test('[Z3] every variable, maker, protocol and command is in the manual', () => {
  const sources = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] }).map(textOf)
  const commands = [...textOf('src/main/program.ts').matchAll(/usage: '([a-z]+)/g)].map(match => match[1]!)
  const names = [
    ...sources.flatMap(variablesIn),
    'ROUNDTABLE_ENDPOINTS',
    ...makers.flatMap(({ id, keys, baseURLVariable }) => [id, ...keys, baseURLVariable]),
    ...protocols.map(({ id }) => id),
    ...commands,
  ]
  expect(commands).toContain('doctor')
  expect(names.filter(name => !isNamed(name))).toEqual([])
})

test('[Z5] every file that ARCHITECTURE.md names exists', () => {
  const files = globSync(['src/**', 'test/**', 'scripts/**', 'perf/**', 'docs/**'])
  const named = [...textOf('ARCHITECTURE.md').matchAll(/`([\w/.-]+(?:\/|\.(?:tsx?|css|json|md)))`/g)].map(
    match => match[1]!,
  )
  const missing = named.filter(name => {
    const path = name.replace(/\/$/, '')
    return !existsSync(path) && !files.some(file => file.endsWith(`/${path}`))
  })
  expect(named.length).toBeGreaterThan(80)
  expect(missing).toEqual([])
})
