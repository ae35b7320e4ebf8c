/** Ollama's own chat format: lines of JSON. Its OpenAI-compatible format silently cuts off long prompts. */
import { StringDecoder } from 'node:string_decoder'
import { reportedError } from '../http/http-errors.ts'
import type { PartQueue } from '../http/part-queue.ts'
import { type ProviderProblem, presentable, problemFrom, problemIn } from '../http/problem.ts'
import { redactedWriter } from '../http/redact.ts'
import type { ModelCall, ModelPart } from '../provider.ts'
import { schemaInWords } from '../sdk/schema-in-words.ts'
import type { ChatFormat } from './call.ts'
import type { ChatReply } from './reply.ts'
import { speaksOfSchema } from './request.ts'
import { thinkBlock } from './think-block.ts'

/** Ollama reloads the model for every new context size, so sizes are powers of two from here. */
const smallestContext = 8_192

/** Ollama silently drops what doesn't fit, so this asks for enough: it counts three characters per token. */
const contextFor = (call: ModelCall, prompt: string): number => {
  const pictures = (call.pictures ?? []).reduce((sum, { tokens }) => sum + tokens, 0)
  const needed = (call.system.length + prompt.length) / 3 + pictures + call.maxOutputTokens
  let size = smallestContext
  while (size < needed) size *= 2
  return size
}

/** Only GPT-OSS has levels of effort. */
const thinkFor = ({ model, effort }: ModelCall): string | true =>
  effort !== undefined && /\bgpt-oss\b/.test(model) ? effort : true

/** Pictures stand beside the text, so it has to say which is which. */
const pictureNames = ({ pictures }: ModelCall): string[] =>
  pictures
    ? [`Pictures, in their order: exhibit ${pictures.map(({ exhibit }) => exhibit).join(', exhibit ')}.`]
    : []

const body: ChatFormat['body'] = (call, without) => {
  const native = !without.has('format')
  const parts = [...pictureNames(call), ...call.user, ...(native ? [] : [schemaInWords(call.shape)])]
  const prompt = parts.join('\n\n')
  return {
    model: call.model,
    messages: [
      ...(call.system === '' ? [] : [{ role: 'system', content: call.system }]),
      {
        role: 'user',
        content: prompt,
        ...(call.pictures && { images: call.pictures.map(({ data }) => data) }),
      },
    ],
    stream: true,
    ...(native && { format: call.shape.json }),
    ...(call.effort !== undefined && !without.has('think') && { think: thinkFor(call) }),
    options: {
      num_ctx: contextFor(call, prompt),
      num_predict: call.maxOutputTokens,
      ...(call.temperature !== undefined && { temperature: call.temperature }),
      ...(call.seed !== undefined && { seed: call.seed }),
    },
  }
}

const refused = (
  sent: Readonly<Record<string, unknown>>,
  status: number,
  { words }: ProviderProblem,
): string | undefined => {
  if (status !== 400 && status !== 500) return undefined
  if (sent.think !== undefined && /\bthink/i.test(words)) return 'think'
  return sent.format !== undefined && (speaksOfSchema.test(words) || /\bformat\b/i.test(words))
    ? 'format'
    : undefined
}

interface Line {
  readonly message?: { readonly content?: unknown; readonly thinking?: unknown } | null
  readonly done?: unknown
  readonly done_reason?: unknown
  readonly prompt_eval_count?: unknown
  readonly eval_count?: unknown
  readonly error?: unknown
}

const lineFrom = (text: string): Line | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

type Last = ModelPart & { type: 'usage' | 'finish' | 'error' }

/** Ollama leaves out the count of a prompt that was still in memory. */
const usageIn = ({ prompt_eval_count: read = 0, eval_count: written }: Line): Last[] =>
  typeof read === 'number' && typeof written === 'number'
    ? [{ type: 'usage', usage: { inputTokens: read, outputTokens: written } }]
    : []

const reply = (parts: PartQueue, secrets: readonly string[]): ChatReply => {
  const clean = redactedWriter(secrets, (type, text) => parts.addText(type, text))
  const answer = thinkBlock(clean.write)
  const decoder = new StringDecoder('utf8')
  let held = ''
  const end = (...last: readonly Last[]): void => {
    answer.flush()
    clean.flush()
    for (const part of last) parts.add(part)
  }
  const unreadable = (text: string): void => {
    const words = `the endpoint's reply isn't a chat reply: ${problemFrom(text).words}`
    end({ type: 'error', error: { kind: 'server-error', message: presentable(words, secrets) } })
  }
  const take = (line: Line): void => {
    const { thinking, content } = line.message ?? {}
    if (typeof thinking === 'string') clean.write('thinking', thinking)
    if (typeof content === 'string') answer.write('text', content)
    if (line.done !== true) return
    end(...usageIn(line), { type: 'finish', reason: line.done_reason === 'length' ? 'length' : 'stop' })
  }
  const read = (text: string): void => {
    if (parts.over || text.trim() === '') return
    const line = lineFrom(text)
    if (line?.error) end({ type: 'error', error: reportedError(problemIn(line), secrets) })
    else if (line?.message || line?.done) take(line)
    else unreadable(text)
  }
  return {
    data(chunk) {
      const lines = (held + decoder.write(chunk)).split('\n')
      held = lines.pop() ?? ''
      for (const line of lines) read(line)
    },
    end(broken) {
      if (broken === undefined) read(held)
      const words = broken ?? 'connection closed mid-answer: the stream ended before it was done'
      if (!parts.over) end({ type: 'error', error: { kind: 'network', message: words } })
    },
  }
}

export const ollamaFormat: ChatFormat = { body, reply, refused }
