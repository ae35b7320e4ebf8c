import { mistral } from '../../src/models/makers.ts'
import { mistralChat } from './mistral-chat.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const problem = (message: unknown, type: string, code: string | null) => ({
  object: 'error',
  message,
  type,
  param: null,
  code,
})

const messages = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'The question:' },
      { type: 'text', text: '\n\nDoes size matter?' },
    ],
  },
]

makerSuite({
  maker: mistral,
  wire: mistralChat,
  model: 'mistral-large-2512',
  requests: [
    {
      title: 'a model without effort; the seed has another name',
      model: 'mistral-large-2512',
      call: { temperature: 0.3, seed: 7, effort: 'high' },
      path: '/chat/completions',
      headers,
      body: call => ({
        model: 'mistral-large-2512',
        messages,
        max_tokens: 500,
        temperature: 0.3,
        random_seed: 7,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: call.shape.json, strict: true },
        },
        stream: true,
      }),
    },
    {
      title: 'a model with effort',
      model: 'mistral-medium-3.5',
      call: { effort: 'high' },
      path: '/chat/completions',
      headers,
      body: call => ({
        model: 'mistral-medium-3.5',
        messages,
        max_tokens: 500,
        reasoning_effort: 'high',
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: call.shape.json, strict: true },
        },
        stream: true,
      }),
    },
  ],
  usages: [
    {
      title: 'cached and reasoning tokens are included in the totals',
      raw: {
        prompt_tokens: 1_000,
        completion_tokens: 300,
        total_tokens: 1_300,
        num_cached_tokens: 600,
        completion_tokens_details: { reasoning_tokens: 250 },
      },
      usage: { inputTokens: 1_000, cachedTokens: 600, outputTokens: 300, reasoningTokens: 250 },
    },
    {
      title: 'cached tokens in the field that others use',
      raw: {
        prompt_tokens: 1_000,
        completion_tokens: 300,
        total_tokens: 1_300,
        prompt_tokens_details: { cached_tokens: 600 },
      },
      usage: { inputTokens: 1_000, cachedTokens: 600, outputTokens: 300 },
    },
  ],
  errors: [
    { kind: 'wrong-key', status: 401, body: { detail: 'Unauthorized' }, words: 'Unauthorized' },
    {
      kind: 'wrong-key',
      status: 401,
      body: { message: 'Unauthorized', request_id: 'r1' },
      words: 'Unauthorized',
    },
    {
      kind: 'no-credit',
      status: 402,
      body: { detail: 'Check your payment method.' },
      words: 'Check your payment method.',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem('Rate limit exceeded', 'rate_limited', '1300'),
      headers: { 'retry-after': '2' },
      words: 'Rate limit exceeded',
      retryAfterMs: 2_000,
    },
    {
      kind: 'overload',
      status: 429,
      body: problem('Service tier capacity exceeded for this model.', 'invalid_request_error', null),
      words: 'Service tier capacity exceeded',
    },
    { kind: 'overload', status: 503, body: '<html>Service Unavailable</html>', words: 'Service Unavailable' },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        'Prompt contains 140000 tokens, too large for model with 131072 maximum context length',
        'invalid_request_prompt',
        '3051',
      ),
      words: 'maximum context length',
    },
    {
      kind: 'unknown-model',
      status: 400,
      body: problem('Invalid model: mistral-huge', 'invalid_model', '1500'),
      words: 'Invalid model: mistral-huge',
    },
    {
      kind: 'bad-request',
      status: 422,
      body: problem(
        { detail: [{ loc: ['body', 'messages'], msg: 'Field required' }] },
        'invalid_request_error',
        '2000',
      ),
      words: 'Field required',
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem('Internal server error', 'internal_server_error', '3000'),
      words: 'Internal server error',
    },
  ],
  midway: {
    event: event(problem('Service tier capacity exceeded for this model.', 'invalid_request_error', null)),
    kind: 'overload',
    words: 'Service tier capacity exceeded',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'length' }, ends: 'length' },
    { said: { text: 'Cut sh', finish: 'model_length' }, ends: 'length' },
  ],
  schema: {
    refused: {
      status: 400,
      body: problem('Structured output is not supported by this model.', 'invalid_request_error', '2100'),
    },
    asked: ({ body }) => JSON.stringify(body.response_format ?? {}).includes('json_schema'),
  },
  listing: {
    path: '/models',
    headers: { authorization: `Bearer ${key}` },
    body: {
      object: 'list',
      data: [
        { id: 'mistral-large-2512', capabilities: { completion_chat: true }, max_context_length: 131_072 },
        { id: 'mistral-embed', capabilities: { completion_chat: false } },
      ],
    },
    models: ['mistral-large-2512'],
  },
})
