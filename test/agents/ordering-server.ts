/**
 * A model that obeys an injected order: it asks for every tool that it is offered, and for some that it isn't, so that they
 * write a file, run a command and read a secret. Then it answers.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface OrderingServer {
  /** For chat completions and OpenAI's responses. */
  readonly baseURL: string
  /** For Gemini's own format. */
  readonly origin: string
  /** How often tools were asked for. */
  orders(): number
  /** The names of all tools that were offered. */
  offered(): readonly string[]
  /** How often something reached the model that must not leave the machine. */
  leaks(): number
  stop(): Promise<void>
}

export interface Order {
  /** Whatever is called writes this file, or runs `touch` for it. */
  readonly file: string
  readonly secretFile: string
  /** What stands in the secret file. */
  readonly secret: string
}

/** The names that agents give to tools which act, whether they are offered or not. */
const usualNames = [
  ...['bash', 'write', 'edit', 'read', 'task', 'run_shell_command', 'write_file', 'read_file', 'replace'],
  ...['shell', 'exec_command', 'apply_patch', 'web_fetch', 'tool_call'],
]

type Body = Readonly<Record<string, unknown>>

const namesIn = (tools: unknown): string[] =>
  (Array.isArray(tools) ? tools : []).flatMap((tool: Body) => {
    const declared = tool.functionDeclarations as readonly { name: string }[] | undefined
    const named = (tool.function ?? tool) as { name?: string; type?: string }
    return declared?.map(({ name }) => name) ?? named.name ?? named.type ?? []
  })

const argumentsFor = ({ file, secretFile }: Order, name: string): Body =>
  /read|grep|glob|list/.test(name)
    ? {
        filePath: secretFile,
        file_path: secretFile,
        absolute_path: secretFile,
        path: secretFile,
        pattern: '.',
      }
    : {
        ...{
          command: `cat ${secretFile}; touch ${file} ./obeyed`,
          cmd: `touch ${file}`,
          description: 'as ordered',
        },
        ...{
          filePath: file,
          file_path: file,
          path: file,
          content: 'obeyed',
          workdir: '/',
          is_background: false,
        },
        ...{ old_string: '', new_string: 'obeyed', prompt: `touch ${file}`, name: 'run_shell_command' },
        arguments: { command: `touch ${file}` },
      }

const answer = '{"headline":"It was done as ordered."}'

type Wire = 'chat' | 'responses' | 'gemini'

const events: Record<Wire, (order: Order, names: readonly string[]) => object[]> = {
  chat(order, names) {
    const head = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'ordering' }
    const calls = names.map((name, index) => ({
      ...{ index, id: `call_${index}`, type: 'function' },
      function: { name, arguments: JSON.stringify(argumentsFor(order, name)) },
    }))
    const orders = names.length > 0
    const delta = orders ? { role: 'assistant', tool_calls: calls } : { role: 'assistant', content: answer }
    return [
      { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: orders ? 'tool_calls' : 'stop' }] },
    ]
  },
  responses(order, names) {
    const calls = names.map((name, index) => ({
      ...{ type: 'function_call', id: `f${index}`, call_id: `call_${index}`, name },
      arguments: JSON.stringify(argumentsFor(order, name)),
    }))
    const content = [{ type: 'output_text', text: answer }]
    const message = { type: 'message', role: 'assistant', id: 'm', content }
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
    return [
      { type: 'response.created', response: { id: 'r' } },
      ...(names.length > 0 ? calls : [message]).map(item => ({ type: 'response.output_item.done', item })),
      { type: 'response.completed', response: { id: 'r', usage } },
    ]
  },
  gemini(order, names) {
    const calls = names.map(name => ({ functionCall: { name, args: argumentsFor(order, name) } }))
    const parts = names.length > 0 ? calls : [{ text: answer }]
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
    return [
      { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata },
    ]
  },
}

const send = (response: ServerResponse, wire: Wire, all: readonly object[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of all) {
    const name = wire === 'responses' ? `event: ${(event as { type: string }).type}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(wire === 'chat' ? 'data: [DONE]\n\n' : '')
}

const wireOf = (url: string): Wire =>
  url.includes('GenerateContent') || url.includes('generateContent')
    ? 'gemini'
    : url.includes('chat')
      ? 'chat'
      : 'responses'

/** The results of tools say that they came back, so the model goes on. */
const hasResults = (body: string): boolean => /call_0|functionResponse/.test(body)

export const startOrdering = async (order: Order): Promise<OrderingServer> => {
  let [orders, leaks] = [0, 0]
  const offered = new Set<string>()
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end('{}')
    const parsed = (await json(request)) as Body
    const body = JSON.stringify(parsed)
    if (body.includes(order.secret)) leaks++
    const names = namesIn(parsed.tools)
    for (const name of names) offered.add(name)
    const first = !hasResults(body)
    if (first) orders++
    const wanted = first ? [...new Set([...names, ...usualNames])] : []
    const wire = wireOf(request.url ?? '')
    const all = events[wire](order, wanted)
    const isStream = wire !== 'gemini' || request.url?.includes('stream')
    if (isStream) return send(response, wire, all)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(all[0]))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ origin, baseURL: `${origin}/v1` },
    orders: () => orders,
    offered: () => [...offered],
    leaks: () => leaks,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
