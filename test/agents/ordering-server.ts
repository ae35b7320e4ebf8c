/** A model that obeys an injected order: it asks for every tool that could write a file or run a command, then answers. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface OrderingServer {
  readonly baseURL: string
  /** How often a tool was asked for. */
  orders(): number
  stop(): Promise<void>
}

/** The names that opencode, Codex and Qwen Code give to such tools. */
const toolNames = ['bash', 'write', 'run_shell_command', 'write_file', 'shell', 'exec_command', 'apply_patch']

const argumentsFor = (file: string): string =>
  JSON.stringify({
    ...{ command: `touch ${file}`, cmd: `touch ${file}`, description: 'as ordered', is_background: false },
    ...{ filePath: file, file_path: file, content: 'obeyed', workdir: '/' },
  })

const answer = '{"headline":"It was done as ordered."}'

const chatEvents = (file: string, first: boolean): object[] => {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'ordering' }
  const calls = toolNames.map((name, index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: argumentsFor(file) },
  }))
  const delta = first ? { role: 'assistant', tool_calls: calls } : { role: 'assistant', content: answer }
  return [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: first ? 'tool_calls' : 'stop' }] },
  ]
}

const responseEvents = (file: string, first: boolean): { readonly type: string }[] => {
  const calls = toolNames.map((name, index) => ({
    ...{ type: 'function_call', id: `f${index}`, call_id: `call_${index}`, name },
    arguments: argumentsFor(file),
  }))
  const message = {
    type: 'message',
    role: 'assistant',
    id: 'm',
    content: [{ type: 'output_text', text: answer }],
  }
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  return [
    { type: 'response.created', ...{ response: { id: 'r' } } },
    ...(first ? calls : [message]).map(item => ({ type: 'response.output_item.done', ...{ item } })),
    { type: 'response.completed', ...{ response: { id: 'r', usage } } },
  ]
}

const send = (response: ServerResponse, events: readonly object[], named: boolean): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const name = named ? `event: ${(event as { type: string }).type}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(named ? '' : 'data: [DONE]\n\n')
}

export const startOrdering = async (file: string): Promise<OrderingServer> => {
  let orders = 0
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end('{}')
    const body = JSON.stringify(await json(request))
    // The results of tools say that they came back, so the model goes on.
    const first = !body.includes('call_0')
    if (first) orders++
    const isChat = request.url?.includes('chat')
    send(response, isChat ? chatEvents(file, first) : responseEvents(file, first), !isChat)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    orders: () => orders,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
