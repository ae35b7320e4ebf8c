/**
 * One file of weights in memory with one context. Calls are written one after the other: on a
 * processor two at once are no faster, and one after the other they share the prompt they have in common.
 */
import { open } from 'node:fs/promises'
import {
  getLlama,
  type Llama,
  type LlamaContextSequence,
  LlamaGrammar,
  LlamaGrammarEvaluationState,
  LlamaLogLevel,
  type LlamaModel,
  resolveChatWrapper,
  type Token,
} from 'node-llama-cpp'
import type { TokenUsage } from '../provider.ts'
import type { Task } from './messages.ts'
import { formOf } from './schema-grammar.ts'

/** More costs memory for nothing: the prompts are short. */
const largestContext = 4_096
/** Prompt tokens between two looks at whether the call was cancelled. */
const promptStep = 64
/** Small models get caught in a phrase. Without `lastTokens` the engine looks back at nothing. */
const againstLoops = { strength: 1, allowedLength: 6, lastTokens: 256 }
/** Tensors or settings in one file; the largest models have a few thousand. */
const mostEntries = 1_000_000n

export class PromptTooLong extends Error {
  override readonly name = 'PromptTooLong'
}

export interface LoadedModel {
  /** Undefined where the call was cancelled on the way. */
  write(task: Task, cancelled: () => boolean, say: (text: string) => void): Promise<Written | undefined>
}

export interface Written {
  readonly usage: TokenUsage
  readonly reason: 'stop' | 'length'
}

let engine: Promise<Llama> | undefined

/** The build for a Mac with Apple's own processor comes with its graphics only. */
const startEngine = (threads: number): Promise<Llama> =>
  getLlama({
    gpu: process.platform === 'darwin' && process.arch === 'arm64' ? 'metal' : false,
    build: 'never',
    skipDownload: true,
    maxThreads: threads,
    logLevel: LlamaLogLevel.error,
    logger: (_level, message) => process.stderr.write(message),
  })

const promptOf = (model: LlamaModel, { system, user }: Task): Token[] => {
  const wrapper = resolveChatWrapper(model)
  const { contextText } = wrapper.generateContextState({
    chatHistory: [
      { type: 'system', text: system },
      { type: 'user', text: user },
      { type: 'model', response: [''] },
    ],
  })
  return contextText.tokenize(model.tokenizer)
}

/** Turns tokens to text as they come; half a character waits for its other half. */
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

/** Keeps what the last call's prompt has in common with this one, and reads the rest, but for its last token. */
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

/** The engine reads for ever where a file only begins like one of its own. */
const checkHeader = async (path: string): Promise<void> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(24), 0, 24, 0)
    const isSound =
      bytesRead === 24 &&
      buffer.toString('latin1', 0, 4) === 'GGUF' &&
      [2, 3].includes(buffer.readUInt32LE(4)) &&
      [8, 16].every(place => buffer.readBigUInt64LE(place) < mostEntries)
    if (!isSound) throw new Error(`${path} is not a GGUF file, or is damaged`)
  } finally {
    await file.close()
  }
}

const load = (llama: Llama, path: string): Promise<LlamaModel> =>
  llama.loadModel({ modelPath: path }).catch(error => {
    const words = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${path} cannot be loaded (${words}): it is damaged, or of a kind the engine does not know`,
    )
  })

export const loadModel = async (path: string, threads: number): Promise<LoadedModel> => {
  await checkHeader(path)
  engine ??= startEngine(threads)
  const llama = await engine
  const model = await load(llama, path)
  const contextSize = Math.min(model.trainContextSize, largestContext)
  const context = await model.createContext({ contextSize, threads, sequences: 1 })
  const sequence = context.getSequence()

  return {
    async write(task, cancelled, say) {
      const form = formOf(task.schema)
      const start = model.tokenize(form.start, false, 'trimLeadingSpace')
      const tokens = [...promptOf(model, task), ...start]
      if (tokens.length + task.maxTokens > contextSize)
        throw new PromptTooLong(
          `the prompt is ${tokens.length} tokens long, and the model takes ${contextSize} with its answer`,
        )
      const { cached } = await readPrompt(sequence, tokens, cancelled)
      if (cancelled()) return undefined
      if (form.start !== '') say(form.start)
      const grammar = new LlamaGrammar(llama, { grammar: form.grammar })
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
        grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }),
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
