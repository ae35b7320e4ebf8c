import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { datedChangelog, versionProblem } from './release-notes.ts'

const changelog = '# Changelog\n\n## Unreleased\n\n- A new thing.\n\n## 0.1.0\n\n- The first one.\n'
const script = new URL('release.ts', import.meta.url).pathname

let folder = ''
const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim()
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const packageWith = (fastTests: string): void => {
  const content = { name: 'sample', version: '0.1.0', scripts: { 'test:fast': fastTests } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
}
const release = (...words: string[]) =>
  spawnSync(process.execPath, [script, ...words], { cwd: folder, encoding: 'utf8' })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
  packageWith('node -p 1')
  git('init', '--quiet')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@example.com')
  git('add', '.')
  git('commit', '--quiet', '--message', 'First')
})

test('[Z4] a release sets the version, dates the changelog, commits and tags', () => {
  expect(release('0.2.0')).toMatchObject({ status: 0 })
  expect(JSON.parse(read('package.json')).version).toBe('0.2.0')
  expect(read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 – \d{4}-\d\d-\d\d\n\n- A new thing\.\n/,
  )
  expect(git('log', '-1', '--format=%s')).toBe('Release 0.2.0')
  expect(git('tag', '--points-at', 'HEAD')).toBe('v0.2.0')
  expect(git('status', '--porcelain')).toBe('')
})

test('[Z4] a dry run changes nothing', () => {
  const { status, stdout } = release('0.2.0', '--dry-run')
  expect(status).toBe(0)
  expect(stdout.match(/^Would .+\.$/gm)).toHaveLength(4)
  expect(git('status', '--porcelain') + git('tag')).toBe('')
  expect(git('rev-list', '--count', 'HEAD')).toBe('1')
})

test('[Z4] red tests or uncommitted changes stop it before anything is changed', () => {
  packageWith('node nothing-there.js')
  expect(release('0.2.0').stderr).toContain('There are changes that are not committed.')
  git('commit', '--quiet', '--all', '--message', 'Red')
  expect(release('0.2.0').stderr).toContain("Stopped: couldn't run the fast tests.")
  expect(git('status', '--porcelain') + git('tag')).toBe('')
})

test.each([
  ['0.1.0', "0.1.0 isn't higher than the current version, 0.1.0."],
  ['0.0.9', "0.0.9 isn't higher than the current version, 0.1.0."],
  ['next', '"next" isn\'t a version such as 0.2.0.'],
  ['0.1.1', undefined],
  ['0.10.0', undefined],
  ['1.0.0', undefined],
])('[Z4] from 0.1.0 to %s', (next, problem) => {
  expect(versionProblem(next, '0.1.0')).toBe(problem)
})

test('[Z4] a changelog without news is not released', () => {
  const again = datedChangelog(changelog, '0.2.0', '2026-01-01')
  expect(() => datedChangelog(again, '0.3.0', '2026-01-02')).toThrow('is empty')
  expect(() => datedChangelog('# Changelog\n', '0.3.0', '2026-01-02')).toThrow('no section')
})
