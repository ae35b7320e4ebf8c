/**
 * Makes a release: `npm run release -- 0.2.0`, or with `--dry-run` to see what it would do. It needs a clean tree and
 * green fast tests, sets the version, dates the changelog, commits and tags. It doesn't push or publish.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { datedChangelog, versionProblem } from './release-notes.ts'

const stop = (problem: string): never => {
  console.error(problem)
  process.exit(1)
}

const output = (program: string, ...words: string[]): string =>
  execFileSync(program, words, { encoding: 'utf8' }).trim()
const run = (program: string, ...words: string[]): void => {
  execFileSync(program, words, { stdio: 'inherit' })
}

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [version = ''] = positionals
const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const problem = versionProblem(version, current)
if (problem) stop(`${problem} Usage: npm run release -- 0.2.0 [--dry-run]`)
if (output('git', 'status', '--porcelain') !== '') stop('There are changes that are not committed.')
const tag = `v${version}`
if (output('git', 'tag', '--list', tag) !== '') stop(`The tag ${tag} exists already.`)

const changelog = (() => {
  try {
    const day = new Date().toISOString().slice(0, 10)
    return datedChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, day)
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error))
  }
})()

/** In this order: what can fail comes before anything is changed. */
const steps: readonly [words: string, act: () => void][] = [
  ['run the fast tests', () => run('npm', 'run', 'test:fast')],
  [
    `set the version from ${current} to ${version}`,
    () => run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts'),
  ],
  ['date the top section of CHANGELOG.md', () => writeFileSync('CHANGELOG.md', changelog)],
  [
    `commit and tag ${tag}`,
    () => {
      run('git', 'commit', '--all', '--quiet', '--message', `Release ${version}`)
      run('git', 'tag', '--annotate', tag, '--message', `Release ${version}`)
    },
  ],
]
for (const [words, act] of steps) {
  console.log(values['dry-run'] ? `Would ${words}.` : `Now: ${words}.`)
  if (values['dry-run']) continue
  try {
    act()
  } catch {
    stop(`Stopped: couldn't ${words}.`)
  }
}
if (!values['dry-run']) console.log('Done. Publish it with: git push --follow-tags')
