/** The real MCP clients, of protocol versions 1 and 2, over HTTP and over standard input and output. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FirstHTTP } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'

export interface ToolReply {
  readonly isError?: boolean
  readonly structuredContent?: unknown
  readonly content: readonly { readonly type: string; readonly text?: string }[]
}

export interface CallOptions {
  readonly timeout?: number
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void
}

/** What the tests use of either client. */
export interface TestClient {
  call(name: string, input?: object, options?: CallOptions): Promise<ToolReply>
  tools(): Promise<readonly string[]>
  readonly raw: Client | FirstClient
}

const main = new URL('../../src/main/main.ts', import.meta.url).pathname
const info = { name: 'test', version: '1' }

export interface Command {
  readonly cwd: string
  readonly env: Record<string, string>
}

const stdioOf = ({ cwd, env }: Command) => ({
  ...{ command: process.execPath, args: [main, 'mcp'], cwd, env },
  stderr: 'pipe' as const,
})

const second = async (transport: Parameters<Client['connect']>[0]): Promise<TestClient> => {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    raw: client,
    call: async (name, input = {}, options = {}) =>
      (await client.callTool({ name, arguments: { ...input } }, options)) as ToolReply,
    tools: async () => (await client.listTools()).tools.map(tool => tool.name),
  }
}

const first = async (transport: Parameters<FirstClient['connect']>[0]): Promise<TestClient> => {
  const client = new FirstClient(info)
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    raw: client,
    call: async (name, input = {}, options = {}) =>
      (await client.callTool({ name, arguments: { ...input } }, undefined, options)) as ToolReply,
    tools: async () => (await client.listTools()).tools.map(tool => tool.name),
  }
}

export const overHTTP = {
  'client 2 over HTTP': (address: string, headers: Record<string, string> = {}) =>
    second(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } })),
  'client 1 over HTTP': (address: string, headers: Record<string, string> = {}) =>
    first(
      new FirstHTTP(new URL(`${address}/mcp`), { requestInit: { headers } }) as Parameters<
        FirstClient['connect']
      >[0],
    ),
} as const

export const overStdio = {
  'client 2 over stdio': (command: Command) => second(new StdioClientTransport(stdioOf(command))),
  'client 1 over stdio': (command: Command) => first(new FirstStdio(stdioOf(command))),
} as const
