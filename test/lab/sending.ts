/** Sends the lab's replies. */
import type { ServerResponse } from 'node:http'
import type { ChatBody, RecordedCall } from './call.ts'
import { type Frames, usageOf } from './frames.ts'
import type { LabOptions } from './options.ts'
import type { LabAnswer, LabStatus } from './reply.ts'

export const sendStatus = (response: ServerResponse, { status, headers, body }: LabStatus): void => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/html' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers }).end(text)
}

export const sendModels = (response: ServerResponse, options: LabOptions): void => {
  const data = Object.entries(options.models ?? {}).map(
    ([id, { context_length, max_model_len, shutdown_date }]) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: 'lab',
      context_length,
      max_model_len,
      shutdown_date,
    }),
  )
  sendStatus(response, { lab: 'status', status: 200, body: { object: 'list', data } })
}

export const promptTokens = (messages: ChatBody['messages']): number =>
  Math.ceil(messages.reduce((sum, message) => sum + message.content.length, 0) / 4)

/** Writes tokens straight to the socket in the announced framing; the response still ends the reply. */
export const sendFrames = (response: ServerResponse, frames: Frames, answer: LabAnswer) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  const { socket } = response
  let sent = 0
  return (upTo: number): void => {
    const [from, to] = [frames.ends[sent - 1] ?? 0, frames.ends[upTo - 1] ?? 0]
    const last = upTo === frames.ends.length
    if (last) socket?.cork()
    if (to > from) socket?.write(frames.bytes.subarray(from, to))
    sent = upTo
    if (last && frames.closes) response.end()
    if (last) socket?.uncork()
    if (last && answer.ending === 'cut') socket?.destroySoon()
  }
}

const wholeBody = (call: RecordedCall, answer: LabAnswer): unknown => {
  const { text = '', refusal = null, thinking, finish = 'stop' } = answer
  const message = {
    role: 'assistant',
    content: refusal === null ? text : null,
    refusal,
    ...(thinking !== undefined && { reasoning_content: thinking }),
  }
  return {
    id: 'chatcmpl-lab',
    object: 'chat.completion',
    created: 0,
    model: call.body.model,
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: usageOf(promptTokens(call.body.messages), answer),
  }
}

export const sendWhole = (response: ServerResponse, call: RecordedCall, answer: LabAnswer): void => {
  const { ending } = answer
  if (typeof ending === 'object') {
    sendStatus(response, { lab: 'status', status: 500, body: { error: ending.error } })
    return
  }
  const text = JSON.stringify(wholeBody(call, answer))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  if (ending === undefined) response.end(text)
  else response.write(text.slice(0, text.length / 2))
  if (ending === 'cut') response.socket?.destroySoon()
}
