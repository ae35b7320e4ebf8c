/** The command line with `--search`, killed after the search and resumed. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { documentSchema } from '../../src/exports/json.ts'
import { cleanEnvironment } from '../environment/clean.ts'
import { startLab } from '../lab/server.ts'
import { json, standIn } from './servers.ts'

const main = new URL('../../src/main/main.ts', import.meta.url).pathname
const results = [{ url: 'https://a.example/one', title: 'One', content: 'The bridge was closed in 2024.' }]
const searchKey = 'the-key-of-the-search'

test('[EV65] killed after the search, a session is resumed from the terminal without searching again; the key is nowhere', {
  timeout: 90_000,
}, async () => {
  const lab = await startLab({ models: { m0: {}, m1: {}, hang: { fault: 'hang' } } })
  const search = await standIn(json({ results }))
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-search-'))
  onTestFinished(async () => {
    await lab.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const start = (...words: string[]) => {
    const child = spawn(process.execPath, [main, ...words], {
      cwd: folder,
      env: {
        ...cleanEnvironment(folder),
        ROUNDTABLE_DATA: join(folder, 'data'),
        ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`,
        ROUNDTABLE_SEARCH: `searxng=${search.address}`,
        ROUNDTABLE_SEARCH_KEY: searchKey,
      },
    })
    child.stdin.end()
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  const table = [
    '--seats',
    'lab/m0,lab/m1,lab/hang',
    '--moderator',
    'none',
    '--protocol',
    'poll',
    '--deadline',
    '4',
  ]
  const first = start('ask', 'Is it safe?', '--options', 'Yes,No', ...table, '--search', 'shared', '--events')
  let seen = ''
  first.stdout.on('data', piece => {
    seen += piece
  })
  await expect.poll(() => seen, { timeout: 30_000 }).toContain('"answer-given"')
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect(seen).toContain('"evidence-found"')
  const again = start('resume', 'last', '--json')
  const [out, err] = await Promise.all([text(again.stdout), text(again.stderr)])
  const session = documentSchema.parse(JSON.parse(out))
  expect(session).toMatchObject({ outcome: 'verdict', sources: [{ title: 'One' }] })
  expect(search.received).toHaveLength(1)
  expect(JSON.stringify(search.received[0]!.headers)).toContain(searchKey)
  expect(seen + out + err).not.toContain(searchKey)
})
