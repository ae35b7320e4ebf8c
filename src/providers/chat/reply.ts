/** Turns a chat-completions reply, streamed or in one body, into parts. */
import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'
import { reportedError } from '../http/http-errors.ts'
import type { PartQueue } from '../http/part-queue.ts'
import { presentable, problemFrom, problemIn } from '../http/problem.ts'
import { cleanSource, redactedWriter } from '../http/redact.ts'
import type { ModelPart, TokenUsage } from '../provider.ts'
import {
  type ChatChunk,
  type ChatMessage,
  contentText,
  type FinishReason,
  failureOf,
  finishReason,
  pagesIn,
  usageIn,
} from './chunk.ts'
import { thinkBlock } from './think-block.ts'

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
