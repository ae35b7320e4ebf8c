/** The npm packages of the engine that runs local models, with their checksums, and the one build for each platform. */
import { readFileSync } from 'node:fs'
import { UsageError } from '../../core/errors.ts'

/** A package as npm's lock files describe it. */
export interface LockedPackage {
  readonly version: string
  /** npm refuses a package whose bytes don't have this checksum. */
  readonly integrity: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export const engineName = 'node-llama-cpp'
/** Roughly what it takes on the disk. */
export const engineMegabytes = 80

/** All builds run on the processor; on Macs with an Apple processor there is only one that uses the GPU. */
export const nativeBuilds: Readonly<Record<string, string>> = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
  'linux-arm': '@node-llama-cpp/linux-armv7l',
  'linux-riscv64': '@node-llama-cpp/linux-riscv64',
  'darwin-arm64': '@node-llama-cpp/mac-arm64-metal',
  'darwin-x64': '@node-llama-cpp/mac-x64',
  'win32-x64': '@node-llama-cpp/win-x64',
  'win32-arm64': '@node-llama-cpp/win-arm64',
}

export interface Platform {
  readonly os: string
  readonly cpu: string
  /** Linux only: the builds need glibc, which Alpine doesn't have. */
  readonly musl?: boolean
}

/** Node reports the version of glibc only if it runs on it. */
const hasGlibc = (): boolean => {
  const report = process.report.getReport() as { readonly header?: { readonly glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime !== undefined
}

export const thisPlatform = (): Platform => ({
  os: process.platform,
  cpu: process.arch,
  musl: process.platform === 'linux' && !hasGlibc(),
})

/** Throws UsageError if there is no build for this platform. */
export const nativeBuildFor = ({ os, cpu, musl }: Platform): string => {
  const build = nativeBuilds[`${os}-${cpu}`]
  if (build && !musl) return build
  throw new UsageError(
    `Built-in models don't run on ${os} ${cpu}${musl ? ' without glibc' : ''}. Use a model server instead, such as Ollama, or set an API key.`,
  )
}

const readLock = (): Readonly<Record<string, LockedPackage>> =>
  JSON.parse(readFileSync(new URL('./engine-packages.json', import.meta.url), 'utf8'))

const isBuild = (path: string): boolean => path.startsWith('node_modules/@node-llama-cpp/')

export interface EnginePackages {
  readonly version: string
  readonly build: string
  /** The two files from which `npm ci` installs exactly these packages. */
  readonly manifest: object
  readonly lock: object
}

export const enginePackages = (platform: Platform): EnginePackages => {
  const build = nativeBuildFor(platform)
  const all = readLock()
  const { version } = all[`node_modules/${engineName}`]!
  const dependencies = { [engineName]: version, [build]: version }
  const manifest = { name: 'roundtable-engine', private: true, dependencies }
  const wanted = Object.entries(all).filter(([path]) => !isBuild(path) || path === `node_modules/${build}`)
  const packages = { '': manifest, ...Object.fromEntries(wanted) }
  return { version, build, manifest, lock: { lockfileVersion: 3, requires: true, packages } }
}
