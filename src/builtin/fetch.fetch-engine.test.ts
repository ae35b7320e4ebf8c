import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { lockFolder } from '../store/folder-lock.ts'
import {
  engineFolder,
  enginePackages,
  ensureEngine,
  hasEngine,
  type LockedPackage,
  modelCondition,
  nativeBuildFor,
  nativeBuilds,
  removeEngine,
  thisPlatform,
} from './fetch.ts'
import { floor } from './provider.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'engine-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})
const cache = () => ({ folder: join(home, 'models'), lock: lockFolder })
const yes = { consent: async () => true }
const lockOf = (os: string, cpu: string) =>
  enginePackages({ os, cpu }).lock as { packages: Record<string, LockedPackage> }

test.each(Object.entries(nativeBuilds))(
  '[D320] %s gets the one build %s, and no other',
  (platform, build) => {
    const [os, cpu] = platform.split('-') as [string, string]
    expect(nativeBuildFor({ os, cpu })).toBe(build)
    const builds = Object.keys(lockOf(os, cpu).packages).filter(path => path.includes('/@node-llama-cpp/'))
    expect(builds).toEqual([`node_modules/${build}`])
  },
)

test('[D320] without a build for the platform, the error says so and what to use instead', () => {
  expect(() => nativeBuildFor({ os: 'aix', cpu: 'ppc64' })).toThrow(/don't run on aix ppc64. .*Ollama/)
  expect(() => nativeBuildFor({ os: 'linux', cpu: 'x64', musl: true })).toThrow(/without glibc/)
  expect(thisPlatform()).toMatchObject({ os: process.platform, cpu: process.arch })
})

test('[D321] every package of the engine has an exact version and a checksum', () => {
  const { '': own, ...packages } = lockOf('linux', 'x64').packages
  expect(own).toBeDefined()
  expect(Object.keys(packages).length).toBeGreaterThan(50)
  for (const { version, integrity } of Object.values(packages)) {
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
    expect(integrity).toMatch(/^sha512-/)
  }
})

/** A registry that has every package of the engine under its right name and version, with other bytes. */
const falseRegistry = async (): Promise<string> => {
  const { packages } = lockOf(process.platform, process.arch)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    if (path.endsWith('.tgz')) return response.end('other bytes')
    const found = Object.entries(packages).find(([place]) => place.endsWith(`node_modules/${path}`))
    const version = found?.[1].version ?? '0.0.0'
    const dist = { tarball: `http://${request.headers.host}/package.tgz` }
    response.setHeader('content-type', 'application/json')
    return response.end(
      JSON.stringify({
        name: path,
        'dist-tags': { latest: version },
        versions: { [version]: { name: path, version, dist } },
      }),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('[D321] packages with other bytes are refused, and nothing is left of them', async () => {
  vi.stubEnv('npm_config_registry', await falseRegistry())
  vi.stubEnv('npm_config_cache', join(home, 'npm'))
  await expect(ensureEngine(cache(), yes)).rejects.toThrow(
    /The engine node-llama-cpp couldn't be downloaded: .*(integrity|EINTEGRITY|sha512)/i,
  )
  expect(readdirSync(join(home, 'engine'))).toEqual([])
})

test('[D322] the engine is not downloaded without consent', async () => {
  await expect(ensureEngine(cache(), { consent: async () => false })).rejects.toMatchObject({
    kind: 'no-consent',
    message: expect.stringMatching(/needs an engine .* To agree, set ROUNDTABLE_HOUSE=yes/),
  })
  expect(readdirSync(home)).toEqual([])
})

test('[D322] if the registry cannot be reached, the error says so and nothing is left', async () => {
  await expect(ensureEngine(cache(), yes)).rejects.toThrow(/ECONNREFUSED.*npm ping/)
  expect(readdirSync(join(home, 'engine'))).toEqual([])
})

test('[D323] an engine that is there is used, and weights without one count as absent', async () => {
  const folder = engineFolder(cache())
  expect(hasEngine(cache())).toBe(false)
  mkdirSync(join(folder, 'node_modules', 'node-llama-cpp'), { recursive: true })
  expect(await ensureEngine(cache(), { consent: () => Promise.reject(new Error('asked')) })).toBe(folder)
  expect(await modelCondition(cache(), floor)).toBe('absent')
  expect([await removeEngine(cache()), existsSync(folder), await removeEngine(cache())]).toEqual([
    ...[true, false, false],
  ])
})

test('[D324] ROUNDTABLE_ENGINE names a folder that has the engine; if it has none, the error says so', async () => {
  const engine = join(home, 'own')
  const named = { ...cache(), engine }
  await expect(ensureEngine(named, yes)).rejects.toThrow(/ROUNDTABLE_ENGINE is .*own, but there is no engine/)
  mkdirSync(join(engine, 'node_modules', 'node-llama-cpp'), { recursive: true })
  expect(await ensureEngine(named, yes)).toBe(engine)
  expect(await removeEngine(named)).toBe(false)
})
