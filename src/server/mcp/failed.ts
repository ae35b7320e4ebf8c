/** What an MCP client is told if a tool fails. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { refusalFrom } from '../problem.ts'

/** A refusal has words that help. Anything else is not the caller's business. */
export const failed = async (work: () => Promise<CallToolResult>): Promise<CallToolResult> => {
  try {
    return await work()
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: refusalFrom(error).message }] }
  }
}
