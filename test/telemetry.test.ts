/** Traces and metrics of a real server, in a small collector. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { terminals } from './command-line.ts'
import { startLab } from './lab/server.ts'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string }
}
interface SpanSent {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly Attribute[]
}

const startCollector = async () => {
  const bodies: { path: string; body: string }[] = []
  const server = createServer(async (request, response) => {
    bodies.push({ path: request.url ?? '', body: await text(request) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const at = (path: string) => bodies.filter(one => one.path === path).map(({ body }) => body)
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    everything: () => bodies.map(({ body }) => body).join('\n'),
    spans: (): SpanSent[] =>
      at('/v1/traces').flatMap(body =>
        (
          JSON.parse(body) as {
            resourceSpans: { scopeSpans: { spans: SpanSent[] }[] }[]
          }
        ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    metrics: () => at('/v1/metrics').join('\n'),
  }
}

const attributeOf = ({ attributes }: SpanSent, key: string) => {
  const value = attributes.find(one => one.key === key)?.value
  return value?.stringValue ?? Number(value?.intValue)
}

const words = 'Shall we plant lilacs in the yard?'
const caller = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }

/** Asks one question of a server, waits for its verdict, and stops the server. */
const askedOnce = async (env: Record<string, string>) => {
  const lab = await startLab({})
  onTestFinished(() => lab.stop())
  const { start } = terminals({ ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`, ...env })
  const server = start(['serve', '--port', '0'])
  const address = await server.wrote(/Roundtable is at (\S+)/)
  const opened = await fetch(`${address}/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${caller.trace}-${caller.span}-01` },
    body: JSON.stringify({
      question: words,
      options: ['Yes', 'No'],
      seats: ['lab/a', 'lab/b'],
      protocol: 'poll',
    }),
  })
  const { id } = (await opened.json()) as { id: string }
  await expect
    .poll(async () => (await (await fetch(`${address}/api/sessions/${id}`)).json()).outcome, {
      timeout: 60_000,
    })
    .toBe('verdict')
  server.child.kill('SIGTERM')
  await server.done
  return { id, calls: lab.calls.filter(({ method }) => method === 'POST').length }
}

test('[H325] one session is one trace, from the request to each call of a model, without prompts', async () => {
  const collector = await startCollector()
  const { id, calls } = await askedOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.address })
  const spans = collector.spans()
  const request = spans.find(({ name }) => name === 'POST /api/sessions')!
  expect(request).toMatchObject({ traceId: caller.trace, parentSpanId: caller.span })
  const run = spans.find(({ name }) => name === 'invoke_workflow roundtable')!
  expect(run).toMatchObject({ traceId: caller.trace, parentSpanId: request.spanId })
  expect([attributeOf(run, 'gen_ai.conversation.id'), attributeOf(run, 'roundtable.outcome')]).toEqual([
    id,
    'verdict',
  ])
  const chats = spans.filter(({ name }) => name.startsWith('chat '))
  expect(chats).toHaveLength(calls)
  expect(chats.length).toBeGreaterThanOrEqual(2)
  for (const chat of chats) {
    expect(chat).toMatchObject({ traceId: caller.trace, parentSpanId: run.spanId })
    expect(attributeOf(chat, 'gen_ai.operation.name')).toBe('chat')
    expect(attributeOf(chat, 'gen_ai.provider.name')).toBe('lab')
    expect(attributeOf(chat, 'gen_ai.usage.output_tokens')).toBeGreaterThan(0)
  }
  expect(new Set(chats.map(chat => attributeOf(chat, 'gen_ai.request.model')))).toEqual(new Set(['a', 'b']))
  expect(collector.metrics()).toContain('gen_ai.client.operation.duration')
  expect(collector.metrics()).toContain('gen_ai.client.token.usage')
  expect(collector.everything()).not.toContain('lilacs')
}, 120_000)

test('[H326] prompts and replies are sent only if that is asked for', async () => {
  const collector = await startCollector()
  await askedOnce({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  })
  const chat = collector.spans().find(({ name }) => name.startsWith('chat '))!
  expect(attributeOf(chat, 'gen_ai.input.messages')).toContain('lilacs')
  expect(attributeOf(chat, 'gen_ai.output.messages')).toContain('assistant')
}, 120_000)
