/** The command line as a process, against a local server. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment } from '../../test/environment/clean.ts'
import { keepArchive } from '../../test/keep-archive.ts'
import { type Lab, startLab } from '../../test/lab/server.ts'
import type { LiveEvent } from '../core/event.ts'
import { documentSchema } from '../exports/json.ts'
import { embeddedArchive } from '../store/embedded.ts'

const key = 'sesame-open-4711'
const main = new URL('../main/main.ts', import.meta.url).pathname

let lab: Lab
beforeAll(async () => {
  lab = await startLab({
    key,
    models: {
      broken: { fault: 'server-error' },
      hang: { fault: 'hang' },
      late: { firstTokenMs: 1_500 },
      m0: {},
      m1: {},
      m2: {},
    },
  })
})
afterAll(() => lab.stop())

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-ask-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const start = (words: readonly string[], env: Record<string, string> = {}): ChildProcess => {
  const child = spawn(process.execPath, [main, ...words], {
    cwd: folder,
    timeout: 25_000,
    env: {
      ...cleanEnvironment(folder),
      ROUNDTABLE_DATA: join(folder, 'data'),
      ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`,
      ROUNDTABLE_LAB_KEY: key,
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const done = async (child: ChildProcess, stdin = ''): Promise<{ code: number; out: string; err: string }> => {
  child.stdin!.end(stdin)
  const [out, err, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ])
  return { code, out, err }
}

const roundtable = (...words: string[]) => done(start(words))

const question = 'Should a small team with one product begin to write its own database?'
const table = ['--seats', 'lab/m0,lab/m1,lab/m2', '--moderator', 'lab/m0', '--protocol', 'poll']
const choice = [...table, '--options', 'Yes,No', '--moderator', 'none']

const saved = async (): Promise<string[]> =>
  JSON.parse((await roundtable('sessions', '--json')).out).map((session: { id: string }) => session.id)

/** All that the data folder holds, to the byte. */
const written = (): string[] =>
  readdirSync(join(folder, 'data'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))

test('[T17] --json prints one JSON document and nothing else, and the session is saved', async () => {
  await keepArchive(join(folder, 'data'))
  const { code, out, err } = await roundtable('ask', question, ...choice, '--json')
  const document = documentSchema.parse(JSON.parse(out))
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(document).toMatchObject({ question, format: 'choice', outcome: 'verdict' })
  expect(await saved()).toEqual([document.id])
  const again = await roundtable('export', 'last', '--format', 'json')
  expect(again.out).toBe(out)
})

test('[T18] --events prints every event as it happens, deltas included', async () => {
  await keepArchive(join(folder, 'data'))
  const { code, out } = await roundtable('ask', question, ...choice, '--events')
  const events: LiveEvent[] = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(code).toBe(0)
  expect(events[0]?.type).toBe('session-opened')
  expect(events.at(-1)?.type).toBe('session-finished')
  const headline = events.flatMap(event =>
    event.type === 'delta' && event.seat === 's1' && event.field === 'headline' ? event.text : [],
  )
  const answer = events.find(event => event.type === 'answer-given' && event.seat === 's1')
  expect(answer).toMatchObject({ answer: { headline: headline.join('') } })
})

test('[T16] without a terminal the session is told in plain lines', async () => {
  await keepArchive(join(folder, 'data'))
  const { code, out } = await roundtable('ask', question, ...choice)
  expect(code).toBe(0)
  expect(out).toMatch(/A m0 answers: /)
  expect(out).toMatch(/── Verdict · /)
  expect(out).toMatch(/Saved as \S+: roundtable show/)
  expect(out).not.toContain('\x1b')
})

test('[T19] the question may come from stdin, and a file with it', async () => {
  await keepArchive(join(folder, 'data'))
  writeFileSync(join(folder, 'facts.txt'), 'The team has four people.')
  const { out } = await done(
    start(['ask', '-', ...choice, '--attach', 'facts.txt', '--json']),
    `${question}\n`,
  )
  expect(JSON.parse(out)).toMatchObject({
    question,
    attachments: [{ name: 'facts.txt', text: 'The team has four people.' }],
  })
})

test('[T22] --out writes the form that its ending names', async () => {
  await keepArchive(join(folder, 'data'))
  await roundtable('ask', question, ...choice, '--out', 'session.md')
  expect(readFileSync(join(folder, 'session.md'), 'utf8')).toContain(question)
  const refused = await roundtable('ask', question, ...choice, '--out', 'session.pdf')
  expect(refused.code).toBe(2)
  expect(await saved()).toHaveLength(1)
})

test('[T8] [R416] no quorum is exit code 3, and a budget that is too small is refused', async () => {
  await keepArchive(join(folder, 'data'))
  const broken = [
    '--seats',
    'lab/broken,lab/m0',
    '--protocol',
    'poll',
    '--options',
    'Yes,No',
    '--moderator',
    'none',
  ]
  const quorum = await roundtable('ask', question, ...broken)
  expect(quorum.code).toBe(3)
  expect(quorum.out).toContain('server error (500)')
  const small = await roundtable('ask', question, ...choice, '--budget', '10tokens')
  expect([small.code, small.err]).toEqual([2, expect.stringContaining('Nothing was asked.')])
})

/** Waits until the hanging seat is the only one that has not handed in. */
const untilOneHangs = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let out = ''
    child.stdout!.on('data', chunk => {
      out += chunk
      if ((out.match(/ answers: /g) ?? []).length === 2) resolve()
    })
    child.once('exit', () => reject(new Error(`The session ended too early: ${out}`)))
  })

test('[T23] the first Ctrl-C ends with what there is, saves it, and exits with 130', async () => {
  await keepArchive(join(folder, 'data'))
  const child = start([
    'ask',
    question,
    '--seats',
    'lab/m0,lab/m1,lab/hang',
    '--protocol',
    'poll',
    '--options',
    'Yes,No',
  ])
  await untilOneHangs(child)
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  expect(code).toBe(130)
  const { out } = await roundtable('show', 'last')
  expect(out).toContain('! interrupted')
  expect(out).toMatch(/A {2}m0 +✓ answered/)
})

test('[T386] a terminal that is closed ends the session like SIGTERM, however often it says so', async () => {
  await keepArchive(join(folder, 'data'))
  const seats = ['--seats', 'lab/m0,lab/m1,lab/hang', '--protocol', 'poll', '--options', 'Yes,No']
  const child = start(['ask', question, ...seats])
  await untilOneHangs(child)
  // The shell and the system both say it.
  child.kill('SIGHUP')
  child.kill('SIGHUP')
  const [code] = await once(child, 'exit')
  expect(code).toBe(129)
  expect((await roundtable('show', 'last')).out).toContain('! interrupted')
})

test.each([[[]], [['--events']]])(
  '[T387] a reader that leaves ends the session like Ctrl-C: %j',
  async flags => {
    await keepArchive(join(folder, 'data'))
    const seats = ['--seats', 'lab/late,lab/m0,lab/hang', '--protocol', 'roundtable', '--moderator', 'none']
    const asked = lab.calls.length
    const child = start(['ask', question, ...seats, ...flags, '--deadline', '8'])
    let written = ''
    for await (const chunk of child.stdout!) {
      written += chunk
      // Leaving the loop closes the pipe. What it says next is the late answer.
      if (/m0 answers|"answer-given"/.test(written)) break
    }
    const [code] = await once(child, 'exit')
    expect(code).toBe(130)
    expect(lab.calls.length - asked).toBe(3)
    const { out } = await roundtable('show', 'last')
    expect(out).toContain('! interrupted')
    expect(out).toMatch(/late +✓ answered/)
  },
)

test('[T24] no key is in any output or file', { timeout: 90_000 }, async () => {
  await keepArchive(join(folder, 'data'), embeddedArchive)
  const wrong = { ROUNDTABLE_LAB_KEY: 'wrong-key-0815' }
  const outputs = [
    await roundtable('ask', question, ...choice, '--json'),
    await roundtable('ask', question, ...choice, '--events'),
    await roundtable('doctor'),
    await done(start(['doctor'], wrong)),
    await done(start(['ask', question, ...choice], wrong)),
  ]
  const files = written()
  expect(files.some(file => file.includes(question))).toBe(true)
  expect(await saved()).toHaveLength(3)
  for (const text of [...outputs.flatMap(({ out, err }) => [out, err]), ...files]) {
    expect(text.includes(key) || text.includes('wrong-key-0815')).toBe(false)
  }
})

test('[T25] doctor says what answers, what does not, and how to mend it', async () => {
  const well = await roundtable('doctor')
  expect(well.code).toBe(0)
  expect(well.out).toMatch(/✓ lab +ROUNDTABLE_LAB_KEY +6 models in/)
  const env = {
    ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL},gone=http://127.0.0.1:9/v1`,
    ROUNDTABLE_LAB_KEY: 'wrong',
  }
  const ill = await done(start(['doctor'], env))
  expect(ill.code).toBe(1)
  expect(ill.out).toMatch(/→ Correct ROUNDTABLE_LAB_KEY: it must hold a key/)
  expect(ill.out).toMatch(/✗ gone +no key/)
  expect(ill.out).toContain('2 problems found.')
})

test('[T26] models lists what the endpoints list, and searches in it', async () => {
  expect((await roundtable('models')).out).toMatch(/^ m0 .*✓ lab\/m0$/m)
  const { out } = await roundtable('models', 'BROK', '--json')
  expect(JSON.parse(out)).toMatchObject([{ id: 'lab/broken' }])
})
