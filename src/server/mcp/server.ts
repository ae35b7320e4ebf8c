/** The MCP server: the same tools, resources and prompts over stdio and over HTTP. */
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { failed } from './failed.ts'
import { addPrompts } from './prompts.ts'
import { addResources } from './resources.ts'
import type { Tables } from './tables.ts'
import { addTasks } from './tasks.ts'
import { addArchiveTools, addTableTools } from './tools.ts'
import { addViews } from './views.ts'

const instructions =
  'Ask a round table when one model should not decide alone: a decision, a claim to check, an estimate, a second opinion. Put everything that the models need into the question or its attachments: they see nothing of this conversation. If a call comes back as running, call wait_for_table.'

type Register = McpServer['registerTool']

/** Every tool that is registered from now on asks first, one that somebody adds later too. */
const checkTools = (server: McpServer, permit: NonNullable<Tables['permit']>): void => {
  const register = server.registerTool.bind(server) as (...given: unknown[]) => ReturnType<Register>
  const checked = (name: string, config: unknown, work: (...given: unknown[]) => Promise<CallToolResult>) =>
    register(name, config, (...given: unknown[]) =>
      failed(async () => {
        await permit(name, given[0])
        return work(...given)
      }),
    )
  server.registerTool = checked as unknown as Register
}

export const createMcpServer = (tables: Tables, version: string): McpServer => {
  const server = new McpServer({ name: 'roundtable', title: 'Roundtable', version }, { instructions })
  if (tables.permit) checkTools(server, tables.permit)
  addTableTools(server, tables)
  addArchiveTools(server, tables)
  addResources(server, tables)
  addViews(server, tables)
  addPrompts(server)
  addTasks(server, tables)
  return server
}
