/**
 * Long work as a task, for clients that declare the extension: the call returns a handle at once, and the client asks for
 * the result. A task's id is its session's, so it outlives every process and needs no place of its own.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { SessionEvent } from '../../core/log/event.ts'
import { fold } from '../../core/log/state.ts'
import { tableResult } from './result.ts'
import type { Tables } from './tables.ts'

const extension = 'io.modelcontextprotocol/tasks'
const pollIntervalMs = 2_000

const declaredSchema = z.object({ extensions: z.record(z.string(), z.unknown()) })

export const wantsTask = ({ mcpReq }: ServerContext): boolean => {
  const declared = declaredSchema.safeParse(
    (mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY],
  )
  return declared.success && declared.data.extensions[extension] !== undefined
}

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

const stateOf = (log: readonly SessionEvent[], origin: string) => {
  const { outcome } = fold(log)
  if (outcome === undefined) return { ...taskOf(log), status: 'working' as const }
  if (outcome === 'interrupted') return { ...taskOf(log), status: 'cancelled' as const }
  return { ...taskOf(log), status: 'completed' as const, result: tableResult(log, origin) }
}

const named = z.looseObject({ taskId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/) })

export const addTasks = ({ server }: McpServer, tables: Tables): void => {
  const logOf = (id: string) =>
    tables.log(id).catch(() => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task "${id}".`)
    })
  server.registerCapabilities({ extensions: { [extension]: {} } })
  server.setRequestHandler('tasks/get', { params: named }, async ({ taskId }) =>
    stateOf(await logOf(taskId), await tables.origin()),
  )
  server.setRequestHandler('tasks/cancel', { params: named }, async ({ taskId }) => {
    if (!fold(await logOf(taskId)).outcome) await tables.stop(taskId)
    return {}
  })
}
