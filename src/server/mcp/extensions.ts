/** Which extensions of MCP a client declares. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

export const tasksExtension = 'io.modelcontextprotocol/tasks'
export const viewsExtension = 'io.modelcontextprotocol/ui'

const declaredSchema = z.looseObject({ extensions: z.record(z.string(), z.unknown()).optional() })

const has = (capabilities: unknown, extension: string): boolean => {
  const declared = declaredSchema.safeParse(capabilities)
  return declared.success && declared.data.extensions?.[extension] !== undefined
}

/** In this very request: clients of the second generation say it each time. */
export const declaresNow = ({ mcpReq }: ServerContext, extension: string): boolean =>
  has((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY], extension)

/** With its handshake. Undefined if nobody knows: a request of the first generation over HTTP stands alone. */
export const declaredBefore = ({ server }: McpServer, extension: string): boolean | undefined => {
  const capabilities: ClientCapabilities | undefined = server.getClientCapabilities()
  return capabilities && has(capabilities, extension)
}
