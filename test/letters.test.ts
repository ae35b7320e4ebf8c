/** Books of letters through the command line, with a lab of models. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { run } from '../src/main/program.ts'
import { keepArchive } from './keep-archive.ts'
import { defaultHandler } from './lab/answers.ts'
import type { RecordedCall } from './lab/call.ts'
import type { LabOptions } from './lab/options.ts'
import { type Lab, startLab } from './lab/server.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-letters-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const labOf = async (options: LabOptions = {}): Promise<Lab> => {
  const lab = await startLab(options)
  onTestFinished(() => lab.stop())
  return lab
}

const shellFor =
  (lab: Lab) =>
  async (...words: string[]) => {
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
    streams.stdin.end()
    const code = await run(words, {
      ...streams,
      env: {
        ...{ ROUNDTABLE_DATA: join(folder, 'data'), ROUNDTABLE_CACHE: folder, ROUNDTABLE_LOCAL: 'no' },
        ...{ XDG_CONFIG_HOME: folder, ROUNDTABLE_TRUST: folder, ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` },
      },
      ...{ cwd: folder, clock: Date.now, onInterrupt: () => () => {}, quit() {} },
    })
    const text = (stream: PassThrough): string => String(stream.read() ?? '')
    return { code, out: text(streams.stdout), err: text(streams.stderr) }
  }

const letter = /These words are of|a small team should|A small start keeps/
const seats = ['--seats', 'lab/a,lab/b,lab/c', '--moderator', 'lab/m']
const promptOf = ({ body }: RecordedCall): string => body.messages.map(({ content }) => content).join('\n')

test('[T260] a book is asked for, listed, shown and exported', async () => {
  await keepArchive(join(folder, 'data'))
  const roundtable = shellFor(await labOf())
  expect((await roundtable('letters', 'list')).out).toContain('There are no books of letters yet')
  expect((await roundtable('letters', 'show', 'last')).err).toContain('There are no books of letters yet')
  const asked = await roundtable('letters', 'ask', ...seats, '--about', 'tides', '--words', '60')
  expect(asked).toMatchObject({ code: 0, out: expect.stringMatching(letter) })
  expect((await roundtable('letters', 'list')).out).toContain('lab/a, lab/b, lab/c')
  const shown = (await roundtable('letters', 'show', 'last')).out
  expect(shown).toMatch(/── 1 · a ─[\s\S]*These words are of a alone[\s\S]*── The common thread/)
  expect(
    await roundtable('letters', 'export', 'last', '--format', 'html', '--out', 'book.html'),
  ).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'book.html'), 'utf8').match(/<article id="letter-/g)).toHaveLength(3)
  expect((await roundtable('letters', 'export', 'last')).out).toContain('## Reading order')
})

test('[T261] the seats of a resolved session write notes, and a table reads them', async () => {
  await keepArchive(join(folder, 'data'))
  const lab = await labOf()
  const roundtable = shellFor(lab)
  const question = ['ask', 'Is 91 a prime?', '--options', 'Yes,No', '--protocol', 'poll', ...seats]
  await roundtable(...question)
  expect((await roundtable('letters', 'lesson', 'last')).err).toContain("isn't resolved")
  await roundtable('resolve', 'last', 'No')
  const before = lab.calls.length
  const lesson = await roundtable('letters', 'lesson', 'last')
  expect(lesson.code).toBe(0)
  const prompts = lab.calls.slice(before).map(promptOf)
  expect(
    prompts.filter(text => /you were participant [123]\. Your first answer was (right|wrong)/.test(text)),
  ).toHaveLength(3)
  expect(prompts[0]).toContain('Is 91 a prime?')
  expect((await roundtable('letters', 'list')).out).toContain('lab/a, lab/b, lab/c')
  const read = lab.calls.length
  await roundtable(...question, '--letters', 'last')
  const reading = lab.calls.slice(read).map(promptOf)
  expect(reading.filter(text => text.includes('letters that models before you wrote'))).toHaveLength(3)
  expect((await roundtable(...question, '--letters', 'nothing')).err).toMatch(/There is no session "nothing"/)
})

test('[T262] doctor names a model that is about to be retired, its successor, and the command that asks for its letter', async () => {
  const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const lab = await labOf({ models: { 'tide-1': { shutdown_date: soon }, 'tide-2': {} } })
  writeFileSync(
    join(folder, 'roundtable.config.json'),
    JSON.stringify({ lineups: { sea: ['lab/tide-1', 'lab/tide-2'] } }),
  )
  const { out } = await shellFor(lab)('doctor')
  expect(out.replace(/\s+/g, ' ')).toContain(
    `tide-1 turned off on ${soon}; tide-2 comes after it; it sits at sea`,
  )
  expect(out).toContain('letters ask --seats "lab/tide-1"')
})

test('[B260] a bench with letters asks every question with and without them, and compares the two', async () => {
  await keepArchive(join(folder, 'data'))
  const usual = defaultHandler()
  /** Whoever has read the letters is right, and whoever hasn't is wrong. */
  const handler = (call: RecordedCall) => {
    const reply = usual(call)
    if (typeof reply !== 'object' || !('choice' in reply)) return reply
    const choice = promptOf(call).includes('letters that models before you wrote') ? 'Left' : 'Right'
    return { ...reply, choice, headline: `It is ${choice}.` }
  }
  const roundtable = shellFor(await labOf({ handler }))
  await roundtable('letters', 'ask', ...seats)
  const lines = Array.from({ length: 6 }, (_, index) =>
    JSON.stringify({
      id: `q${index}`,
      question: `Where is mark ${index}?`,
      options: ['Left', 'Right'],
      gold: 'Left',
    }),
  )
  writeFileSync(join(folder, 'marks.jsonl'), lines.join('\n'))
  const bench = [
    'bench',
    'live',
    'marks.jsonl',
    '--seats',
    'lab/a,lab/b,lab/c',
    '--protocols',
    'poll',
    '--dev',
    '1',
  ]
  const { code, out } = await roundtable(...bench, '--letters', 'last', '--run', 'run', '--json')
  expect(code).toBe(0)
  const { compared } = JSON.parse(out)
  expect(compared.find(({ method }: { method: string }) => method === 'Sealed majority')).toMatchObject({
    ...{ questions: 5, first: 1, second: 0, difference: 1, won: 5, lost: 0 },
  })
  const told = (await roundtable(...bench, '--letters', 'last', '--run', 'run')).out
  expect(told).toMatch(/Way +Letters +None +Points/)
  expect((await roundtable(...bench, '--letters', 'last', '--form', 'both')).err).toContain(
    '--letters compares two runs',
  )
})
