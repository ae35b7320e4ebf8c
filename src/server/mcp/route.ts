/** `/mcp`: the MCP server over streamable HTTP, behind the guards of all routes. */
import { Hono } from 'hono'
import type { Env, Service } from '../service.ts'

/** The package is loaded at the first request: most servers are never asked for it. */
const handlerFor = async (service: Service) => {
  const [{ createMcpHandler }, { createMcpServer }, { servedTables }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
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
