import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { engineOfTests } from '../../test/environment/engine.ts'
import { startHub } from '../../test/house/hub-server.ts'
import { builtIn, type Weights } from '../builtin/provider.ts'
import { readyAny, readyWeights } from '../terminal/house.ts'
import { Interrupted } from '../terminal/program-name.ts'
import { downloadBar, type Shell } from '../terminal/terminal.ts'
import { run } from './program.ts'

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
      ROUNDTABLE_ENGINE: engineOfTests,
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

/** A hub that claims to have the published models, but sends something else. */
const hubOf = async (models: readonly Weights[], bytes = Buffer.from('something else')) => {
  const parts = models.flatMap(({ parts }) => parts)
  const hub = await startHub(Object.fromEntries(parts.map(({ from }) => [from, bytes])), {
    claims: Object.fromEntries(parts.map(({ from, sha256 }) => [from, sha256])),
  })
  onTestFinished(() => hub.stop())
  return hub
}
const published = builtIn.filter(({ origin }) => origin === 'hub')

test('[D15] `house` shows each model with its size, licence, origin and state, and the folder', async () => {
  const { code, out } = await house()
  expect(code).toBe(0)
  expect(out).toMatch(/TinyLlama 1.1B, 322.6 MB, Apache-2.0, from the npm registry\n {2}not downloaded\./)
  expect(out).toContain(join(cache, 'models'))
  expect(out).toContain("One small model plays all three seats. It's a demo: don't rely on its answers.")
  expect(out).toMatch(/Qwen2.5 1.5B, 1117.3 MB, Apache-2.0.*\n {2}not downloaded, and ROUNDTABLE_HUB=no/)
})

test('[D31] `house` offers what the hub has', async () => {
  const hub = await hubOf(published.slice(0, 1))
  const { out } = await roundtable(['house'], { ROUNDTABLE_HUB: hub.address })
  expect(out).toMatch(
    /Qwen2.5 1.5B, .*, from 127.0.0.1:\d+\n {2}not downloaded\. .*roundtable house download qwen/,
  )
  expect(out).toMatch(
    /SmolLM2 1.7B, .*\n {2}not downloaded, and 127.0.0.1:\d+ can't be reached or doesn't have it/,
  )
})

test.each(['download', 'fetch'])(
  '[T46] `house %s` takes a model by name, and says which there are',
  async action => {
    const hub = await hubOf(published)
    const { code, error } = await roundtable(['house', action, 'smollm2-1.7b', '--yes'], {
      ROUNDTABLE_HUB: hub.address,
    })
    expect([code, error]).toEqual([2, expect.stringMatching(/127.0.0.1:\d+ sent only a part of the file/)])
    expect(hub.asked[0]).toMatch(/^GET \/HuggingFaceTB\/SmolLM2/)
    expect(await house(action, 'gpt')).toMatchObject({
      code: 2,
      error: expect.stringContaining('Use one of: qwen2.5-1.5b, smollm2-1.7b, tinyllama.'),
    })
  },
)

test('[T47] `models` finds the built-in models, and says what they need', async () => {
  const rows = async (...words: string[]) =>
    JSON.parse((await roundtable(['models', ...words, '--json'])).out)
  expect(await rows('house', 'tiny')).toEqual([
    {
      ...{ id: 'house/tinyllama', name: 'TinyLlama 1.1B (built-in)', maker: 'house', context: 2_048 },
      ...{
        price: { input: 0, output: 0 },
        configured: false,
        missing: ['house download tinyllama (322.6 MB)'],
      },
    },
  ])
  expect((await roundtable(['models', 'house'])).out).toContain('· needs house download tinyllama (322.6 MB)')
  expect(await rows('house', '--configured')).toEqual([])
})

test('[T47] the person’s own files that have a name are listed, and are ready if they exist', async () => {
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

test('[T48] `doctor` says how to download a built-in model, or that it is damaged, or complete', async () => {
  const absent = await roundtable(['doctor'])
  expect(absent.code).toBe(1)
  expect(absent.out.replace(/\s+/g, ' ')).toMatch(/or download a built-in model/)
  expect(absent.out).toMatch(/· built-in +not downloaded: qwen2.5-1.5b \(1117.3 MB\), /)
  mkdirSync(join(cache, 'models'))
  writeFileSync(join(cache, 'models', 'tinyllama.gguf'), 'half')
  const damaged = await roundtable(['doctor'])
  expect(damaged.out).toMatch(/✗ house\/tinyllama +damaged: .*\n +→ It needs a new download/)
})

test('[D15] `verify` finds damaged weights, and `remove` deletes them', async () => {
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

/** Answers the question after it was asked. */
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

test('[D8] without a terminal and without --yes, nothing is downloaded', async () => {
  expect(await house('download')).toMatchObject({ code: 2, error: expect.stringContaining('--yes') })
  expect(readdirSync(cache)).toEqual([])
})

test('[D15] for an unknown action, the message lists the actions', async () => {
  expect(await house('burn')).toMatchObject({
    code: 2,
    error: expect.stringContaining('show, download, verify'),
  })
})

test('[D15] a download shows a bar on a terminal, and a line for each tenth elsewhere', () => {
  const [terminal, pipe] = [output(true), output()]
  for (const stream of [terminal, pipe]) {
    const bar = downloadBar(stream, 'Tiny')
    for (const bytes of [0, 1e6, 50e6, 51e6, 100e6]) bar.progress(bytes, 100e6)
    bar.end()
  }
  expect(textOf(terminal)).toMatch(/\r█{12}░{12} Tiny: 50 MB of 100 MB .*\n$/s)
  expect(textOf(pipe)).toBe('Tiny: 0 MB of 100 MB\nTiny: 50 MB of 100 MB\nTiny: 100 MB of 100 MB\n')
})

test('[D33] a person at a terminal chooses among the models that can be downloaded, best first', async () => {
  const first = await answering(two, [enter])
  expect(first.result).toBe('one')
  expect(first.shown()).toMatch(/Tiny one: 0 MB, MIT, from 127.0.0.1:\d+/)
  expect(readdirSync(join(cache, 'models')).sort()).toEqual(['one.gguf', 'one.gguf.checked'])
  const again = await answering(two, [])
  expect([again.result, again.hub.asked]).toEqual(['one', []])
})

test('[D33] “None” and Ctrl-C download nothing', async () => {
  const none = await answering(two, [up, enter])
  expect(String(none.result)).toMatch(/isn't downloaded without your consent/)
  const gone = await answering(two, [interrupt])
  expect(gone.result).toBeInstanceOf(Interrupted)
  for (const { hub } of [none, gone]) expect(hub.asked.filter(one => one.startsWith('GET'))).toEqual([])
  expect(readdirSync(cache)).toEqual([])
})

test('[D33] if there is only one model, the question is yes or no', async () => {
  const no = await answering(two.slice(1), ['n'])
  expect(no.shown()).toMatch(/Download Tiny two\? 0 MB, MIT, from 127.0.0.1:\d+. It runs on this machine/)
  expect(String(no.result)).toMatch(/isn't downloaded without your consent/)
  expect((await answering(two.slice(1), ['y'])).result).toBe('two')
})

test('[D34] `--yes` and ROUNDTABLE_HOUSE=yes mean the smallest model, and ask no hub', async () => {
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

test('[D35] the best model that is downloaded answers', async () => {
  const hub = await hubOf(two, bytes)
  const { shell } = shellWith({ ROUNDTABLE_HUB: hub.address })
  expect((await readyAny(shell, true, two)).weights.id).toBe('two')
  await readyWeights(two[0]!, shell, true)
  expect((await readyAny(shell, false, two)).weights.id).toBe('one')
})
