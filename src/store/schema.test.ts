import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrating, migrationsFolder } from './schema.ts'

/** An archive remembers a migration by its time. One that is renamed, and with it timed anew, would be made twice. */
const made = {
  '0000_first': 1794783256765,
  '0001_tries': 1794787606341,
  '0002_search': 1794797508714,
  '0003_whole_words': 1794820055519,
  '0004_thread': 1794944289390,
  '0005_books': 1794949195049,
  '0006_files': 1794954978409,
  '0007_accounts': 1794966621526,
  '0008_ledger': 1794967036376,
  '0009_sealed_books': 1795134746909,
}

test('[S378] a migration keeps its name, its place and its time: a new one is added to this list', () => {
  const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta', '_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly tag: string; readonly when: number }[]
  }
  expect(Object.fromEntries(journal.entries.map(({ tag, when }) => [tag, when]))).toEqual(made)
  const files = readdirSync(migrationsFolder).filter(name => name.endsWith('.sql'))
  expect(files.sort()).toEqual(Object.keys(made).map(name => `${name}.sql`))
})

test('[S379] a migration that fails says what to do; a broken connection is told as what it is', async () => {
  const failing = (code: string) => async () => {
    const cause = Object.assign(new Error('column "book" exists'), { code })
    throw new Error('Failed query: ALTER TABLE', { cause })
  }
  await expect(migrating(failing('42701'))).rejects.toThrow(
    /column "book" exists. Nothing was changed. Make a backup/,
  )
  await expect(migrating(failing('57P01'))).rejects.toThrow('Failed query')
})
