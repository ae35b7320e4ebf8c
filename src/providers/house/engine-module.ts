/** The part of `node-llama-cpp` that is used here. It is no dependency: it is loaded from the folder it was downloaded to. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { engineName } from './engine-packages.ts'

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
