import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fetchBar } from './fetch-bar.ts'
import { run } from './program.ts'
import type { Shell } from './shell.ts'

let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'house-cli-'))
})
afterEach(() => rmSync(cache, { recursive: true }))

const output = (isTTY = false) => Object.assign(new PassThrough(), { isTTY, columns: 100 })
const textOf = (stream: PassThrough): string => String(stream.read() ?? '')

const house = async (...words: string[]) => {
  const [stdout, stderr] = [output(), output()]
  const shell: Shell = {
    ...{ stdin: new PassThrough(), stdout, stderr, cwd: cache, clock: Date.now },
    env: { ROUNDTABLE_CACHE: cache },
    onInterrupt: () => () => undefined,
    quit: () => undefined,
  }
  const code = await run(['house', ...words], shell)
  return { code, out: textOf(stdout), error: textOf(stderr) }
}

test('[D15] the model is shown with its size, licence, place and condition', async () => {
  const { code, out } = await house()
  expect(code).toBe(0)
  expect(out).toMatch(
    /TinyLlama 1.1B \(house\), 322.6 MB, Apache-2.0: three voices of one small model, demo-grade/,
  )
  expect(out).toContain(join(cache, 'models', 'tinyllama.gguf'))
  expect(out).toContain('not fetched yet')
})

test('[D15] damaged weights are found and removed', async () => {
  mkdirSync(join(cache, 'models'))
  writeFileSync(join(cache, 'models', 'tinyllama.gguf'), 'half')
  expect(await house('verify')).toMatchObject({ code: 1, out: expect.stringContaining('damaged') })
  expect(await house('remove')).toMatchObject({ code: 0, out: 'Removed TinyLlama 1.1B (house).\n' })
  expect(readdirSync(join(cache, 'models'))).toEqual([])
})

test('[D8] without a terminal and without --yes nothing is fetched', async () => {
  expect(await house('fetch')).toMatchObject({ code: 2, error: expect.stringContaining('--yes') })
  expect(readdirSync(cache)).toEqual([])
})

test('[D15] an unknown action is told what there is', async () => {
  expect(await house('burn')).toMatchObject({
    code: 2,
    error: expect.stringContaining('show, fetch, verify'),
  })
})

test('[D15] a fetch is a bar on a terminal, and a line for each tenth elsewhere', () => {
  const [terminal, pipe] = [output(true), output()]
  for (const stream of [terminal, pipe]) {
    const bar = fetchBar(stream, 'Tiny')
    for (const bytes of [0, 1e6, 50e6, 51e6, 100e6]) bar.progress(bytes, 100e6)
    bar.end()
  }
  expect(textOf(terminal)).toMatch(/\r█{12}░{12} Tiny: 50 MB of 100 MB .*\n$/s)
  expect(textOf(pipe)).toBe('Tiny: 0 MB of 100 MB\nTiny: 50 MB of 100 MB\nTiny: 100 MB of 100 MB\n')
})
