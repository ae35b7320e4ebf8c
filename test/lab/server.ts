/** A local server that speaks the chat-completions format and can simulate every fault of a model. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ChatBody, now, type RecordedCall } from './call.ts'
import { deciding, keyProblem } from './deciding.ts'
import { type Frames, framesOf, tokensOf, usageOf } from './frames.ts'
import type { LabOptions } from './options.ts'
import { type Paced, type Pacer, pacer } from './pace.ts'
import type { LabAnswer } from './reply.ts'
import { promptTokens, sendFrames, sendModels, sendStatus, sendWhole } from './sending.ts'

export type { RecordedCall } from './call.ts'
export { type FaultName, faultNames, faults } from './faults.ts'
export type { LabModel, LabOptions } from './options.ts'
export { errorStatus, type LabReply } from './reply.ts'

export interface Lab {
  readonly baseURL: string
  /** In order of arrival. */
  readonly calls: RecordedCall[]
  stop(): Promise<void>
}

const emptyChat: ChatBody = { model: '', messages: [] }

type Content = string | readonly { readonly text?: string; readonly image_url?: { readonly url: string } }[]

/** Some clients send the content of a message as a list of parts. */
const plainText = (content: Content): string =>
  typeof content === 'string' ? content : content.map(part => part.text ?? '').join('\n')

/** The addresses of pictures in a message. */
const picturesOf = (content: Content): string[] =>
  typeof content === 'string' ? [] : content.flatMap(part => part.image_url?.url ?? [])

const bodyOf = async (request: IncomingMessage): Promise<ChatBody> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  if (text === '') return emptyChat
  const body = { ...emptyChat, ...(JSON.parse(text) as Partial<ChatBody>) }
  const pictures = body.messages.flatMap(one => picturesOf(one.content as Content))
  return {
    ...body,
    ...(pictures.length > 0 && { pictures }),
    messages: body.messages.map(one => ({ ...one, content: plainText(one.content as Content) })),
  }
}

/** The same reply to the same model is built once: measurements send it thousands of times. */
const rememberedFrames = (): ((call: RecordedCall, answer: LabAnswer) => Frames) => {
  const known = new Map<string, Frames>()
  return (call, answer) => {
    const { model, stream_options, messages } = call.body
    const prompt = promptTokens(messages)
    const key = JSON.stringify([model, stream_options, prompt, answer])
    const found = known.get(key)
    if (found) return found
    const frames = framesOf(
      model,
      answer,
      stream_options?.include_usage ? usageOf(prompt, answer) : undefined,
    )
    if (known.size >= 500) known.clear()
    known.set(key, frames)
    return frames
  }
}

/** Sends each token when it is due, until the client disconnects. */
const paced = (
  pace: Pacer,
  call: RecordedCall,
  response: ServerResponse,
  plan: { readonly firstTokenMs: number; readonly tokensPerSecond: number; readonly count: number },
  send: (upTo: number) => void,
): void => {
  const one: Paced = {
    from: performance.now() + plan.firstTokenMs,
    tokensPerSecond: plan.tokensPerSecond,
    count: plan.count,
    send(upTo) {
      call.firstTokenAt ??= now()
      send(upTo)
    },
  }
  response.once('close', () => pace.remove(one))
  pace.add(one)
}

const chatting = (options: LabOptions, pace: Pacer) => {
  const decide = deciding(options)
  const framesFor = rememberedFrames()
  return async (call: RecordedCall, response: ServerResponse): Promise<void> => {
    const result = keyProblem(options, call) ?? (await decide(call))
    if (result.lab === 'silence') return
    if (result.lab === 'status') return sendStatus(response, result)
    const model = options.models?.[call.body.model]
    const firstTokenMs = result.firstTokenMs ?? model?.firstTokenMs ?? options.firstTokenMs ?? 0
    const tokensPerSecond =
      result.tokensPerSecond ?? model?.tokensPerSecond ?? options.tokensPerSecond ?? Infinity
    if (call.body.stream && model?.streams !== false) {
      const frames = framesFor(call, result)
      const plan = { firstTokenMs, tokensPerSecond, count: frames.ends.length }
      return paced(pace, call, response, plan, sendFrames(response, frames, result))
    }
    const writing = (tokensOf(result.text ?? '').length * 1_000) / tokensPerSecond
    const plan = { firstTokenMs: firstTokenMs + writing, tokensPerSecond: Infinity, count: 1 }
    paced(pace, call, response, plan, () => sendWhole(response, call, result))
  }
}

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

export const startLab = async (options: LabOptions = {}): Promise<Lab> => {
  const calls: RecordedCall[] = []
  const pace = pacer()
  const chat = chatting(options, pace)
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request
    if (path === '/lab/calls') return sendStatus(response, { lab: 'status', status: 200, body: calls })
    const [at, port] = [now(), request.socket.remotePort ?? 0]
    const body = await bodyOf(request)
    const call: RecordedCall = { method, path, headers, body, at, port, state: 'open' }
    if (options.record !== false) calls.push(call)
    response.once('close', () => {
      call.state = response.writableFinished ? 'done' : 'closed'
    })
    if (method === 'POST' && path === '/v1/chat/completions') return chat(call, response)
    const problem = keyProblem(options, call)
    if (problem?.lab === 'status') return sendStatus(response, problem)
    if (method === 'GET' && path === '/v1/models') return sendModels(response, options)
    response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(error => {
      if (!response.headersSent) sendStatus(response, { lab: 'status', status: 500, body: String(error) })
      else response.destroy()
    })
  })
  const port = await listening(server, options.port ?? 0)
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    calls,
    async stop() {
      pace.stop()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
