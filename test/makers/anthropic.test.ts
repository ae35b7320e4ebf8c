import { expect, test } from 'vitest'
import { anthropic } from '../../src/models/makers.ts'
import type { ModelCall } from '../../src/models/provider.ts'
import { callTo, contractText, partsFrom, textOf } from '../contracts/providers-contract.ts'
import { anthropicMessages, toolReply } from './anthropic-messages.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event, startWire } from './wire.ts'

const headers = {
  'x-api-key': key,
  'anthropic-version': '2023-06-01',
  'content-type': 'application/json',
}

const problem = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
})

const cached = { type: 'ephemeral' }

const prompt = {
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'The question:' },
        { type: 'text', text: '\n\nDoes size matter?' },
      ],
    },
  ],
}

makerSuite({
  maker: anthropic,
  wire: anthropicMessages,
  model: 'claude-sonnet-4-6',
  requests: [
    {
      title: 'a model that accepts a temperature but no seed',
      model: 'claude-sonnet-4-6',
      call: { temperature: 0.3, seed: 7 },
      path: '/messages',
      headers,
      body: call => ({
        model: 'claude-sonnet-4-6',
        max_tokens: 500,
        temperature: 0.3,
        ...prompt,
        output_config: { format: { type: 'json_schema', schema: call.shape.json } },
        stream: true,
      }),
    },
    {
      title: 'effort, without a temperature',
      model: 'claude-opus-4-7',
      call: { temperature: 0.3, effort: 'low' },
      path: '/messages',
      headers,
      body: call => ({
        model: 'claude-opus-4-7',
        max_tokens: 500,
        ...prompt,
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'low', format: { type: 'json_schema', schema: call.shape.json } },
        stream: true,
      }),
    },
    {
      title: 'effort as a thinking budget, added to the limit of the answer',
      model: 'claude-haiku-4-5',
      call: { effort: 'low' },
      path: '/messages',
      headers,
      body: call => ({
        model: 'claude-haiku-4-5',
        max_tokens: 6_900,
        ...prompt,
        thinking: { type: 'enabled', budget_tokens: 6_400 },
        output_config: { format: { type: 'json_schema', schema: call.shape.json } },
        stream: true,
      }),
    },
  ],
  usages: [
    {
      title: 'cached input is added, thinking is included in the output',
      raw: {
        input_tokens: 100,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 600,
        output_tokens: 250,
        output_tokens_details: { thinking_tokens: 200 },
      },
      usage: {
        inputTokens: 1_000,
        cachedTokens: 600,
        cacheWriteTokens: 300,
        outputTokens: 250,
        reasoningTokens: 200,
      },
    },
    {
      title: 'an absent count stays absent',
      raw: { input_tokens: 100, output_tokens: 250 },
      usage: { inputTokens: 100, outputTokens: 250 },
    },
  ],
  errors: [
    {
      kind: 'wrong-key',
      status: 401,
      body: problem('authentication_error', 'invalid x-api-key'),
      words: 'invalid x-api-key',
    },
    {
      kind: 'wrong-key',
      status: 403,
      body: problem('permission_error', 'Your key may not use this model.'),
      words: 'Your key may not use this model.',
    },
    {
      kind: 'no-credit',
      status: 400,
      body: problem(
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
      ),
      words: 'Your credit balance is too low',
    },
    {
      kind: 'no-credit',
      status: 402,
      body: problem('billing_error', 'There is an issue with your billing.'),
      words: 'There is an issue with your billing.',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem('rate_limit_error', 'This request would exceed your rate limit.'),
      headers: { 'retry-after': '12' },
      words: 'would exceed your rate limit',
      retryAfterMs: 12_000,
    },
    { kind: 'overload', status: 529, body: problem('overloaded_error', 'Overloaded'), words: 'Overloaded' },
    {
      kind: 'content-filter',
      status: 400,
      body: problem('invalid_request_error', 'Output blocked by content filtering policy'),
      words: 'Output blocked by content filtering policy',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      words: 'prompt is too long',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
      ),
      words: 'exceed context limit',
    },
    {
      kind: 'context-overflow',
      status: 413,
      body: problem('request_too_large', 'Request exceeds the maximum allowed number of bytes.'),
      words: 'Request exceeds the maximum',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem('not_found_error', 'model: claude-9'),
      words: 'model: claude-9',
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem('api_error', 'Internal server error'),
      words: 'Internal server error',
    },
  ],
  midway: {
    event: event(problem('overloaded_error', 'Overloaded'), 'error'),
    kind: 'overload',
    words: 'Overloaded',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'max_tokens' }, ends: 'length' },
    { said: { text: 'Cut sh', finish: 'model_context_window_exceeded' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'refusal' }, ends: 'filter' },
  ],
  refuses: true,
  schema: {
    refused: {
      status: 400,
      body: problem('invalid_request_error', 'output_config.format: this model does not support JSON schema'),
    },
    asked: ({ body }) => JSON.stringify(body.output_config ?? {}).includes('json_schema'),
  },
  listing: {
    path: '/models?limit=1000',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: {
      data: [
        { type: 'model', id: 'claude-opus-4-7', display_name: 'Claude Opus 4.7' },
        { type: 'model', id: 'claude-sonnet-4-6', display_name: 'Claude Sonnet 4.6' },
      ],
      has_more: false,
    },
    models: ['claude-opus-4-7', 'claude-sonnet-4-6'],
  },
})

const bodyOf = async (call: ModelCall, events: readonly string[]) => {
  const wire = await startWire(() => ({ events }))
  try {
    const provider = anthropic.connect({ key, baseURL: `${wire.origin}/v1`, known: () => ({}) })
    return { parts: await partsFrom(provider, call), body: wire.requests[0]?.body }
  } finally {
    await wire.stop()
  }
}

test('[K11] a model without schema support answers through a tool of that form', async () => {
  const call = callTo('claude-sonnet-4-20250514')
  const { parts, body } = await bodyOf(call, toolReply(contractText))
  expect(textOf(parts)).toBe(contractText)
  expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  expect(body).toMatchObject({
    tools: [{ name: 'json', input_schema: call.shape.json }],
    tool_choice: { type: 'any' },
  })
})

test.each([
  [undefined, []],
  [1, [0]],
  [3, [0, 2]],
] as const)(
  '[K14] the ends of the shared parts of a prompt are marked for the cache: %s',
  async (shared, marked) => {
    const { words, end } = anthropicMessages.events({ text: contractText })
    const user = ['The question.', 'The place.', 'The round.', 'The seat.', '!']
    const call = callTo('claude-sonnet-4-6', { user, ...(shared && { shared }) })
    const { body } = await bodyOf(call, [...words, ...end])
    const { messages } = body as { messages: { content: { cache_control?: unknown }[] }[] }
    const marks = messages[0]?.content.map(part => part.cache_control)
    expect(marks).toEqual(user.map((_, index) => (marked.some(one => one === index) ? cached : undefined)))
  },
)
