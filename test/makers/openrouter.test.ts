import { describe, expect, test } from 'vitest'
import { openrouter } from '../../src/models/makers.ts'
import { chatCompletions, jsonSchema, messages, streamed } from './chat-completions.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event, startWire } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const path = '/chat/completions'

const problem = (code: number, message: string, metadata?: object) => ({
  error: { code, message, ...(metadata && { metadata }) },
})

const listed = {
  data: [
    {
      id: 'x-ai/grok-4.20',
      name: 'xAI: Grok 4.20',
      context_length: 2_000_000,
      pricing: { prompt: '0.00000125', completion: '0.0000025' },
    },
    { id: 'anthropic/claude-sonnet-4.6', name: 'Anthropic: Claude Sonnet 4.6' },
  ],
}

makerSuite({
  maker: openrouter,
  wire: chatCompletions({
    basePath: '/api/v1',
    thinking: 'reasoning',
    preamble: ': OPENROUTER PROCESSING\n\n',
  }),
  model: 'anthropic/claude-sonnet-4.6',
  requests: [
    {
      title: 'effort in a separate field, and cache points for the maker that needs them',
      model: 'anthropic/claude-sonnet-4.6',
      call: { effort: 'low', temperature: 0.3, seed: 7, shared: 1 },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'anthropic/claude-sonnet-4.6',
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'The question:', cache_control: { type: 'ephemeral' } },
              { type: 'text', text: '\n\nDoes size matter?' },
            ],
          },
        ],
        max_tokens: 500,
        response_format: jsonSchema(call.shape.json),
        temperature: 0.3,
        seed: 7,
        reasoning: { effort: 'low' },
      }),
    },
    {
      title: 'a model without an effort',
      model: 'openai/gpt-5.5',
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'openai/gpt-5.5',
        messages: messages(),
        max_tokens: 500,
        response_format: jsonSchema(call.shape.json),
      }),
    },
    {
      title: 'Grok 4.20, which is seated as a reasoning model',
      model: 'x-ai/grok-4.20',
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'x-ai/grok-4.20',
        messages: messages(),
        max_tokens: 500,
        response_format: jsonSchema(call.shape.json),
        reasoning: { enabled: true },
      }),
    },
  ],
  usages: [
    {
      title: 'cache reads and writes are included in the prompt, reasoning in the completion',
      raw: {
        prompt_tokens: 1_000,
        completion_tokens: 300,
        total_tokens: 1_300,
        cost: 0.0012,
        prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 150 },
        completion_tokens_details: { reasoning_tokens: 250 },
      },
      usage: {
        inputTokens: 1_000,
        cachedTokens: 600,
        cacheWriteTokens: 150,
        outputTokens: 300,
        reasoningTokens: 250,
      },
    },
  ],
  errors: [
    { kind: 'wrong-key', status: 401, body: problem(401, 'User not found.'), words: 'User not found.' },
    {
      kind: 'no-credit',
      status: 402,
      body: problem(
        402,
        'Prompt tokens limit exceeded: 69120 > 36608. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account',
      ),
      words: 'Prompt tokens limit exceeded',
    },
    {
      kind: 'no-credit',
      status: 402,
      body: problem(402, 'This request requires more credits, or fewer max_tokens.'),
      words: 'requires more credits',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem(429, 'Provider returned error', {
        raw: 'kimi is temporarily rate-limited upstream.',
        provider_name: 'Chutes',
      }),
      headers: { 'retry-after': '4' },
      words: 'Provider returned error: kimi is temporarily rate-limited upstream.',
      retryAfterMs: 4_000,
    },
    {
      kind: 'overload',
      status: 503,
      body: problem(503, 'No instances available (503).'),
      words: 'No instances available',
    },
    {
      kind: 'content-filter',
      status: 403,
      body: problem(403, 'openai/gpt-5.5 requires moderation. Your input was flagged for "violence".', {
        reasons: ['violence'],
        flagged_input: 'Does size…',
      }),
      words: 'requires moderation',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        400,
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens.",
      ),
      words: 'maximum context length',
    },
    {
      kind: 'unknown-model',
      status: 400,
      body: problem(400, 'x-ai/grok-99 is not a valid model ID'),
      words: 'is not a valid model ID',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem(404, 'No endpoints found for x-ai/grok-99.'),
      words: 'No endpoints found',
    },
    { kind: 'server-error', status: 502, body: problem(502, 'Bad upstream.'), words: 'Bad upstream.' },
  ],
  midway: {
    event: event({
      id: 'gen-1',
      object: 'chat.completion.chunk',
      error: { code: 'server_error', message: 'Provider disconnected unexpectedly' },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    }),
    kind: 'server-error',
    words: 'Provider disconnected unexpectedly',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'length' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'content_filter' }, ends: 'filter' },
  ],
  refuses: true,
  schema: {
    refused: {
      status: 404,
      body: problem(404, 'No endpoints found that can handle the requested parameters.'),
    },
    asked: ({ body }) => body.response_format !== undefined,
  },
  listing: {
    path: '/models/user',
    headers: { authorization: `Bearer ${key}` },
    body: listed,
    models: ['x-ai/grok-4.20', 'anthropic/claude-sonnet-4.6'],
  },
})

describe('openrouter', () => {
  test('[K21] facts about a model that the catalogue lacks come from the maker’s own list', async () => {
    const server = await startWire(() => ({ status: 200, body: listed }))
    const known = (model: string) => (model === 'known' ? { name: 'Known' } : {})
    const provider = openrouter.connect({ key, baseURL: `${server.origin}/api/v1`, known })
    expect(await provider.facts('known')).toEqual({ name: 'Known' })
    expect(server.requests).toHaveLength(0)
    expect(await provider.facts('x-ai/grok-4.20')).toEqual({
      name: 'xAI: Grok 4.20',
      context: 2_000_000,
      price: { input: 1.25, output: 2.5, search: 0.02 },
    })
    await server.stop()
  })
})
