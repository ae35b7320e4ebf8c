import { afterEach, describe, expect, test } from 'vitest'
import { ollama, ollamaAddress } from '../../src/models/makers.ts'
import { callTo, contractText, partsFrom, textOf } from '../contracts/providers-contract.ts'
import { messages } from './chat-completions.ts'
import { ollamaChat } from './ollama-chat.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { type Answering, startWire, type Wire } from './wire.ts'

const headers = { 'content-type': 'application/json' }

makerSuite({
  maker: ollama,
  wire: ollamaChat,
  model: 'qwen3:8b',
  requests: [
    {
      title: 'a model without levels of effort',
      model: 'qwen3:8b',
      call: { effort: 'low', temperature: 0.3, seed: 7 },
      path: '/api/chat',
      headers,
      body: call => ({
        model: 'qwen3:8b',
        messages: messages(),
        stream: true,
        format: call.shape.json,
        think: true,
        options: { num_ctx: 8_192, num_predict: 500, temperature: 0.3, seed: 7 },
      }),
    },
    {
      title: 'GPT-OSS, which has levels of effort',
      model: 'gpt-oss:20b',
      call: { effort: 'low' },
      path: '/api/chat',
      headers,
      body: call => ({
        model: 'gpt-oss:20b',
        messages: messages(),
        stream: true,
        format: call.shape.json,
        think: 'low',
        options: { num_ctx: 8_192, num_predict: 500 },
      }),
    },
  ],
  usages: [
    {
      title: 'input and output are counted',
      raw: { prompt_eval_count: 1_000, eval_count: 300 },
      usage: { inputTokens: 1_000, outputTokens: 300 },
    },
    {
      title: 'a prompt that was still in memory is not counted',
      raw: { eval_count: 300 },
      usage: { inputTokens: 0, outputTokens: 300 },
    },
  ],
  errors: [
    { kind: 'wrong-key', status: 401, body: { error: 'unauthorized' }, words: 'unauthorized' },
    {
      kind: 'no-credit',
      status: 403,
      body: { error: 'this model requires a subscription, upgrade for access: https://ollama.com/upgrade' },
      words: 'requires a subscription',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: { error: "you've reached your hourly usage limit, please upgrade to continue" },
      headers: { 'retry-after': '60' },
      words: 'hourly usage limit',
      retryAfterMs: 60_000,
    },
    {
      kind: 'overload',
      status: 503,
      body: { error: 'server busy, please try again.  maximum pending requests exceeded' },
      words: 'server busy',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: { error: 'prompt too long; exceeded max context length by 12 tokens' },
      words: 'prompt too long',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: { error: "model 'llama9' not found" },
      words: "model 'llama9' not found",
    },
    {
      kind: 'server-error',
      status: 500,
      body: { error: 'model requires more system memory (9.1 GiB) than is available (4.2 GiB)' },
      words: 'more system memory',
    },
  ],
  midway: {
    event: '{"error":"an error was encountered while running the model: unexpected EOF"}\n',
    kind: 'server-error',
    words: 'unexpected EOF',
  },
  endings: [{ said: { text: 'Cut sh', finish: 'length' }, ends: 'length' }],
  schema: {
    refused: { status: 500, body: { error: 'failed to load model vocabulary required for format' } },
    asked: ({ body }) => body.format !== undefined,
  },
  listing: {
    path: '/api/tags',
    headers: {},
    body: {
      models: [{ name: 'qwen3:8b', model: 'qwen3:8b', size: 5_200_000_000, details: { family: 'qwen3' } }],
    },
    models: ['qwen3:8b'],
  },
})

describe('ollama', () => {
  const wires: Wire[] = []
  afterEach(async () => {
    for (const wire of wires.splice(0)) await wire.stop()
  })
  const started = async (answer: Answering) => {
    const wire = await startWire(answer)
    wires.push(wire)
    return { wire, provider: ollama.connect({ baseURL: wire.origin, known: () => ({}) }) }
  }
  const { words, end } = ollamaChat.events({ text: contractText })

  test('[K22] a model that cannot think is called without effort, and that is remembered', async () => {
    const { wire, provider } = await started(({ body }) =>
      body.think === undefined
        ? { events: [...words, ...end] }
        : { status: 400, body: { error: '"gemma3" does not support thinking' } },
    )
    const call = callTo('gemma3', { effort: 'high' })
    expect(textOf(await partsFrom(provider, call))).toBe(contractText)
    expect(textOf(await partsFrom(provider, call))).toBe(contractText)
    expect(wire.requests.map(({ body }) => body.think)).toEqual([true, undefined, undefined])
  })

  test.each([
    [1_000, 8_192],
    [23_000, 8_192],
    [24_000, 16_384],
    [60_000, 32_768],
    [300_000, 131_072],
  ])('[K25] a question of %i characters gets a context of %i tokens', async (length, context) => {
    const { wire, provider } = await started(() => ({ events: [...words, ...end] }))
    await partsFrom(provider, callTo('llama3.2', { user: ['x'.repeat(length)] }))
    expect(wire.requests[0]?.body.options).toMatchObject({ num_ctx: context })
  })

  test('[K23] no key is needed, and a key is sent only if it is set', async () => {
    const { wire, provider } = await started(() => ({ events: [...words, ...end] }))
    await partsFrom(provider, callTo('gemma3'))
    expect(wire.requests[0]?.headers.authorization).toBeUndefined()
    const other = ollama.connect({ key, baseURL: wire.origin, known: () => ({}) })
    await partsFrom(other, callTo('gemma3'))
    expect(wire.requests[1]?.headers.authorization).toBe(`Bearer ${key}`)
  })

  test('[K9] a page instead of a reply is reported with its text', async () => {
    const { provider } = await started(() => ({
      status: 200,
      body: '<html><body>Please log in</body></html>',
    }))
    expect((await partsFrom(provider, callTo('gemma3'))).at(-1)).toMatchObject({
      error: { kind: 'server-error', message: expect.stringContaining('Please log in') },
    })
  })

  test.each([
    ['127.0.0.1', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    [':8080', 'http://127.0.0.1:8080'],
    ['box.local:11434', 'http://box.local:11434'],
    ['http://box.local:11434/', 'http://box.local:11434'],
    ['https://ollama.example.org', 'https://ollama.example.org'],
    ['https://example.org/ollama/', 'https://example.org/ollama'],
  ])('[K24] the host %s is %s', (host, address) => {
    expect(ollamaAddress(host)).toBe(address)
  })
})
