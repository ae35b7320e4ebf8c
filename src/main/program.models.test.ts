/** `models` inside this process: the catalogue, the filters, and what each model needs. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startLab } from '../../test/lab/server.ts'
import { widthOf } from '../terminal/terminal.ts'
import { run } from './program.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-models-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const models = async (words: readonly string[], env: Record<string, string> = {}, columns = 110) => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const code = await run(['models', ...words], {
    ...streams,
    stdout: Object.assign(streams.stdout, { columns }),
    env: { ROUNDTABLE_DATA: join(folder, 'data'), XDG_CONFIG_HOME: folder, ROUNDTABLE_LOCAL: 'no', ...env },
    cwd: folder,
    clock: Date.now,
    onInterrupt: () => () => {},
    quit() {},
  })
  const text = (stream: PassThrough): string => String(stream.read() ?? '')
  return { code, out: text(streams.stdout), err: text(streams.stderr) }
}

const rows = async (words: readonly string[], env?: Record<string, string>) =>
  JSON.parse((await models([...words, '--json'], env)).out) as readonly Row[]

interface Row {
  readonly id: string
  readonly name: string
  readonly maker: string
  readonly context: number | null
  readonly price: { readonly output: number } | null
  readonly configured: boolean
  readonly missing: readonly string[]
}

/** Nothing listens there: requests are refused at once. */
const deaf = { OPENROUTER_BASE_URL: 'http://127.0.0.1:9/v1', OPENROUTER_API_KEY: 'sk-or-0123456789' }

test('[T37] --json prints id, name, maker, context, price, configured and missing, best match first', async () => {
  const [first, ...others] = await rows(['claude', 'sonnet', '4.6'])
  expect(first).toMatchObject({
    id: 'anthropic/claude-sonnet-4-6',
    name: 'Claude Sonnet 4.6',
    maker: 'anthropic',
  })
  expect(Object.keys(first!)).toEqual(['id', 'name', 'maker', 'context', 'price', 'configured', 'missing'])
  expect(first).toMatchObject({
    configured: false,
    missing: ['ANTHROPIC_API_KEY', 'OPENROUTER_API_KEY', 'AI_GATEWAY_API_KEY'],
  })
  expect(others.every(row => /sonnet/i.test(row.name))).toBe(true)
})

test('[T36] filters by maker, price, context and configured', async () => {
  const cheap = await rows(['--maker', 'mistral', '--max-price', '1', '--min-context', '100000'])
  expect(cheap.length).toBeGreaterThan(0)
  for (const row of cheap) {
    expect(row.maker).toBe('mistral')
    expect(row.price!.output).toBeLessThanOrEqual(1)
    expect(row.context).toBeGreaterThanOrEqual(100_000)
  }
  const ready = await rows(['claude', '--configured'], deaf)
  expect(ready.length).toBeGreaterThan(0)
  for (const row of ready) expect(row).toMatchObject({ configured: true, missing: [] })
  for (const row of ready) expect(row.id).toMatch(/^openrouter\//)
  expect(await rows(['claude', '--configured'])).toEqual([])
})

test('[T36] the table says what each model needs, and fits into 80 columns', async () => {
  const { code, out } = await models(['claude'], {}, 80)
  expect(code).toBe(0)
  expect(out).toMatch(/Claude Sonnet 4\.6 +1\.0M +\$3\/15 +· needs ANTHROPIC_API_KEY/)
  for (const line of out.split('\n')) expect(widthOf(line)).toBeLessThan(80)
})

test('[T36] for an unknown name, the message has the nearest names', async () => {
  const { err } = await models(['claude-sonet-4.6'])
  expect(err).toMatch(/No model found\. The nearest names are Claude Sonnet 4\.6/)
})

test('[T36] --local shows the models that run on this machine', async () => {
  const lab = await startLab({ models: { m0: { context_length: 4_096 } } })
  onTestFinished(() => lab.stop())
  const env = { ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` }
  expect(await rows(['--local'], env)).toEqual([
    { id: 'lab/m0', name: 'm0', maker: 'lab', context: 4_096, price: null, configured: true, missing: [] },
  ])
})

test("[T176] the name of a server of one's own lists its models, and no other that contains the word", async () => {
  const lab = await startLab({ models: { m0: {} } })
  onTestFinished(() => lab.stop())
  const found = await rows(['lab'], { ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` })
  expect(found.map(({ id }) => id)).toEqual(['lab/m0'])
  expect((await rows(['lab'])).length).toBeGreaterThan(1)
})

test('[T38] if a provider does not answer, the message says so, and all other models are listed', async () => {
  const { code, out, err } = await models(['claude', 'sonnet'], deaf)
  expect(code).toBe(0)
  expect(out).toMatch(/✓ openrouter\/anthropic\/claude-sonnet-4\.6/)
  expect(err).toMatch(/could not get the list of models from openrouter: .*127\.0\.0\.1:9/)
  expect((await models(['claude'], deaf)).err).toBe('')
  expect((await models(['claude', '--refresh'], deaf)).err).toMatch(/list of models from openrouter/)
})

test("[T3] a maker's key in a configuration file is refused, and is not in the message", async () => {
  const path = join(folder, 'roundtable.config.json')
  writeFileSync(path, JSON.stringify({ providers: { openai: { apiKey: 'sk-sesame' } } }))
  const { code, err } = await models(['claude'])
  expect(code).toBe(2)
  expect(err).toMatch(/providers\.openai holds a key.*"keyEnv"/)
  expect(err).not.toContain('sesame')
})
