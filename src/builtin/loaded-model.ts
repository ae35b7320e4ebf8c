/**
 * One weights file in memory, with one context. It writes one reply at a time: on a CPU two at once aren't
 * faster, and one after the other they share the common start of their prompts.
 */

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TokenUsage } from '../models/provider.ts'
import { engineName } from './fetch.ts'
import type { Task } from './provider.ts'

// engineModule: The part of `node-llama-cpp` that is used here. It is no dependency: it is loaded from the folder it was downloaded to.

/** The engine's own tokens are numbers. */
export type Token = number

export interface LlamaModel {
  readonly trainContextSize: number
  readonly tokenizer: unknown
  tokenize(text: string, specialTokens: boolean, options: 'trimLeadingSpace'): Token[]
  detokenize(tokens: readonly Token[], specialTokens: boolean, before: readonly Token[]): string
  createContext(options: { contextSize: number; threads: number; sequences: number }): Promise<LlamaContext>
}

interface LlamaContext {
  getSequence(): LlamaContextSequence
}

export interface LlamaContextSequence {
  readonly nextTokenIndex: number
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>
  evaluate(tokens: readonly Token[], options: object): AsyncIterable<Token>
}

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<LlamaModel>
}

interface ChatWrapper {
  generateContextState(options: { chatHistory: readonly object[] }): {
    readonly contextText: { tokenize(tokenizer: unknown): Token[] }
  }
}

export interface LlamaModule {
  getLlama(options: object): Promise<Llama>
  resolveChatWrapper(model: LlamaModel): ChatWrapper
  readonly LlamaGrammar: new (llama: Llama, options: { grammar: string }) => object
  readonly LlamaGrammarEvaluationState: new (options: { model: LlamaModel; grammar: object }) => object
  readonly LlamaLogLevel: { readonly error: string }
}

export const importEngine = (folder: string): Promise<LlamaModule> =>
  import(pathToFileURL(join(folder, 'node_modules', engineName, 'dist', 'index.js')).href)

// schemaGrammar: Turns a JSON schema into a grammar (GBNF) that a local model has to follow. The engine has its own
// converter, but with its grammars a small model may write endless blank lines after the object, or endless
// digits, until it runs out of tokens and the reply can't be parsed.

type Schema = Readonly<Record<string, unknown>>

/** For strings without a length in the schema. A higher limit makes the grammar slow. */
const longestString = 1_200
const mostItems = 12

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text as a GBNF literal. */
const literal = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t')}"`

const value = (json: unknown): string => literal(JSON.stringify(json))

const common = [
  'char ::= [^"\\\\\\x00-\\x1f\\x7f] | "\\\\" ["\\\\nt]',
  // A sentence starts with a capital letter, or with a letter of a script without capitals.
  'capital ::= [^\\x00-\\x40\\x5b-\\x7f]',
  'word ::= [^"\\\\<>|{}.!?\\x00-\\x1f\\x7f]',
  'stop ::= [.!。]',
  'number ::= "-"? ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,3})?',
  'integer ::= "-"? ("0" | [1-9] [0-9]{0,14})',
]

/** From a capital letter to a full stop; a stop before a digit is a decimal point. */
const sentenceRule = (least: number, most: number): string =>
  `capital (word | [0-9] "." [0-9]){${Math.max(0, least - 2)},${Math.max(1, most - 2)}} stop`

/** A text and its closing quote, without the opening one. */
const textRule = ({ minLength = 0, maxLength = longestString, format }: Schema): string => {
  const [least, most] = [Number(minLength), Number(maxLength)]
  const half = Math.floor(most / 2)
  if (format === 'sentence') return `${sentenceRule(least, most)} "\\""`
  if (format === 'sentences') return `${sentenceRule(least, half)} (" " ${sentenceRule(least, half)})? "\\""`
  return `char{${least},${most}} "\\""`
}

const arrayRule = ({ items, minItems = 0, maxItems = mostItems }: Schema): string => {
  const item = rule(isSchema(items) ? items : {})
  const most = Math.max(1, Number(maxItems))
  const some = `${item} ("," ${item}){${Math.max(0, Number(minItems) - 1)},${most - 1}}`
  return Number(minItems) > 0 ? `"[" ${some} "]"` : `"[" (${some})? "]"`
}

type Field = readonly [key: string, schema: Schema]

const fieldsOf = ({ properties }: Schema): Field[] =>
  Object.entries(isSchema(properties) ? properties : {}).map(([key, one]) => [key, isSchema(one) ? one : {}])

const fieldRule = ([key, schema]: Field): string => `${literal(`${JSON.stringify(key)}:`)} ${rule(schema)}`

/** Every property is written, in the schema's order, even an optional one. */
const objectRule = (schema: Schema): string =>
  ['"{"', fieldsOf(schema).map(fieldRule).join(' "," '), '"}"'].join(' ')

const either = (choices: readonly string[]): string => `(${choices.join(' | ')})`

const typeRule = (type: unknown, schema: Schema): string => {
  switch (type) {
    case 'object':
      return objectRule(schema)
    case 'array':
      return arrayRule(schema)
    case 'number':
      return 'number'
    case 'integer':
      return 'integer'
    case 'boolean':
      return either(['"true"', '"false"'])
    case 'null':
      return '"null"'
    default:
      return `"\\"" ${textRule(schema)}`
  }
}

const rule = (schema: Schema): string => {
  if ('const' in schema) return value(schema.const)
  if (Array.isArray(schema.enum)) return either(schema.enum.map(value))
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return either(choices.filter(isSchema).map(rule))
  if (Array.isArray(schema.type)) return either(schema.type.map(type => typeRule(type, schema)))
  return typeRule(schema.type, schema)
}

/** What every value of this schema starts with, and the rule for the rest. */
const opened = (schema: Schema): readonly [start: string, rest: string] => {
  const options = schema.enum
  if (Array.isArray(options) && options.every(option => typeof option === 'string'))
    return ['"', either(options.map(option => literal(JSON.stringify(option).slice(1))))]
  return schema.type === 'string' && !options ? ['"', textRule(schema)] : ['', rule(schema)]
}

export interface GrammarForm {
  /** What every reply starts with. The model gets it as part of the prompt, because reading is faster than writing. */
  readonly start: string
  /** The grammar of the rest. */
  readonly grammar: string
}

export const formOf = (schema: Schema): GrammarForm => {
  const fields = schema.type === 'object' ? fieldsOf(schema) : []
  const firstOpen = fields.findIndex(([, field]) => !('const' in field))
  const open = fields[firstOpen]
  if (!open) return { start: '', grammar: grammarOf(rule(schema)) }
  const given = fields
    .slice(0, firstOpen)
    .map(([key, field]) => `${JSON.stringify(key)}:${JSON.stringify(field.const)},`)
  const [quote, rest] = opened(open[1])
  const others = fields.slice(firstOpen + 1).map(fieldRule)
  return {
    start: `{${given.join('')}${JSON.stringify(open[0])}:${quote}`,
    grammar: grammarOf(`${[rest, ...others].join(' "," ')} "}"`),
  }
}

const grammarOf = (root: string): string => [`root ::= ${root}`, ...common].join('\n')

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
