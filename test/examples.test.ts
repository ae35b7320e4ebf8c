/** The examples are programs that run, not text that was once true. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lab, startLab } from './lab/server.ts'
import { startSetup } from './server/setup.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const run = async (example: string, ...words: string[]): Promise<string> => {
  const flags = ['--conditions=roundtable-source', `examples/${example}.ts`, ...words]
  return (await promisify(execFile)(process.execPath, flags)).stdout
}

const models = ['model-a', 'model-b', 'model-c']

test('[Z260] both reference questions run as examples: six letters as a book, and a debate with verdict and report', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roundtable-'))
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map(letter => `model-${letter}`)
  const [letters, debate] = await Promise.all([
    run('letters', lab.baseURL, join(folder, 'book'), ...six),
    run('debate', lab.baseURL, join(folder, 'debate'), ...six),
  ])
  expect(letters.match(/^\d\. model-[a-f]: /gm)).toHaveLength(6)
  expect(letters).toContain('The common thread: ')
  const page = readFileSync(join(folder, 'book.html'), 'utf8')
  expect(page.match(/<article id="letter-/g)).toHaveLength(6)
  expect(page).toContain('Reading order')
  expect(readFileSync(join(folder, 'book.md'), 'utf8')).toContain('## The common thread')
  expect(debate).toMatch(/models? agreed|Tie/)
  expect(readFileSync(join(folder, 'debate.md'), 'utf8')).toContain('## Final summary')
})

test('[L8] every example runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roundtable-'))
  const transcript = join(folder, 'session.txt')
  writeFileSync(
    transcript,
    'AI Roundtable Open Poll · 1 model\nWhy?\nAnswer: So. (The only model answered)\nModel Responses\nOne\nAnswer: So.\nBecause.\nFinal Summary\nThat is it.\nThe only model answered',
  )
  const { address } = await startSetup()
  const [asked, scripted, stopped, exported, overHttp, ownProtocol] = await Promise.all([
    run('ask', lab.baseURL, ...models),
    run('scripted'),
    run('stop', lab.baseURL, ...models),
    run('export', transcript, 'markdown'),
    run('http', address, 'lab/a', 'lab/b', 'lab/c'),
    run('protocol'),
  ])
  expect(asked).toMatch(/models? agreed|Tie/)
  expect(ownProtocol).toBe('2 rounds: 2 of 3 models agreed\n')
  expect(scripted).toBe('2 of 3 models agreed\n')
  expect(stopped).toMatch(/^verdict – /m)
  expect(exported).toContain('# AI Roundtable Open Poll')
  expect(overHttp).toMatch(/^s3: .+\n(?:.*\n)*.*(models? agreed|Tie)/m)
})
