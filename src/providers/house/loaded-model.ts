/**
 * One weights file in memory, with one context. It writes one reply at a time: on a CPU two at once aren't
 * faster, and one after the other they share the common start of their prompts.
 */
import { open } from 'node:fs/promises'
import type { TokenUsage } from '../provider.ts'
import {
  importEngine,
  type Llama,
  type LlamaContextSequence,
  type LlamaModel,
  type LlamaModule,
  type Token,
} from './engine-module.ts'
import type { Task } from './messages.ts'
import { formOf } from './schema-grammar.ts'

/** The prompts are short, so a larger context would only waste memory. */
const largestContext = 4_096
/** Prompt tokens between two checks whether the call was cancelled. */
const promptStep = 64
/** Small models may repeat a phrase forever. Without `lastTokens` the engine doesn't look back at all. */
const againstLoops = { strength: 1, allowedLength: 6, lastTokens: 256 }
/** A limit for tensors or settings in one file; the largest models have a few thousand. */
const mostEntries = 1_000_000n

export class PromptTooLong extends Error {
  override readonly name = 'PromptTooLong'
}

export interface LoadedModel {
  /** Undefined if the call was cancelled. */
  write(task: Task, cancelled: () => boolean, say: (text: string) => void): Promise<Written | undefined>
}

export interface Written {
  readonly usage: TokenUsage
  readonly reason: 'stop' | 'length'
}

let started: Promise<Llama> | undefined

/** For Macs with an Apple processor there is only a build that uses the GPU. */
const startEngine = ({ getLlama, LlamaLogLevel }: LlamaModule, threads: number): Promise<Llama> =>
  getLlama({
    gpu: process.platform === 'darwin' && process.arch === 'arm64' ? 'metal' : false,
    build: 'never',
    skipDownload: true,
    maxThreads: threads,
    logLevel: LlamaLogLevel.error,
    logger: (_level: string, message: string) => process.stderr.write(message),
  })

const promptOf = (module: LlamaModule, model: LlamaModel, { system, user }: Task): Token[] => {
  const wrapper = module.resolveChatWrapper(model)
  const { contextText } = wrapper.generateContextState({
    chatHistory: [
      { type: 'system', text: system },
      { type: 'user', text: user },
      { type: 'model', response: [''] },
    ],
  })
  return contextText.tokenize(model.tokenizer)
}

/** Turns tokens into text as they come. An incomplete character waits for its other tokens. */
const speaker = (model: LlamaModel, start: readonly Token[], say: (text: string) => void) => {
  const said: Token[] = [...start]
  let waiting: Token[] = []
  return {
    hear(token: Token): void {
      waiting.push(token)
      const text = model.detokenize(waiting, false, said)
      if (text.endsWith('\uFFFD')) return
      said.push(...waiting)
      waiting = []
      if (text !== '') say(text)
    },
  }
}

/** Reads the prompt except for its last token, and skips the start that the last call's prompt has in common. */
const readPrompt = async (
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  cancelled: () => boolean,
): Promise<{ readonly cached: number }> => {
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false)
  const cached = sequence.nextTokenIndex
  for (let from = cached; from < tokens.length - 1 && !cancelled(); from += promptStep)
    await sequence.evaluateWithoutGeneratingNewTokens(
      tokens.slice(from, Math.min(from + promptStep, tokens.length - 1)),
    )
  return { cached }
}

/** The engine would hang on a file that only starts like a GGUF file. */
const checkHeader = async (path: string): Promise<void> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(24), 0, 24, 0)
    const isSound =
      bytesRead === 24 &&
      buffer.toString('latin1', 0, 4) === 'GGUF' &&
      [2, 3].includes(buffer.readUInt32LE(4)) &&
      [8, 16].every(offset => buffer.readBigUInt64LE(offset) < mostEntries)
    if (!isSound) throw new Error(`${path} isn't a GGUF file, or is damaged: use another file`)
  } finally {
    await file.close()
  }
}

const load = (llama: Llama, path: string): Promise<LlamaModel> =>
  llama.loadModel({ modelPath: path }).catch(error => {
    const words = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${path} can't be loaded (${words}): it is damaged, or the engine doesn't support this kind of model`,
    )
  })

export const loadModel = async (engine: string, path: string, threads: number): Promise<LoadedModel> => {
  await checkHeader(path)
  const module = await importEngine(engine)
  started ??= startEngine(module, threads)
  const llama = await started
  const model = await load(llama, path)
  const contextSize = Math.min(model.trainContextSize, largestContext)
  const context = await model.createContext({ contextSize, threads, sequences: 1 })
  const sequence = context.getSequence()

  return {
    async write(task, cancelled, say) {
      const form = formOf(task.schema)
      const start = model.tokenize(form.start, false, 'trimLeadingSpace')
      const tokens = [...promptOf(module, model, task), ...start]
      if (tokens.length + task.maxTokens > contextSize)
        throw new PromptTooLong(
          `the prompt has ${tokens.length} tokens, but the model has room for only ${contextSize} with its answer`,
        )
      const { cached } = await readPrompt(sequence, tokens, cancelled)
      if (cancelled()) return undefined
      if (form.start !== '') say(form.start)
      const grammar = new module.LlamaGrammar(llama, { grammar: form.grammar })
      const speaking = speaker(model, start, say)
      let written = 0
      for await (const token of sequence.evaluate(tokens.slice(-1), {
        temperature: task.temperature,
        topK: 40,
        topP: 0.9,
        seed: task.seed,
        minP: 0.05,
        ...(task.temperature > 0 && { dryRepeatPenalty: againstLoops }),
        repeatPenalty: { punishTokens: [] },
        grammarEvaluationState: new module.LlamaGrammarEvaluationState({ model, grammar }),
      })) {
        if (cancelled()) return undefined
        speaking.hear(token)
        if (++written >= task.maxTokens) break
      }
      const usage = { inputTokens: tokens.length, outputTokens: written, cachedTokens: cached }
      return { usage, reason: written >= task.maxTokens ? 'length' : 'stop' }
    },
  }
}
