/** Lets a program that speaks only OpenAI's responses format talk to the lab, which speaks chat completions. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface ResponsesBody {
  readonly model: string
  readonly instructions?: string
  readonly input: readonly {
    readonly role?: string
    readonly content?: readonly { readonly text?: string }[]
  }[]
  readonly tools?: readonly { readonly type: string; readonly name?: string }[]
  readonly text?: { readonly format?: { readonly name: string; readonly schema: object } }
}

export interface ResponsesDoor {
  readonly baseURL: string
  /** The names of the tools that came with each call. */
  readonly tools: (readonly string[])[]
  stop(): Promise<void>
}

const chatOf = ({ model, input, text }: ResponsesBody) => ({
  model,
  messages: input.map(({ role = 'user', content = [] }) => ({
    role,
    content: content.map(part => part.text ?? '').join('\n'),
  })),
  ...(text?.format && {
    response_format: { type: 'json_schema', json_schema: text.format },
  }),
})

const send = (response: ServerResponse, event: { readonly type: string }): void => {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

const answer = async (chat: string, body: ResponsesBody, response: ServerResponse): Promise<void> => {
  const reply = await fetch(`${chat}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(chatOf(body)),
  })
  const { choices } = (await reply.json()) as { choices: { message: { content: string } }[] }
  const text = choices[0]?.message.content ?? ''
  const message = { type: 'message', role: 'assistant', id: 'm1', content: [{ type: 'output_text', text }] }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  send(response, { type: 'response.created', ...{ response: { id: 'r1' } } })
  send(response, { type: 'response.output_item.added', ...{ item: { ...message, content: [] } } })
  send(response, { type: 'response.output_text.delta', ...{ delta: text } })
  send(response, { type: 'response.output_item.done', ...{ item: message } })
  const usage = {
    ...{ input_tokens: 321, output_tokens: 45, total_tokens: 366 },
    input_tokens_details: { cached_tokens: 7 },
    output_tokens_details: { reasoning_tokens: 0 },
  }
  send(response, { type: 'response.completed', ...{ response: { id: 'r1', usage } } })
  response.end()
}

export const openResponsesDoor = async (chat: string): Promise<ResponsesDoor> => {
  const tools: (readonly string[])[] = []
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') return void response.writeHead(404).end('{}')
    const body = (await json(request)) as ResponsesBody
    tools.push((body.tools ?? []).map(({ name, type }) => name ?? type))
    await answer(chat, body, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    tools,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
