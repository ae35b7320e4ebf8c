import { describe, expect, test } from 'vitest'
import { deepseek } from '../../src/models/makers.ts'
import { callTo, partsFrom } from '../contracts/providers-contract.ts'
import { chatCompletions, messages, problem, streamed } from './chat-completions.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event, startWire } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const invalid = 'invalid_request_error'
const wire = chatCompletions({ basePath: '', figures: 'finish' })

makerSuite({
  maker: deepseek,
  wire,
  model: 'deepseek-v4-pro',
  requests: [
    {
      title: 'a reasoning model: effort but no temperature; no model accepts a seed or a schema',
      model: 'deepseek-v4-pro',
      call: { effort: 'medium', temperature: 0.3, seed: 7 },
      path: '/chat/completions',
      headers,
      body: call => ({
        ...streamed,
        model: 'deepseek-v4-pro',
        messages: messages(call.shape.json),
        max_tokens: 500,
        response_format: { type: 'json_object' },
        thinking: { type: 'enabled' },
        reasoning_effort: 'high',
      }),
    },
    {
      title: 'a low effort',
      model: 'deepseek-flash',
      call: { effort: 'low' },
      path: '/chat/completions',
      headers,
      body: call => ({
        ...streamed,
        model: 'deepseek-flash',
        messages: messages(call.shape.json),
        max_tokens: 500,
        response_format: { type: 'json_object' },
        thinking: { type: 'enabled' },
        reasoning_effort: 'low',
      }),
    },
    {
      title: 'a model that does not reason accepts a temperature',
      model: 'deepseek-chat',
      call: { temperature: 0.3 },
      path: '/chat/completions',
      headers,
      body: call => ({
        ...streamed,
        model: 'deepseek-chat',
        messages: messages(call.shape.json),
        max_tokens: 500,
        response_format: { type: 'json_object' },
        temperature: 0.3,
      }),
    },
  ],
  usages: [
    {
      title: 'cache hits are included in the prompt, reasoning in the completion',
      raw: {
        prompt_tokens: 1_000,
        completion_tokens: 300,
        total_tokens: 1_300,
        prompt_cache_hit_tokens: 640,
        prompt_cache_miss_tokens: 360,
        completion_tokens_details: { reasoning_tokens: 250 },
      },
      usage: { inputTokens: 1_000, cachedTokens: 640, outputTokens: 300, reasoningTokens: 250 },
    },
  ],
  errors: [
    {
      kind: 'wrong-key',
      status: 401,
      body: problem(
        'Authentication Fails, Your api key: ****cdef is invalid',
        'authentication_error',
        invalid,
      ),
      words: 'Authentication Fails',
    },
    {
      kind: 'no-credit',
      status: 402,
      body: problem('Insufficient Balance', 'unknown_error', invalid),
      words: 'Insufficient Balance',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem('Rate limit reached for requests.', 'rate_limit_error'),
      headers: { 'retry-after': '3' },
      words: 'Rate limit reached',
      retryAfterMs: 3_000,
    },
    {
      kind: 'overload',
      status: 503,
      body: problem(
        'Service is too busy. We advise users to temporarily switch.',
        'service_unavailable_error',
      ),
      words: 'too busy',
    },
    {
      kind: 'content-filter',
      status: 400,
      body: problem('Content Exists Risk', invalid, invalid),
      words: 'Content Exists Risk',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
        invalid,
        invalid,
      ),
      words: 'maximum context length',
    },
    {
      kind: 'unknown-model',
      status: 400,
      body: problem('Model Not Exist', invalid, invalid),
      words: 'Model Not Exist',
    },
    { kind: 'server-error', status: 500, body: problem('It broke.', 'server_error'), words: 'It broke.' },
  ],
  midway: {
    event: event(problem('The server is overloaded.', 'overloaded_error', 'service_unavailable')),
    kind: 'overload',
    words: 'The server is overloaded.',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'length' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'content_filter' }, ends: 'filter' },
  ],
  schema: {
    refused: { status: 400, body: problem('This response_format type is unavailable now', invalid, invalid) },
    asked: ({ body }) => body.response_format !== undefined,
  },
  listing: {
    path: '/models',
    headers: { authorization: `Bearer ${key}` },
    body: { object: 'list', data: [{ id: 'deepseek-v4-pro', object: 'model', owned_by: 'deepseek' }] },
    models: ['deepseek-v4-pro'],
  },
})

describe('deepseek', () => {
  test('[W11] the visible ends of a masked key are removed too', async () => {
    const body = problem('Authentication Fails, Your api key: ****cdef is invalid', 'authentication_error')
    const server = await startWire(() => ({ status: 401, body }))
    const provider = deepseek.connect({ key, baseURL: server.origin, known: () => ({}) })
    const parts = await partsFrom(provider, callTo('deepseek-v4-pro'))
    await server.stop()
    expect(parts.at(-1)).toMatchObject({
      error: { message: 'Authentication Fails, Your api key: [key] is invalid' },
    })
  })

  test('[K20] a reply that the maker breaks off for lack of capacity is an overload, not an answer', async () => {
    const { words, end } = wire.events({ text: 'Half of', finish: 'insufficient_system_resource' })
    const server = await startWire(() => ({ events: [...words, ...end] }))
    const provider = deepseek.connect({ key, baseURL: server.origin, known: () => ({}) })
    const parts = await partsFrom(provider, callTo('deepseek-v4-pro'))
    await server.stop()
    expect(parts.at(-1)).toMatchObject({ type: 'error', error: { kind: 'overload' } })
    expect(parts.filter(({ type }) => type === 'usage')).toHaveLength(1)
  })
})
