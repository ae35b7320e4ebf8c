/** Resolving sessions, the record that comes of it, and checked transcripts, as commands. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { keepArchive } from '../../test/keep-archive.ts'
import { type Lab, startLab } from '../../test/lab/server.ts'
import { sampleLog } from '../../test/sample-session.ts'
import { transcript } from '../../test/sample-transcript.ts'
import type { SessionEvent } from '../core/event.ts'
import type { SessionOpened } from '../core/opening.ts'
import type { TrackRecord } from '../count/track-record.ts'
import { exporterNamed } from '../exports/index.ts'
import type { SessionDocument } from '../exports/json.ts'
import { run } from '../main/program.ts'
import { type Shell, widthOf } from './terminal.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({
    handler: ({ body }) => {
      const name = body.response_format?.json_schema?.name
      if (name === 'positions') return { A: 'tea', B: 'coffee' }
      if (name === 'change') return { says: 'held', quote: 'I keep my view' }
      const choice = body.model === 'm0' ? 'No' : 'Yes'
      return { headline: choice, choice, reasoning: 'So.', confidence: 0.8 }
    },
  })
})
afterAll(() => lab.stop())

let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-record-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await keepArchive(join(folder, 'data'))
})

const roundtable = async (...words: string[]) => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  streams.stdin.end()
  const shell: Shell = {
    ...streams,
    env: {
      ROUNDTABLE_DATA: join(folder, 'data'),
      ROUNDTABLE_CACHE: folder,
      ROUNDTABLE_LOCAL: 'no',
      ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`,
      XDG_CONFIG_HOME: folder,
    },
    cwd: folder,
    clock: Date.now,
    onInterrupt: () => () => {},
    quit() {},
  }
  const code = await run(words, shell)
  const text = (stream: PassThrough): string => String(stream.read() ?? '')
  return { code, out: text(streams.stdout), err: text(streams.stderr) }
}

const importSample = (): Promise<unknown> => {
  writeFileSync(join(folder, 'sample.json'), exporterNamed('json').write(sampleLog))
  return roundtable('import', 'sample.json')
}

test('[T72] resolve records the right answer, and refuses one that is not an answer', async () => {
  await importSample()
  expect((await roundtable('resolve', 'last', 'maybe')).err).toContain('give one of Yes, No')
  const { code, out } = await roundtable('resolve', 'last', 'no')
  expect(code).toBe(0)
  expect(out).toContain(
    'the right answer is No. Right at the end: GLM 4.7, Gemini 3.5 Flash, Claude Sonnet 4.6.',
  )
  expect((await roundtable('show', 'last')).out).toContain('Right answer: No')
})

test('[T130] kind corrects what kind of question it is, and no answer to a matter of taste is right', async () => {
  await importSample()
  await roundtable('resolve', 'last', 'No')
  expect(await roundtable('kind', 'last', 'colour')).toMatchObject({
    code: 2,
    err: expect.stringContaining('give one of fact, estimate, judgement, taste, text'),
  })
  expect((await roundtable('kind', 'last', 'text')).err).toContain("can't be of the kind text")
  const { code, out } = await roundtable('kind', 'last', 'taste')
  expect(code).toBe(0)
  expect(out).toContain(
    'A matter of taste: no answer is right, so read the positions. (Chosen by the asker.)',
  )
  const shown = (await roundtable('show', 'last')).out
  expect(shown).toContain('A matter of taste')
  expect(shown).not.toContain('Right answer')
  expect((await roundtable('resolve', 'last', 'Yes')).err).toContain('matter of taste')
  expect(JSON.parse((await roundtable('stats', '--json')).out)).toMatchObject({ sessions: 1, resolved: 0 })
})

test('[T72] the right answer can be corrected, and stats follow', async () => {
  await importSample()
  await roundtable('resolve', 'last', 'No')
  await roundtable('resolve', 'last', 'Yes')
  const record: TrackRecord = JSON.parse((await roundtable('stats', '--json')).out)
  expect(record).toMatchObject({ sessions: 1, resolved: 1 })
  expect(record.models.find(({ model }) => model === 'lab/m0')).toMatchObject({
    sealed: { right: 1, of: 1 },
    final: { right: 0, of: 1 },
    rightToWrong: 1,
  })
})

test('[T71] stats prints tables within 80 columns', async () => {
  await importSample()
  expect((await roundtable('stats')).out).toContain('No session is resolved yet')
  await roundtable('resolve', 'last', 'No')
  const { out } = await roundtable('stats')
  expect(out).toContain('Track record · 1 session, 1 resolved')
  for (const line of out.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80)
})

test('[T73] import --check shows what a transcript claims beside what its texts say; so do show and check', async () => {
  writeFileSync(join(folder, 'debate.txt'), transcript)
  const { code, out } = await roundtable('import', 'debate.txt', '--check', '--moderator', 'lab/moderator')
  expect(code).toBe(0)
  const shown = [
    '── Claimed and computed · read by lab/moderator',
    '✗ Agreement: claimed “All 2 models agreed”; computed “Tie: 1 for tea, 1 for coffee”',
    '✗ Ada 2: claimed “changed its mind”; computed “says it held its position”',
    '✓ Bell 7B: claimed “no change”; computed “says it held its position”',
    '“I keep my view”',
  ]
  const flat = (text: string): string => text.replace(/\s+/g, ' ')
  for (const part of shown) expect(flat(out)).toContain(part)
  for (const part of shown) expect(flat((await roundtable('show', 'last')).out)).toContain(part)
  const again = await roundtable('check', 'last', '--moderator', 'lab/moderator')
  expect(flat(again.out)).toContain(shown[1])
  expect((await roundtable('export', 'last', '--format', 'transcript')).out).toBe(transcript)
})

test("[T73] if a session can't be checked, one line says why, and nothing is half saved", async () => {
  writeFileSync(join(folder, 'sample.json'), exporterNamed('json').write(sampleLog))
  expect((await roundtable('import', 'sample.json', '--check')).err).toContain("isn't a transcript")
  expect((await roundtable('sessions')).out).toContain('No sessions are saved yet')
  writeFileSync(join(folder, 'debate.txt'), transcript)
  expect((await roundtable('import', 'debate.txt', '--moderator', 'lab/x')).err).toContain('needs --check')
  await roundtable('import', 'debate.txt')
  expect((await roundtable('check', 'last')).err).toContain('Name one with --moderator')
})

test('[T74] ask --record opens a session with the record of saved sessions, and the log keeps what it knew', async () => {
  await importSample()
  await roundtable('resolve', 'last', 'Yes')
  const seats = [
    'ask',
    'Build?',
    '--seats',
    'lab/m0,lab/m1,lab/m2',
    '--options',
    'Yes,No',
    '--protocol',
    'poll',
  ]
  const opening = async (...more: string[]): Promise<SessionEvent & SessionOpened> => {
    const { out } = await roundtable(...seats, '--json', ...more)
    return (JSON.parse(out) as SessionDocument).events[0] as SessionEvent & SessionOpened
  }
  expect((await opening('--record')).record).toMatchObject({ 'lab/m0': { right: 1, of: 1 } })
  expect(await opening()).not.toHaveProperty('record')
  await roundtable(...seats, '--record', '--repeat', '2')
  const { out } = await roundtable('show', 'last', '--json')
  expect((JSON.parse(out) as SessionDocument).events[0]).toMatchObject({ record: { 'lab/m0': { of: 1 } } })
})
