/** Built-in models: they run on this machine, without a key and without a server. */
import { existsSync, statSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import type { ModelError } from '../../core/errors.ts'
import { makerLabel } from '../catalogue/naming.ts'
import type { ModelCall, ModelFacts, ModelPart, Provider } from '../provider.ts'
import { builtIn, builtInNamed, type Weights } from './built-in.ts'
import { createEngine, type LocalEngine, type LocalEngineOptions } from './engine.ts'

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
