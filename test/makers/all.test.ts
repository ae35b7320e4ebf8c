import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makers } from '../../src/models/makers.ts'

const run = promisify(execFile)

/** Prints the packages that are loaded after all makers are connected. */
const loading = `
import { registerHooks } from 'node:module'
const packages = new Set()
registerHooks({
  load(url, context, next) {
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? []
    if (name) packages.add(name)
    return next(url, context)
  },
})
const { makers } = await import('./src/models/makers.ts')
for (const maker of makers) maker.connect({ key: 'sk-0123456789', known: () => ({}) })
console.log(JSON.stringify([...packages]))
`

test('[K13] connecting all makers loads none of their packages', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', loading])
  const packages = JSON.parse(stdout) as string[]
  expect(packages.filter(name => name.startsWith('@ai-sdk/') || name === 'undici')).toEqual([])
})

test('every maker has a unique id and a test', () => {
  const ids = makers.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter(id => !existsSync(`test/makers/${id}.test.ts`))).toEqual([])
})
