/** `/mcp`: the MCP server over streamable HTTP, behind the guards of all routes. */

import { Hono } from 'hono'
import type { AnswerBody, AskBody, FindingsReply, FindQuery } from '../api/sessions.ts'
import type { ModelsQuery, ModelsReply } from '../api/table.ts'
import type { SessionEvent } from '../core/event.ts'
import type { Env, Service } from '../http/service.ts'

/** The package is loaded at the first request: most servers are never asked for it. */
const handlerFor = async (service: Service) => {
  const [{ createMcpHandler }, { createMcpServer }, { servedTables }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./mcp-server.ts'),
    import('./served-tables.ts'),
  ])
  const { limits, version, closing, log } = service
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const origin = requestInfo ? new URL(requestInfo.url).origin : ''
      return createMcpServer(servedTables(service, origin), version)
    },
    {
      maxRequestBodySize: limits.bodyBytes,
      onerror: error => log.debug({ error: error.message }, 'An MCP request failed.'),
    },
  )
  closing.addEventListener('abort', () => void handler.close())
  return handler
}

export const createMcpRoute = (service: Service): Hono<Env> => {
  const app = new Hono<Env>()
  let handler: ReturnType<typeof handlerFor> | undefined
  app.all('/mcp', async context => {
    handler ??= handlerFor(service)
    return (await handler).fetch(context.req.raw)
  })
  return app
}

// tables: What the MCP tools need: sessions of a server, in this process or in another one.

export interface Tables {
  /** Opens a session. With the same key, it is opened once, however often it is tried. */
  open(input: AskBody, key: string): Promise<string>
  /** Throws if there is no such session. */
  log(id: string): Promise<readonly SessionEvent[]>
  /** Every event from the first one, until the session is over or the signal is aborted. */
  follow(id: string, signal: AbortSignal): AsyncIterable<SessionEvent>
  stop(id: string): Promise<void>
  /** Hands in the answer of a seat that is held from outside. */
  handIn(id: string, seat: string, body: AnswerBody): Promise<void>
  find(query: FindQuery): Promise<FindingsReply>
  models(query: ModelsQuery): Promise<ModelsReply>
  /** Throws if the caller may not use this tool with these arguments. Left out: whoever gets here may use all of them. */
  permit?(tool: string, given: unknown): Promise<void>
  /** Where the pages are, such as `http://127.0.0.1:4317`. */
  origin(): Promise<string>
}
