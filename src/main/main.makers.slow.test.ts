/** Makers at the command line, in a process of its own: keys from the environment, addresses of local servers. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment } from '../../test/environment/clean.ts'
import { keepArchive } from '../../test/keep-archive.ts'
import { type Lab, startLab } from '../../test/lab/server.ts'
import { type Answering, startWire, type Wire } from '../../test/makers/wire.ts'
import { documentSchema } from '../exports/json.ts'

const main = new URL('./main.ts', import.meta.url).pathname
const key = 'sk-maker-0123456789'

let folder = ''
let lab: Lab
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-makers-'))
  // Slow enough that a list that is loaded during the session arrives before it ends.
  lab = await startLab({ firstTokenMs: 400 })
  await keepArchive(join(folder, 'data'))
})
afterEach(async () => {
  await lab.stop()
  rmSync(folder, { recursive: true, force: true })
})

const roundtable = async (words: readonly string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [main, ...words], {
    cwd: folder,
    // Shorter than our own time-outs: a command that hangs is killed and has no exit code.
    timeout: 15_000,
    env: {
      ...cleanEnvironment(folder),
      ROUNDTABLE_DATA: join(folder, 'data'),
      ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`,
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end()
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

const wireOf = async (answer: Answering): Promise<Wire> => {
  const wire = await startWire(answer)
  onTestFinished(() => wire.stop())
  return wire
}

const openai = (wire: Wire) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${wire.origin}/v1` })

const closed = ['--options', 'Yes,No', '--protocol', 'poll']
const poll = ['ask', 'Is it so?', '--seats', 'lab/m0,lab/m1', '--moderator', 'none', ...closed]

test("[T39] a maker's list of models is loaded during a session, once a day", async () => {
  const wire = await wireOf(() => ({ status: 200, body: { data: [{ id: 'gpt-99' }] } }))
  const first = await roundtable(poll, openai(wire))
  expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: '' })
  expect((await roundtable(poll, openai(wire))).code).toBe(0)
  expect(wire.requests.map(request => request.path)).toEqual(['/v1/models'])
  const { out } = await roundtable(['models', 'gpt-99', '--json'], openai(wire))
  expect(JSON.parse(out)).toMatchObject([{ id: 'openai/gpt-99', configured: true }])
  expect(wire.requests).toHaveLength(1)
})

test('[T39] a maker whose list fails is not shown, and is not asked again that day', async () => {
  const wire = await wireOf(() => ({ status: 500, body: 'out of order' }))
  for (let time = 0; time < 2; time++) {
    const { code, out, err } = await roundtable(poll, openai(wire))
    expect(code).toBe(0)
    expect(out + err).not.toContain('out of order')
  }
  expect(wire.requests).toHaveLength(1)
})

test('[T39] a maker that hangs does not delay the end of the command', async () => {
  const wire = await wireOf(() => undefined)
  const { code } = await roundtable(poll, openai(wire))
  expect(code).toBe(0)
  expect(wire.requests).toHaveLength(1)
  expect(existsSync(join(folder, 'data', 'models.json'))).toBe(false)
})

test('[T39] a name that is newer than the catalogue is looked up before it is refused', async () => {
  const wire = await wireOf(request =>
    request.method === 'GET'
      ? { status: 200, body: { data: [{ id: 'gpt-99' }] } }
      : { status: 401, body: { error: { message: 'not today' } } },
  )
  const seat = (name: string) => roundtable(['ask', 'Is it so?', '--seats', name, ...closed], openai(wire))
  const seated = await seat('openai/gpt-99')
  expect(seated.code).toBe(1)
  expect(seated.out).toContain('not today')
  const refused = await seat('openai/gpt-98')
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(/no model has that name\. The nearest names are gpt-99, GPT/)
})

test('[T40] doctor tries each maker, and shows its variable, its models, or what is wrong', async () => {
  const well = await wireOf(() => ({ status: 200, body: { data: [{ id: 'a' }, { id: 'b' }] } }))
  const message = `Incorrect API key provided: ${key}.`
  const ill = await wireOf(() => ({ status: 401, body: { error: { message, code: 'invalid_api_key' } } }))
  const env = { ...openai(ill), DEEPSEEK_API_KEY: key, DEEPSEEK_BASE_URL: well.origin }
  const { code, out, err } = await roundtable(['doctor'], env)
  expect(code).toBe(1)
  expect(out).toMatch(/✓ deepseek +DEEPSEEK_API_KEY +2 models in \d+ ms/)
  expect(out).toMatch(/✗ openai +OPENAI_API_KEY +OpenAI: Incorrect API key provided: .*401/)
  expect(out).toMatch(/→ Correct OPENAI_API_KEY: [^✓✗]*platform\.openai\.com/)
  expect(out).toMatch(/not set .*ANTHROPIC_API_KEY, /)
  expect(out).toContain('1 problem found.')
  expect(out + err).not.toContain(key)
})

test('[T42] [T43] a budget in dollars ends in a verdict on the answers so far, exit code 4, and no further call', async () => {
  const names = ['m0', 'm1', 'm2']
  const priced = Object.fromEntries(names.map(name => [name, { price: { input: 1, output: 2 } }]))
  const endpoint = { id: 'priced', baseURL: lab.baseURL, models: priced }
  writeFileSync(join(folder, 'roundtable.config.json'), JSON.stringify({ endpoints: [endpoint] }))
  const seats = names.map(name => `priced/${name}`).join(',')
  const words = [
    'ask',
    'Is it so?',
    '--seats',
    seats,
    '--protocol',
    'roundtable',
    '--rounds',
    '4',
    '--moderator',
    'none',
  ]
  const { code, out } = await roundtable([
    ...words,
    '--options',
    'Yes,No',
    '--budget',
    '0.01',
    '--out',
    'x.json',
  ])
  expect(code).toBe(4)
  expect(out).toMatch(/Usually: 3–15 calls, [\d.]+k–[\d.]+k tokens, \$0\.0\d+–0\.0\d+, \d+ s to \d+ min/)
  const session = documentSchema.parse(JSON.parse(readFileSync(join(folder, 'x.json'), 'utf8')))
  expect(session.outcome).toBe('budget')
  expect(session.verdict.level).not.toBe('no-quorum')
  expect(session.report?.by).toBe('code')
  expect(session.usage.costUsd).toBeLessThanOrEqual(0.01)
  // Every call that was made is in the log with its cost: none was made after the stop.
  const billed = session.events.filter(event => 'usage' in event && event.usage)
  expect(lab.calls.filter(call => call.path.endsWith('/chat/completions'))).toHaveLength(billed.length)
  const stopped = session.events.findIndex(event => event.type === 'session-stopped')
  expect(session.events.slice(stopped).every(event => !('usage' in event))).toBe(true)
})

test('[T43] unknown prices and empty seats are named before the session', async () => {
  const { out } = await roundtable(poll)
  expect(out).toMatch(/Usually: 2 calls, .*price unknown/)
  expect(out).toContain('The price of lab/m0, lab/m1 is unknown.')
  const wire = await wireOf(() => ({ status: 401, body: { error: { message: 'not today' } } }))
  const lineup = await roundtable(['ask', 'Is it so?', '--lineup', 'fast', ...closed], openai(wire))
  expect(lineup.out).toMatch(/\d seats are empty\. \w+_API_KEY.* alone would fill/)
})
