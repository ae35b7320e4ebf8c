/** The examples are programs that run, not text that was once true. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
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
