import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { keepArchive } from '../../test/keep-archive.ts'
import { sampleLog } from '../../test/sample-session.ts'
import { exporterNamed } from '../exports/index.ts'
import { exitCodeOf } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/terminal.ts'
import { run } from './program.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

interface Done {
  readonly code: number
  readonly out: string
  readonly err: string
}

const roundtable = async (...words: string[]): Promise<Done> => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  streams.stdin.end()
  const shell: Shell = {
    ...streams,
    env: {
      ROUNDTABLE_DATA: join(folder, 'data'),
      ROUNDTABLE_CACHE: folder,
      ROUNDTABLE_LOCAL: 'no',
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

const sampleFile = (): string => {
  const path = join(folder, 'sample.json')
  writeFileSync(path, exporterNamed('json').write(sampleLog))
  return path
}

describe('usage', () => {
  test.each([
    [['ask', 'Why?', '--seats', 'lab/a', '--rounds', '9'], /--rounds 9: give a number from 0 to 4/],
    [
      ['ask', 'Why?'],
      /isn't downloaded without your consent.*set a key.*ROUNDTABLE_ENDPOINTS.*--yes.*roundtable tour/,
    ],
    [['ask', 'Why?', '--seats', 'Claude Sonnet 4.6'], /needs ANTHROPIC_API_KEY, or OPENROUTER_API_KEY/],
    [['ask', 'Why?', '--seats', 'Claude Sonet 4.6'], /The nearest names are Claude Sonnet 4\.6/],
    [['ask', 'Why?', '--lineup', 'fast'], /nobody to seat\. \d seats are empty\. \w+_API_KEY/],
    [['ask', 'Why?', '--seats', 'lab/a'], /no model has that name\..*ROUNDTABLE_ENDPOINTS/],
    [['ask', 'Why?', '--lineup', 'duo'], /There is no line-up "duo"/],
    [
      ['ask', 'Why?', '--seats', 'a/b', '--attach', 'nothing.txt'],
      /--attach nothing\.txt can't be read: there is no such file\.$/m,
    ],
    [['ask', 'Why?', '--protocol', 'duel'], /Allowed choices are/],
    [['ask', 'Why?', '--sets', 'a'], /Did you mean --seats/],
    [['frobnicate'], /unknown command/],
    [['show', 'nobody'], /No sessions are saved yet/],
    [['import', 'nothing.json'], /nothing\.json can't be read: there is no such file\.$/m],
    [['export', 'last', '--format', 'pdf'], /Allowed choices are json/],
  ])('[T7] [T177] %j gives one plain line that says what to do, and exit code 2', async (words, message) => {
    await keepArchive(join(folder, 'data'))
    const { code, out, err } = await roundtable(...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(message)
    expect(err).toMatch(/^roundtable: /m)
    expect(err).not.toMatch(/^\s+at /m)
  })

  test('[T7] --verbose adds the stack trace', async () => {
    await keepArchive(join(folder, 'data'))
    expect((await roundtable('show', 'nobody', '--verbose')).err).toMatch(/^\s+at /m)
  })

  test('[T8] the exit code says how a session ended', () => {
    expect(exitCodeOf('verdict')).toBe(0)
    expect(exitCodeOf('no-quorum')).toBe(3)
    expect(exitCodeOf('budget')).toBe(4)
    expect(exitCodeOf('interrupted')).toBe(130)
  })
})

describe('saved sessions', () => {
  beforeEach(async () => {
    await keepArchive(join(folder, 'data'))
  })

  test('[T30] a session is named by its id, the beginning of one, "last", or a file', async () => {
    const path = sampleFile()
    expect((await roundtable('import', path)).code).toBe(0)
    const shown = await Promise.all(
      ['20260102-sample', '2026', 'last', path, 'sample.json'].map(name => roundtable('show', name)),
    )
    for (const { code, out } of shown) {
      expect(code).toBe(0)
      expect(out).toContain('A hot dog is not a sandwich.')
    }
    expect((await roundtable('show', 'other')).err).toContain('There is no session "other", and no such file')
  })

  test('[T30] the beginning of two ids is refused', async () => {
    const text = readFileSync(sampleFile(), 'utf8')
    for (const id of ['20260102-one', '20260102-two']) {
      writeFileSync(join(folder, 'x.json'), text.replaceAll('20260102-sample', id))
      await roundtable('import', 'x.json')
    }
    const { code, err } = await roundtable('show', '2026')
    expect(code).toBe(2)
    expect(err).toContain('"2026" matches 2 sessions: 20260102-two, 20260102-one')
  })

  test('[T31] export writes exactly the document, to a pipe and to a file', async () => {
    const path = sampleFile()
    for (const id of ['json', 'markdown', 'html', 'transcript']) {
      const { out } = await roundtable('export', path, '--format', id)
      expect(out).toBe(exporterNamed(id).write(sampleLog))
    }
    await roundtable('export', path, '--out', 'out.md')
    expect(readFileSync(join(folder, 'out.md'), 'utf8')).toBe(exporterNamed('markdown').write(sampleLog))
  })

  test('[T31] a file name that implies no format is refused before anything is written', async () => {
    const { code, err } = await roundtable('export', sampleFile(), '--out', 'out.pdf')
    expect(code).toBe(2)
    expect(err).toMatch(/\.json, \.md, \.html, \.txt/)
    expect(readdirSync(folder)).not.toContain('out.pdf')
  })

  test('[T32] a session can be imported only once', async () => {
    const path = sampleFile()
    await roundtable('import', path)
    const { code, err } = await roundtable('import', path)
    expect(code).toBe(2)
    expect(err).toContain('Session 20260102-sample is already saved')
  })

  test('[T33] show without a session lists what is saved', async () => {
    await roundtable('import', sampleFile())
    const { out } = await roundtable('show')
    expect(out).toContain('20260102-sample')
    expect(out).toContain('Is a hot dog a sandwich?')
    expect(out).toContain('No majority: 3 for No, 1 for Yes')
  })

  test('[T34] replay plays back a saved session as if it were live', async () => {
    const { code, out } = await roundtable('replay', sampleFile(), '--speed', '10000')
    expect(code).toBe(0)
    expect(out).toContain('A GLM 4.7 changed its mind: error found')
    expect(out).toContain('A hot dog is not a sandwich.')
  })
})

describe('the archive', () => {
  test('[T50] sessions and search list the saved sessions that match the filters', async () => {
    await keepArchive(join(folder, 'data'))
    await roundtable('import', sampleFile())
    for (const words of [
      ['sessions'],
      ['sessions', '--since', '2026-01-01', '--protocol', 'hybrid'],
      ['search', 'hot', 'DOG'],
    ])
      expect((await roundtable(...words)).out).toContain('20260102-sample')
    for (const words of [
      ['sessions', '--before', '2026-01-01'],
      ['sessions', '--tag', 'x'],
      ['search', 'zeppelin'],
    ])
      expect((await roundtable(...words)).out).toContain('No saved session matches.')
    expect(JSON.parse((await roundtable('search', 'sandwich', '--json')).out)).toMatchObject([
      { id: '20260102-sample', protocol: 'hybrid' },
    ])
  })

  test('[T51] delete removes a session permanently', async () => {
    await keepArchive(join(folder, 'data'))
    await roundtable('import', sampleFile())
    expect((await roundtable('delete', 'last')).out).toBe('Deleted 20260102-sample.\n')
    expect((await roundtable('sessions')).out).toContain('No sessions are saved yet')
    expect((await roundtable('delete', 'last')).code).toBe(2)
  })

  test.each(['all.jsonl', 'all.jsonl.gz'])(
    '[T52] backup writes %s, and restore reads it; it overwrites only with --overwrite',
    async name => {
      const kept = await keepArchive(join(folder, 'data'))
      await roundtable('import', sampleFile())
      const before = (await roundtable('export', 'last', '--format', 'json')).out
      expect((await roundtable('backup', name)).code).toBe(0)
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
      expect((await roundtable('backup', name)).err).toContain('already exists')
      expect((await roundtable('restore', name)).err).toContain('Replace it with --overwrite')
      expect((await roundtable('restore', name, '--overwrite')).out).toContain('Restored 1 session')
      await kept.close()
      await keepArchive(join(folder, 'data'))
      expect((await roundtable('restore', name)).code).toBe(0)
      expect((await roundtable('export', 'last', '--format', 'json')).out).toBe(before)
      writeFileSync(join(folder, name), 'nothing')
      expect((await roundtable('restore', name)).code).not.toBe(0)
      expect((await roundtable('restore', 'nobody.gz')).code).toBe(2)
    },
  )
})

test('[T35] the tour runs without a key or network, and is labelled as scripted', async () => {
  await keepArchive(join(folder, 'data'))
  const { code, out } = await roundtable('tour')
  expect(code).toBe(0)
  expect(out).toContain('Scripted: the replies of all seats were written in advance, not by a model.')
  expect(out).toMatch(/── Verdict · /)
  expect((await roundtable('show', 'last')).out).toContain('! scripted seats')
})
