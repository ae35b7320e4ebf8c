import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { linesOf } from './backup.ts'

const limits = { ratio: 50, always: 10_000, line: 100_000 }

const read = async (name: string, bytes: Buffer | string): Promise<string[]> => {
  const path = join(mkdtempSync(join(tmpdir(), 'roundtable-')), name)
  writeFileSync(path, bytes)
  return Array.fromAsync(linesOf(path, limits))
}

test('[T116] a backup is read line by line, also across its chunks', async () => {
  const lines = ['short', 'é'.repeat(80_000), '', 'last']
  expect(await read('all.jsonl', lines.join('\n'))).toEqual(lines)
  expect(await read('few.jsonl.gz', gzipSync('one\ntwo\n'))).toEqual(['one', 'two'])
})

test('[T116] a small file that unpacks without bound is refused', async () => {
  const bomb = gzipSync('x\n'.repeat(500_000))
  await expect(read('all.jsonl.gz', bomb)).rejects.toThrow('unpacks to more than 50 times its size')
  await expect(read('all.jsonl', 'x'.repeat(100_001))).rejects.toThrow(
    'a line of more than 100000 characters',
  )
})
