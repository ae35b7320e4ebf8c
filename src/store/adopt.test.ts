import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { adoptFiles } from './adopt.ts'
import { finished, opened, stopped } from './contract.ts'
import { fileStore } from './files.ts'
import { memoryStore } from './memory.ts'

test('[S27] sessions in files are taken over once, whole, and the files are kept aside', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roundtable-files-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const files = fileStore(folder)
  await files.append('a', [opened('a'), stopped(1)])
  await files.append('b', [opened('b'), finished(1)])
  await writeFile(join(folder, 'damaged.jsonl'), 'nothing\n')
  const archive = memoryStore()
  await archive.append('a', [opened('a')])
  expect(await adoptFiles(folder, archive)).toBe(2)
  expect(await archive.read('a')).toEqual([opened('a'), stopped(1)])
  expect(await archive.read('b')).toEqual([opened('b'), finished(1)])
  expect(await readdir(folder)).toEqual(['adopted', 'damaged.jsonl'])
  expect((await readdir(join(folder, 'adopted'))).sort()).toEqual(['a.jsonl', 'b.jsonl'])
  expect(await adoptFiles(folder, archive)).toBe(0)
})
