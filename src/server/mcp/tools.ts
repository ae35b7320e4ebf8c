/** The tools that an MCP client can call. */
import { randomUUID } from 'node:crypto'
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import {
  askTableSchema,
  findSessionsSchema,
  foundSessionsSchema,
  listedModelsSchema,
  listModelsSchema,
  sessionTextSchema,
  showSessionSchema,
  tableResultSchema,
  takeSeatSchema,
  waitForTableSchema,
} from '../../api/index.ts'
import { UsageError } from '../../core/errors.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { fold } from '../../core/log/state.ts'
import { exporterNamed } from '../../exports/index.ts'
import { failed } from './failed.ts'
import { pageOf, refuseInTurn, tableResult } from './result.ts'
import type { Tables } from './tables.ts'
import { taskStarted, wantsTask } from './tasks.ts'
import { offerView, withView } from './views.ts'
import { endOfWait, serverReady, waitFor } from './waiting.ts'

/** Seconds that the caller has for an answer from its own seat. */
const ownSeconds = 900

const reading = { readOnlyHint: true, openWorldHint: false } as const

const told = (fields: Record<string, unknown>, text: string): CallToolResult => ({
  structuredContent: fields,
  content: [{ type: 'text', text }],
})

export const addTableTools = (server: McpServer, tables: Tables): void => {
  const shown = async (log: readonly SessionEvent[], context: ServerContext): Promise<CallToolResult> =>
    withView(server, context, log, tableResult(log, await tables.origin()))
  const asking = server.registerTool(
    'ask_table',
    {
      title: 'Ask a round table of models',
      description:
        'Several models answer the question separately, read each other, argue, and may change their minds. Code counts who agrees. It takes a minute or more and costs one call for each model and round.',
      inputSchema: askTableSchema,
      outputSchema: tableResultSchema,
      annotations: { openWorldHint: true, destructiveHint: false, idempotentHint: false },
    },
    ({ wait, stop_if_cancelled, my_seat, ...wish }, context) =>
      failed(async () => {
        const end = endOfWait(wait, context)
        await serverReady(tables)
        const mine = my_seat && { outside: [my_seat], outsideDeadline: ownSeconds }
        const id = await tables.open({ ...wish, ...mine }, randomUUID())
        // The caller's own seat is asked in the reply, so such a call is no task.
        if (!my_seat && wantsTask(context)) return taskStarted(await tables.log(id), await tables.origin())
        const { signal } = context.mcpReq
        const log = await waitFor(tables, id, end, context)
        if (signal.aborted && stop_if_cancelled && !fold(log).outcome) await tables.stop(id)
        return shown(log, context)
      }),
  )
  const waiting = server.registerTool(
    'wait_for_table',
    {
      title: 'Wait for a table',
      description: 'Waits for the verdict of a session that still runs. Call it again if it is not finished.',
      inputSchema: waitForTableSchema,
      outputSchema: tableResultSchema,
      annotations: reading,
    },
    ({ id, wait }, context) =>
      failed(async () => shown(await waitFor(tables, id, endOfWait(wait, context), context), context)),
  )
  const taking = server.registerTool(
    'take_seat',
    {
      title: 'Answer from your own seat',
      description:
        'Hands in your answer for a round, after ask_table with my_seat or wait_for_table said that it is your turn.',
      inputSchema: takeSeatSchema,
      outputSchema: tableResultSchema,
      annotations: { openWorldHint: true, destructiveHint: false, idempotentHint: false },
    },
    ({ id, round, answer, wait }, context) =>
      failed(async () => {
        const end = endOfWait(wait, context)
        const seat = fold(await tables.log(id)).seats.find(({ outside, person }) => outside && !person)
        if (!seat) throw new UsageError('You have no seat in this session.')
        await tables.handIn(id, seat.id, { round, answer })
        return shown(await waitFor(tables, id, end, context), context)
      }),
  )
  for (const tool of [asking, waiting, taking]) offerView(server, tool)
}

export const addArchiveTools = (server: McpServer, tables: Tables): void => {
  const showing = server.registerTool(
    'show_session',
    {
      title: 'Show a session',
      description: 'A session that was asked before: its verdict, or everything that was said.',
      inputSchema: showSessionSchema,
      outputSchema: sessionTextSchema,
      annotations: reading,
    },
    ({ id, form = 'verdict' }, context) =>
      failed(async () => {
        const [log, origin] = await Promise.all([tables.log(id), tables.origin()])
        refuseInTurn(log)
        const [first] = form === 'verdict' ? tableResult(log, origin).content : []
        const text = first?.type === 'text' ? first.text : exporterNamed(form).write(log)
        return withView(server, context, log, told({ id, url: pageOf(origin, id), text }, text))
      }),
  )
  offerView(server, showing)
  server.registerTool(
    'find_sessions',
    {
      title: 'Find sessions',
      description: 'Sessions that were asked before, newest first.',
      inputSchema: findSessionsSchema,
      outputSchema: foundSessionsSchema,
      annotations: reading,
    },
    ({ words, limit = 10, cursor }) =>
      failed(async () => {
        const { sessions, next } = await tables.find({ words, limit, cursor })
        const rows = sessions.map(({ id, question, openedAt, outcome, line }) => ({
          ...{ id, question, opened_at: openedAt, outcome, line },
        }))
        const lines = rows.map(
          ({ id, question, line }) => `${id}: ${question.slice(0, 200)} (${line ?? 'running'})`,
        )
        return told({ sessions: rows, next }, lines.join('\n') || 'No session was found.')
      }),
  )
  server.registerTool(
    'list_models',
    {
      title: 'List models',
      description: 'Models that can take a seat.',
      inputSchema: listModelsSchema,
      outputSchema: listedModelsSchema,
      annotations: reading,
    },
    ({ search, all, limit = 30 }) =>
      failed(async () => {
        const { models, total } = await tables.models({ search, limit, ...(!all && { configured: 'true' }) })
        const rows = models.map(({ id, name, makerLabel, missing }) => ({
          ...{ id, name, maker: makerLabel, missing: [...missing] },
        }))
        const lines = rows.map(
          ({ id, name, missing }) =>
            `${id}: ${name}${missing.length > 0 ? ` (needs ${missing.join(' or ')})` : ''}`,
        )
        return told({ models: rows, total }, lines.join('\n') || 'No model was found.')
      }),
  )
}
