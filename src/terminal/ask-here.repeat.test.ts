import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { keepArchive } from '../../test/keep-archive.ts'
import { defaultHandler } from '../../test/lab/answers.ts'
import type { RecordedCall } from '../../test/lab/call.ts'
import { type Lab, startLab } from '../../test/lab/server.ts'
import { run } from '../main/program.ts'
import { memoryStore } from '../store/memory.ts'
import type { AskInput } from '../table/ask.ts'
import { reachOf } from '../table/reach.ts'
import { openingOf } from '../table/resolve.ts'
import { repeatSession } from './ask-here.ts'

let folder = ''
let lab: Lab | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-repeat-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await keepArchive(join(folder, 'data'))
})
afterEach(() => lab?.stop())

/** What a seat says in each run, by the run's number. */
const begin = async (says: (model: string, number: number) => Record<string, unknown>): Promise<void> => {
  const counts = new Map<string, number>()
  const moderator = defaultHandler()
  lab = await startLab({
    handler: (call: RecordedCall) => {
      const { model } = call.body
      if (model === 'moderator') return moderator(call)
      counts.set(model, (counts.get(model) ?? 0) + 1)
      return { reasoning: 'Because of what is known.', confidence: 0.8, ...says(model, counts.get(model)!) }
    },
  })
}

const shellFor = (env: Record<string, string>) => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const surroundings = { env, cwd: folder, clock: Date.now, onInterrupt: () => () => {}, quit() {} }
  return { ...streams, ...surroundings }
}

const roundtable = async (...words: readonly string[]) => {
  const env = {
    ROUNDTABLE_ENDPOINTS: `lab=${lab?.baseURL}`,
    ROUNDTABLE_DATA: join(folder, 'data'),
    ROUNDTABLE_LOCAL: 'no',
    XDG_CONFIG_HOME: folder,
  }
  const shell = shellFor(env)
  const code = await run(words, shell)
  return { code, out: String(shell.stdout.read() ?? ''), err: String(shell.stderr.read() ?? '') }
}

/** The same without a database: one test goes all the way, and making an archive takes seconds. */
const repeated = async (times: string, input: Partial<AskInput>) => {
  const shell = shellFor({})
  const reach = reachOf({ endpoints: [{ id: 'lab', baseURL: lab!.baseURL }], env: {} })
  const seats = ['lab/m0', 'lab/m1', 'lab/m2']
  const wish = {
    question: 'Should a small team start early?',
    seats,
    protocol: 'poll',
    moderator: null,
    ...input,
  }
  const code = await repeatSession(
    reach,
    openingOf(wish, 'x', reach),
    times,
    { json: true },
    memoryStore(),
    shell,
  )
  return { code, found: JSON.parse(String(shell.stdout.read())) }
}

const table = ['--seats', 'lab/m0,lab/m1,lab/m2', '--protocol', 'poll', '--seed', 'x', '--moderator', 'none']
const ask = (...more: readonly string[]) =>
  roundtable('ask', 'Should a small team start early?', ...table, ...more)

/** Three of five runs come to Yes, one to No, and in the last one two seats say nothing that can be used. */
const choices = (model: string, number: number): Record<string, unknown> => {
  if (number > 4 && model !== 'm0') return { choice: 'Perhaps' }
  const yes = number < 4 ? model !== 'm2' || number === 1 : model === 'm0'
  return { headline: yes ? 'So it is.' : 'Not so.', choice: yes ? 'Yes' : 'No' }
}

test('[T60] --repeat asks the same table with other seeds, saves all sessions under a tag, and counts', async () => {
  await begin(choices)
  const { code, out } = await ask('--options', 'Yes,No', '--repeat', '5')
  expect(code).toBe(3)
  expect(out).toMatch(/^Run 1 of 5 \(\S+\): Yes · 3 of 3 · 0 changes of mind$/m)
  expect(out).toMatch(/^Run 5 of 5 \(\S+\): no answer led · 1 of 3 · 0 changes of mind$/m)
  expect(out).toMatch(/Stability over 5 runs/)
  expect(out).toMatch(/^ 3 of 5 +23% to 88% +Yes$/m)
  expect(out).toMatch(/^ 1 of 5 +4% to 62% +No$/m)
  expect(out).toMatch(/same answer in 30% of\s+all pairs/)
  const tag = /--tag (\S+)/.exec(out)![1]!
  const saved = JSON.parse((await roundtable('sessions', '--tag', tag, '--json')).out)
  expect(saved).toHaveLength(5)
  const seeds = lab!.calls.filter(call => call.body.model === 'm0').map(call => call.body.seed)
  expect(new Set(seeds).size).toBe(5)
}, 90_000)

test('[B58] open answers of several runs are grouped by the moderator as seats are', async () => {
  const words = ['Yes, begin.', 'Yes, begin.', 'No, wait.']
  await begin((_, number) => ({ headline: words[number - 1] }))
  const { code, found } = await repeated('3', { moderator: 'lab/moderator' })
  expect(code).toBe(0)
  expect(found).toMatchObject({
    asked: 3,
    comparedBy: 'moderator',
    leaders: [
      { answer: 'Yes, begin.', runs: 2 },
      { answer: 'No, wait.', runs: 1 },
    ],
    sameTwice: 1 / 3,
  })
  const grouped = lab!.calls.filter(call => JSON.stringify(call.body).includes('No, wait.'))
  expect(
    grouped.some(({ body }) => body.model === 'moderator' && JSON.stringify(body).includes('Yes, begin.')),
  ).toBe(true)
})

test('[T63] a cap is over all runs together, and the last one is left out of the count', async () => {
  await begin(choices)
  const { code, found } = await repeated('5', {
    format: 'choice',
    options: ['Yes', 'No'],
    budget: { tokens: 3_200 },
  })
  expect(code).toBe(4)
  expect(found.runs.length).toBeGreaterThan(0)
  expect(found.runs.length).toBeLessThan(4)
})

test.each([
  [['--repeat', '1'], /--repeat 1: give a number of at least 2/],
  [['--repeat', '3', '--out', 'x.md'], /--repeat makes several sessions: use --json/],
  [['--repeat', '3', '--rounds', '2'], /The protocol poll has no open rounds/],
])('[T64] %j is told before anybody is asked', async (words, message) => {
  await begin(choices)
  const { code, out, err } = await ask(...words)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(message)
  expect(lab!.calls).toEqual([])
})

test('[T121] runs have the same number if their medians count as the same, and texts are not repeated', async () => {
  await begin((_, number) => ({ headline: 'It is.', number: [80, 100, 5_000][number - 1] }))
  const { found } = await repeated('3', { scale: 'log' })
  expect(found.leaders.map(({ runs }: { runs: number }) => runs)).toEqual([2, 1])
  await expect(repeated('2', { length: 100 })).rejects.toThrow('texts are no vote')
})
