import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { finished, opened, stopped, storeContract } from '../../test/contracts/store-contract.ts'
import { fileStore } from './store.ts'

const makeFolder = async (): Promise<string> => {
  const parent = await mkdtemp(join(tmpdir(), 'roundtable-store-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  return join(parent, 'sessions')
}

storeContract('file', async () => {
  const folder = await makeFolder()
  const source = JSON.stringify(new URL('store.ts', import.meta.url).href)
  return {
    store: fileStore(folder),
    again: () => fileStore(folder),
    module: `import { fileStore } from ${source}; export default fileStore(${JSON.stringify(folder)})`,
  }
})

describe('file store', () => {
  test('[S9] an incomplete last line is ignored, and the next append comes after it', async () => {
    const folder = await makeFolder()
    await fileStore(folder).append('a', [opened('a')])
    const whole = JSON.stringify({ writer: 'gone', events: [stopped(1, 'torn')] })
    for (const torn of [whole.slice(0, 30), whole]) {
      await appendFile(join(folder, 'a.jsonl'), torn)
      const store = fileStore(folder)
      const { length } = await store.read('a')
      await store.append('a', [stopped(length, 'after the crash')])
      expect(await store.read('a', length - 1)).toEqual([stopped(length, 'after the crash')])
    }
    await fileStore(folder).append('a', [finished(3)])
    expect(await fileStore(folder).read('a')).toHaveLength(4)
  })

  test('[S10] only the owner can read the folder and its files', async () => {
    const folder = await makeFolder()
    await fileStore(folder).append('a', [opened('a')])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'a.jsonl'))).mode & 0o777).toBe(0o600)
  })

  test('[S11] a damaged log gives an error that names its file, and does not hide other sessions', async () => {
    const folder = await makeFolder()
    const store = fileStore(folder)
    await store.append('good', [opened('good')])
    await store.append('bad', [opened('bad')])
    const path = join(folder, 'bad.jsonl')
    await writeFile(path, (await readFile(path, 'utf8')).replace('"position":0', '"position":7'))
    await expect(store.read('bad')).rejects.toThrow(/bad\.jsonl is damaged: event 0/)
    expect((await store.list()).map(session => session.id)).toEqual(['good'])
  })
})
