/** What a command loads when it starts: a heavy package there makes every command slow. */
import { spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { expect, test } from 'vitest'

const listLoaded = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
  process.on('exit', () => process.stderr.write(JSON.stringify(loaded)))
`)}`
const main = new URL('./main.ts', import.meta.url).pathname

/** The packages that a command loads, but for those that are always there. */
const heavyIn = (words: readonly string[]): string[] => {
  const { stderr, stdout, status } = spawnSync(process.execPath, ['--import', listLoaded, main, ...words], {
    encoding: 'utf8',
    cwd: homedir(),
  })
  const loaded: string[] = JSON.parse(stderr)
  expect({ status, length: stdout.length > 3 }).toEqual({ status: 0, length: true })
  expect(loaded.some(url => url.includes('/node_modules/commander/'))).toBe(true)
  const packages = loaded.flatMap(url => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  const light = ['commander', 'zod', 'eventsource-parser', 'get-east-asian-width']
  return [...new Set(packages)].filter(name => !light.includes(name))
}

test.each([
  [['--version']],
  [['--help']],
  [['ask', '--help']],
  [['doctor', '--help']],
  [['sessions', '--help']],
  [['backup', '--help']],
  [[]],
])('[T9] %j loads no model, database or network package', words => {
  expect(heavyIn(words)).toEqual([])
})

test.each([[['models', 'claude']], [['models', '--json', '--maker', 'mistral']]])(
  '[T44] %j loads no provider package and no network package',
  words => {
    expect(heavyIn(words)).toEqual([])
  },
)
