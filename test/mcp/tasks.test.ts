/** Long work as a task, on the wire and in the extension's own schemas. */

import { CreateTaskResultV2Schema, GetTaskResultV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2'
import { expect, test } from 'vitest'
import { tableResultSchema } from '../../src/api/doors.ts'
import { startSetup } from '../server/setup.ts'

const version = '2026-07-28'
const envelope = (extensions: object) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { extensions },
})

test('[MCP14] a client that declares tasks gets a handle at once, and the verdict by the same id', async () => {
  const { address, engine } = await startSetup({
    config: { seats: ['lab/a', 'lab/b', 'lab/c'], protocol: 'poll', moderator: 'lab/m' },
  })
  const send = async (
    method: string,
    params: { taskId?: string; name?: string },
    extensions: object = { 'io.modelcontextprotocol/tasks': {} },
  ) => {
    const reply = await fetch(`${address}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        'mcp-name': params.taskId ?? params.name ?? '',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, _meta: envelope(extensions) },
      }),
    })
    return (await reply.json()) as { result?: Record<string, unknown>; error?: { message: string } }
  }
  const ask = { name: 'ask_table', arguments: { question: 'Yes or no?', options: ['Yes', 'No'] } }
  const handle = CreateTaskResultV2Schema.parse((await send('tools/call', ask)).result)
  expect(handle.status).toBe('working')
  await engine.idle()
  const done = GetTaskResultV2Schema.parse((await send('tasks/get', { taskId: handle.taskId })).result)
  if (done.status !== 'completed') expect.fail(done.status)
  const { structuredContent } = done.result as { structuredContent: unknown }
  expect(tableResultSchema.parse(structuredContent)).toMatchObject({ status: 'finished', id: handle.taskId })
  expect((await send('tasks/get', { taskId: 'nobody' })).error?.message).toContain('no task')
  expect((await send('tasks/cancel', { taskId: handle.taskId })).error).toBeUndefined()
  const plain = await send('tools/call', ask, {})
  expect(plain.result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'finished' } })
})
