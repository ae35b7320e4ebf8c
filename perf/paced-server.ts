/** A cheap model server for benchmarks: 200 tokens per reply, paced or all at once. */
import { createServer, type ServerResponse } from 'node:http'
import { now, type Pace, replyTokens } from './setup.ts'

interface Shaped {
  readonly model: string
  readonly messages: readonly { readonly content: string }[]
  readonly response_format?: { readonly json_schema: { readonly name: string; readonly schema: Schema } }
}
interface Schema {
  readonly properties: Record<string, unknown>
}

const filler = (words: number): string =>
  Array.from({ length: words }, (_, index) => `word${index % 10}`).join(' ')

/** A reply in the requested form, with this many words of reasoning. */
const replyWith = ({ model, messages, response_format: format }: Shaped, reasoning: string): string => {
  const name = format?.json_schema.name
  const properties = format?.json_schema.schema.properties ?? {}
  if (name === 'report') return JSON.stringify({ answer: 'Yes.', summary: reasoning, counterpoint: null })
  if (name === 'digest') {
    return JSON.stringify({
      positions: [{ position: reasoning, arguments: [{ seat: 'A', quote: filler(20) }] }],
    })
  }
  if (name === 'challenge') return JSON.stringify({ objection: null, check: null })
  const number = Number(model.replace(/\D/g, ''))
  const last = /"value":"(Yes|No)"/.exec(messages.at(-1)?.content ?? '')?.[1]
  // One seat in five keeps changing, so that every allowed round takes place.
  const choice = (last === undefined ? number % 3 === 0 : (last === 'No') !== (number % 5 === 4))
    ? 'No'
    : 'Yes'
  const revised = 'decision' in properties && { decision: 'keep', reason: null, peer: null, quote: null }
  const rest = { confidence: 0.8, wouldChangeMind: 'A proof.', language: 'en' }
  return JSON.stringify({ headline: `It is ${choice}.`, choice, reasoning, ...rest, ...revised })
}

const tokensOf = (text: string): string[] => text.match(/\S+\s*/g) ?? []

/** The reply with enough reasoning to be `replyTokens` pieces long. */
const replyFor = (call: Shaped): string => {
  const around = tokensOf(replyWith(call, 'word')).length - 1
  return replyWith(call, filler(replyTokens - around))
}

const chunkOf = (content: string): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`

const prepared = new Map<string, Buffer[]>()
const chunksFor = (text: string): Buffer[] => {
  const known = prepared.get(text) ?? tokensOf(text).map(token => Buffer.from(chunkOf(token)))
  prepared.set(text, known)
  return known
}

const endOf = (input: number): string => {
  const usage = { prompt_tokens: input, completion_tokens: replyTokens, total_tokens: input + replyTokens }
  const finish = {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  }
  return `data: ${JSON.stringify(finish)}\n\ndata: ${JSON.stringify({ ...finish, choices: [], usage })}\n\ndata: [DONE]\n\n`
}

interface Live {
  readonly response: ServerResponse
  readonly model: string
  readonly chunks: readonly Buffer[]
  readonly end: string
  readonly firstAt: number
  readonly perSecond: number
  sent: number
}

const live = new Set<Live>()
/** When the first token of each model's latest reply was sent. */
const firstTokens: Record<string, number> = {}

const advance = (): void => {
  const time = performance.now()
  for (const one of live) {
    if (time < one.firstAt) continue
    if (one.sent === 0) firstTokens[one.model] = now()
    const due = Math.min(one.chunks.length, 1 + Math.floor(((time - one.firstAt) * one.perSecond) / 1000))
    while (one.sent < due) one.response.write(one.chunks[one.sent++])
    if (one.sent < one.chunks.length) continue
    one.response.end(one.end)
    live.delete(one)
  }
}

const paceOf = (url: string): Pace | undefined => {
  const match = /\/pace-(\d+)-(\d+)\//.exec(url)
  return match ? { firstToken: Number(match[1]), perSecond: Number(match[2]) } : undefined
}

createServer((request, response) => {
  if (request.url?.endsWith('/first-tokens')) return response.end(JSON.stringify(firstTokens))
  if (request.method !== 'POST') return response.writeHead(404).end()
  let body = ''
  request.on('data', piece => {
    body += piece
  })
  request.on('end', () => {
    const call = JSON.parse(body) as Shaped
    const chunks = chunksFor(replyFor(call))
    const end = endOf(Math.ceil(call.messages.reduce((sum, message) => sum + message.content.length, 0) / 4))
    response.socket?.setNoDelay(true)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const pace = paceOf(request.url ?? '')
    if (!pace) return response.end(Buffer.concat([...chunks, Buffer.from(end)]))
    response.flushHeaders()
    // A model called "slow" answers late, to show that the others are seen before it.
    const firstToken = call.model.startsWith('slow') ? pace.firstToken * 10 : pace.firstToken
    live.add({
      response,
      model: call.model,
      chunks,
      end,
      firstAt: performance.now() + firstToken,
      perSecond: pace.perSecond,
      sent: 0,
    })
  })
}).listen(0, '127.0.0.1', function listening(this: { address(): unknown }) {
  const { port } = this.address() as { port: number }
  process.send?.({ port })
})
setInterval(advance, 1)
process.on('disconnect', () => process.exit(0))
