/**
 * Long work as a task, for clients that declare the extension: the call returns a handle at once, and the client asks for
 * the result. A task's id is its session's, so it outlives every process and needs no place of its own.
 */
import {
  type CallToolResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { SessionEvent } from '../../core/log/event.ts'
import { fold } from '../../core/log/state.ts'
import { declaresNow, tasksExtension } from './extensions.ts'
import { tableResult } from './result.ts'
import type { Tables } from './tables.ts'
import { withView } from './views.ts'

const pollIntervalMs = 2_000

export const wantsTask = (context: ServerContext): boolean => declaresNow(context, tasksExtension)

const taskOf = (log: readonly SessionEvent[]) => {
  const { id, openedAt, lastAt } = fold(log)
  return { taskId: id, createdAt: openedAt, lastUpdatedAt: lastAt, ttlMs: null, pollIntervalMs }
}

/** The handle, instead of a result. */
export const taskStarted = (log: readonly SessionEvent[], origin: string): CallToolResult => ({
  ...tableResult(log, origin),
  ...taskOf(log),
  resultType: 'task',
  status: 'working',
})

const stateOf = (log: readonly SessionEvent[], result: () => CallToolResult) => {
  const { outcome } = fold(log)
  if (outcome === undefined) return { ...taskOf(log), status: 'working' as const }
  if (outcome === 'interrupted') return { ...taskOf(log), status: 'cancelled' as const }
  return { ...taskOf(log), status: 'completed' as const, result: result() }
}

const named = z.looseObject({ taskId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/) })

export const addTasks = (mcp: McpServer, tables: Tables): void => {
  const { server } = mcp
  const logOf = (id: string) =>
    tables.log(id).catch(() => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task "${id}".`)
    })
  server.registerCapabilities({ extensions: { [tasksExtension]: {} } })
  server.setRequestHandler('tasks/get', { params: named }, async ({ taskId }, context) => {
    const [log, origin] = await Promise.all([logOf(taskId), tables.origin()])
    return stateOf(log, () => withView(mcp, context, log, tableResult(log, origin)))
  })
  server.setRequestHandler('tasks/cancel', { params: named }, async ({ taskId }) => {
    if (!fold(await logOf(taskId)).outcome) await tables.stop(taskId)
    return {}
  })
}
