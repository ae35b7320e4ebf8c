/** What chat-completions servers send. They differ, so a field may hold anything until it is checked. */

import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'
import type { ModelErrorKind } from '../core/basics.ts'
import {
  cleanSource,
  presentable,
  problemFrom,
  problemIn,
  redactedWriter,
  reportedError,
  type TextWriter,
  type WriteText,
} from './http.ts'
import type { ModelPart, PartQueue, TokenUsage } from './provider.ts'

export interface ChatChunk {
  readonly choices?: readonly ChatChoice[] | null
  readonly usage?: ChatUsage | null
  /** Groq's field for the usage. */
  readonly x_groq?: { readonly usage?: ChatUsage | null } | null
  readonly error?: unknown
}
interface ChatChoice {
  readonly delta?: ChatMessage | null
  readonly message?: ChatMessage | null
  readonly finish_reason?: unknown
  /** Moonshot's older field for it. */
  readonly usage?: ChatUsage | null
  readonly error?: unknown
}
export interface ChatMessage {
  readonly content?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly refusal?: unknown
  /** OpenRouter's: pages that its search found. */
  readonly annotations?: unknown
}
/** Cached tokens have many names; they are always included in the prompt's. */
interface ChatUsage {
  readonly prompt_tokens?: unknown
  readonly completion_tokens?: unknown
  /** Moonshot's. */
  readonly cached_tokens?: unknown
  /** DeepSeek's. */
  readonly prompt_cache_hit_tokens?: unknown
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: unknown
    /** OpenRouter's and Alibaba's. */
    readonly cache_write_tokens?: unknown
    readonly cache_creation_input_tokens?: unknown
  } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null
}

export type FinishReason = (ModelPart & { type: 'finish' })['reason']

export const finishReason = (said: string): FinishReason => {
  if (said === 'length' || said === 'max_tokens' || said === 'model_context_window_exceeded') return 'length'
  return said === 'content_filter' || said === 'safety' || said === 'sensitive' ? 'filter' : 'stop'
}

/** Finish reasons of OpenRouter, Z.ai and DeepSeek that mean a failure. */
export const failureOf = (said: unknown): ModelErrorKind | undefined => {
  if (said === 'error' || said === 'network_error') return 'server-error'
  return said === 'insufficient_system_resource' ? 'overload' : undefined
}

/** The usage in a chunk, in whichever field it is. */
export const usageIn = ({ usage, x_groq, choices }: ChatChunk): TokenUsage | undefined => {
  const found = usage ?? x_groq?.usage ?? choices?.[0]?.usage
  return found ? usageFrom(found) : undefined
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined

const usageFrom = (usage: ChatUsage): TokenUsage | undefined => {
  const inputTokens = count(usage.prompt_tokens)
  const outputTokens = count(usage.completion_tokens)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const details = usage.prompt_tokens_details
  const cachedTokens = count(details?.cached_tokens ?? usage.cached_tokens ?? usage.prompt_cache_hit_tokens)
  const cacheWriteTokens = count(details?.cache_write_tokens ?? details?.cache_creation_input_tokens)
  const reasoningTokens = count(usage.completion_tokens_details?.reasoning_tokens)
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

const pieceText = (piece: unknown): string => {
  const text = typeof piece === 'object' && piece !== null && 'text' in piece ? piece.text : undefined
  return typeof text === 'string' ? text : ''
}

/** Most servers send content as a string, some as a list of pieces. */
export const contentText = (content: unknown): string => {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(pieceText).join('') : ''
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The pages that annotations cite: `{"type":"url_citation","url_citation":{"url":…,"title":…}}`. */
export const pagesIn = (annotations: unknown): (ModelPart & { type: 'source' })[] =>
  (Array.isArray(annotations) ? annotations : []).slice(0, 100).flatMap((one: unknown) => {
    const cited = isRecord(one) && one.type === 'url_citation' ? one.url_citation : undefined
    if (!isRecord(cited) || typeof cited.url !== 'string') return []
    const { url: address, title } = cited
    return [{ type: 'source' as const, address, ...(typeof title === 'string' && { title }) }]
  })

// thinkBlock: Separates a leading `<think>…</think>` block, as some open models write it, from the answer.

const opening = '<think>'
const closing = '</think>'

/** How many characters at the end of the text could be the start of the closing tag. */
const openEnd = (text: string): number => {
  for (let length = Math.min(text.length, closing.length - 1); length > 0; length--) {
    if (text.endsWith(closing.slice(0, length))) return length
  }
  return 0
}

/** A tag may be split between two chunks, so text that could be the start of one is held back. */
export const thinkBlock = (write: WriteText): TextWriter => {
  let state: 'before' | 'inside' | 'gap' | 'after' = 'before'
  let held = ''
  /** White space before the first word. It is kept apart, or each piece of it would be read again and again. */
  let blank = ''
  /** Drops the blank lines between the block and the answer. */
  const gap = (text: string): void => {
    const start = text.trimStart()
    if (start === '') return
    state = 'after'
    write('text', start)
  }
  const inside = (): void => {
    const end = held.indexOf(closing)
    const cut = end >= 0 ? end : held.length - openEnd(held)
    write('thinking', held.slice(0, cut))
    held = held.slice(cut)
    if (end < 0) return
    state = 'gap'
    gap(held.slice(closing.length))
    held = ''
  }
  return {
    write(type, text) {
      if (state === 'after' || type !== 'text') return write(type, text)
      if (state === 'gap') return gap(text)
      if (state === 'before' && held === '') {
        held = text.trimStart()
        blank += text.slice(0, text.length - held.length)
      } else held += text
      if (state === 'inside') return inside()
      if (held.startsWith(opening)) {
        state = 'inside'
        held = held.slice(opening.length)
        inside()
      } else if (!opening.startsWith(held)) {
        state = 'after'
        write('text', blank + held)
        held = ''
      }
    },
    flush() {
      if (state === 'before' && blank + held !== '') write('text', blank + held)
      else if (held !== '') write('thinking', held)
      blank = ''
      held = ''
    },
  }
}

// reply: Turns a chat-completions reply, streamed or in one body, into parts.

interface ChunkReader {
  read(chunk: ChatChunk): void
  /** Ends with the server's finish reason, or with `otherwise`. Returns false if there is neither. */
  finish(otherwise?: FinishReason): boolean
  fail(error: (ModelPart & { type: 'error' })['error']): void
}

const chunkReader = (parts: PartQueue, secrets: readonly string[]): ChunkReader => {
  const clean = redactedWriter(secrets, (type, text) => parts.addText(type, text))
  const answer = thinkBlock(clean.write)
  let reason: FinishReason | undefined
  let usage: TokenUsage | undefined
  const last = (part: ModelPart & { type: 'finish' | 'error' }): void => {
    answer.flush()
    clean.flush()
    if (usage) parts.add({ type: 'usage', usage })
    parts.add(part)
  }
  const message = (said: ChatMessage): void => {
    const thinking = said.reasoning_content ?? said.reasoning
    if (typeof thinking === 'string') clean.write('thinking', thinking)
    if (said.content) answer.write('text', contentText(said.content))
    if (typeof said.refusal === 'string') clean.write('refusal', said.refusal)
    for (const page of pagesIn(said.annotations).flatMap(one => cleanSource(one, secrets))) parts.add(page)
  }
  const fail: ChunkReader['fail'] = error => last({ type: 'error', error })
  return {
    fail,
    read(chunk) {
      if (chunk.error) return fail(reportedError(problemIn(chunk), secrets))
      usage = usageIn(chunk) ?? usage
      const choice = chunk.choices?.[0]
      if (!choice) return
      const said = choice.delta ?? choice.message
      if (said) message(said)
      const failure = failureOf(choice.finish_reason)
      if (choice.error) fail(reportedError(problemIn(choice), secrets))
      else if (failure) fail({ kind: failure, message: `the model stopped: ${choice.finish_reason}` })
      else if (typeof choice.finish_reason === 'string') reason = finishReason(choice.finish_reason)
    },
    finish(otherwise) {
      const said = reason ?? otherwise
      if (said === undefined) return false
      last({ type: 'finish', reason: said })
      return true
    },
  }
}

/** Undefined if the text isn't a JSON object: anything else would be read as an empty chunk. */
const chunkFrom = (text: string): ChatChunk | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

export interface ChatReply {
  data(chunk: Buffer): void
  /** The server ended the reply, or the connection broke: then `broken` says how. */
  end(broken?: string): void
}

/** Writes a reply into `parts`, which it always ends. */
export const chatReply = (parts: PartQueue, secrets: readonly string[]): ChatReply => {
  const reader = chunkReader(parts, secrets)
  const decoder = new StringDecoder('utf8')
  let form: 'unknown' | 'events' | 'body' = 'unknown'
  let body = ''
  const unreadable = (text: string): void => {
    const words = `the endpoint's reply isn't a chat reply: ${problemFrom(text).words}`
    reader.fail({ kind: 'server-error', message: presentable(words, secrets) })
  }
  const parser = createParser({
    onEvent({ data }) {
      if (parts.over) return
      if (data === '[DONE]') return void reader.finish('stop')
      const chunk = chunkFrom(data)
      if (chunk) reader.read(chunk)
      else unreadable(data)
    },
  })
  /** A server that doesn't stream replies with one object, and a wrong address with a page. */
  const begin = (): void => {
    const start = body.replace(/^\uFEFF/, '').trimStart()
    if (start === '') return
    form = /^[{[<]/.test(start) ? 'body' : 'events'
    if (form === 'events') parser.feed(start)
  }
  const whole = (): void => {
    const chunk = chunkFrom(body)
    if (chunk?.choices || chunk?.error) reader.read(chunk)
    else unreadable(body)
    if (!parts.over) reader.finish('stop')
  }
  return {
    data(chunk) {
      const text = decoder.write(chunk)
      if (form === 'events') return parser.feed(text)
      body += text
      // A server may send white space for as long as it thinks: it isn't read again with each piece.
      if (form === 'unknown' && text.trim() !== '') begin()
    },
    end(broken) {
      if (form === 'body' && broken === undefined) whole()
      if (parts.over || reader.finish()) return
      const words = broken ?? 'connection closed mid-answer: the stream ended without a finish reason'
      reader.fail({ kind: 'network', message: words })
    },
  }
}
