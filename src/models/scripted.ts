/** A provider with replies written in advance, for tests and the tour. It is labelled as scripted. */
import type { ModelCall, ModelPart, Provider } from './provider.ts'

/** A part, or a pause that lasts until the caller aborts. */
export type ScriptedPart = ModelPart | { readonly type: 'hang' }

/** Text, an object that is sent as JSON, or the exact parts of the stream, for failures. */
export type ScriptedReply =
  | string
  | { readonly parts: readonly ScriptedPart[] }
  | Readonly<Record<string, unknown>>

export type Script = (call: ModelCall) => ScriptedReply

export interface ScriptedOptions {
  /** Milliseconds to wait before each word, or a function that returns them for a call. Default: 0. */
  readonly pace?: number | ((call: ModelCall) => number)
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []

/** The usual estimate: four characters per token. */
const tokens = (text: string): number => Math.ceil(text.length / 4)

const isParts = (reply: Exclude<ScriptedReply, string>): reply is { parts: readonly ScriptedPart[] } =>
  Array.isArray(reply.parts)

const partsOf = (reply: ScriptedReply, call: ModelCall): readonly ScriptedPart[] => {
  if (typeof reply !== 'string' && isParts(reply)) return reply.parts
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply)
  const usage = { inputTokens: tokens([call.system, ...call.user].join('')), outputTokens: tokens(text) }
  return [
    ...words(text).map(word => ({ type: 'text', text: word }) as const),
    { type: 'usage', usage },
    { type: 'finish', reason: 'stop' },
  ]
}

const cancelled: ModelPart = {
  type: 'error',
  error: { kind: 'cancelled', message: 'the call was cancelled' },
}

/** Resolves when the signal aborts; also when the sleep is over, if there is one. */
const aborted = (signal: AbortSignal, sleep?: Promise<unknown>): Promise<unknown> =>
  new Promise(resolve => {
    const done = (): void => {
      signal.removeEventListener('abort', done)
      resolve(undefined)
    }
    signal.addEventListener('abort', done, { once: true })
    sleep?.then(done, done)
    if (signal.aborted) done()
  })

async function* play(script: Script, options: ScriptedOptions, call: ModelCall): AsyncGenerator<ModelPart> {
  const { signal } = call
  const pace = typeof options.pace === 'function' ? options.pace(call) : (options.pace ?? 0)
  let last: ModelPart['type'] | undefined
  for (const part of partsOf(script(call), call)) {
    if (part.type === 'hang') await aborted(signal)
    else if (pace > 0 && part.type === 'text') await aborted(signal, options.sleep?.(pace, signal))
    if (signal.aborted) return yield cancelled
    if (part.type === 'hang') continue
    last = part.type
    yield part
  }
  if (last !== 'finish' && last !== 'error') yield { type: 'finish', reason: 'stop' }
}

export const scripted = (script: Script, options: ScriptedOptions = {}): Provider => ({
  id: 'scripted',
  label: 'Scripted (no model)',
  scripted: true,
  async *stream(call) {
    try {
      yield* play(script, options, call)
    } catch (error) {
      const message = `the script failed: ${error instanceof Error ? error.message : String(error)}`
      yield { type: 'error', error: { kind: 'bad-request', message } }
    }
  },
  known: () => ({}),
  facts: async () => ({}),
  list: async () => ({ models: [] }),
})
