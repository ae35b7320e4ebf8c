/** The MCP server: the same tools, resources and prompts over stdio and over HTTP. */
import { McpServer } from '@modelcontextprotocol/server'
import { addPrompts } from './prompts.ts'
import { addResources } from './resources.ts'
import type { Tables } from './tables.ts'
import { addTasks } from './tasks.ts'
import { addArchiveTools, addTableTools } from './tools.ts'
import { addViews } from './views.ts'

const instructions =
  'Ask a round table when one model should not decide alone: a decision, a claim to check, an estimate, a second opinion. Put everything that the models need into the question or its attachments: they see nothing of this conversation. If a call comes back as running, call wait_for_table.'

export const createMcpServer = (tables: Tables, version: string): McpServer => {
  const server = new McpServer({ name: 'roundtable', title: 'Roundtable', version }, { instructions })
  addTableTools(server, tables)
  addArchiveTools(server, tables)
  addResources(server, tables)
  addViews(server, tables)
  addPrompts(server)
  addTasks(server, tables)
  return server
}
