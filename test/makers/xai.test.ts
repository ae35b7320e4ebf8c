import { xai } from '../../src/models/makers.ts'
import { openaiResponses } from './openai-responses.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const problem = (code: string, error: string) => ({ code, error })

const input = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'The question:' },
      { type: 'input_text', text: '\n\nDoes size matter?' },
    ],
  },
]

makerSuite({
  maker: xai,
  wire: openaiResponses,
  model: 'grok-4.20-reasoning',
  requests: [
    {
      title: 'a model that does not accept an effort',
      model: 'grok-4.20-reasoning',
      call: { effort: 'low', temperature: 0.3, seed: 7 },
      path: '/responses',
      headers,
      body: call => ({
        model: 'grok-4.20-reasoning',
        input,
        max_output_tokens: 500,
        temperature: 0.3,
        seed: 7,
        text: { format: { type: 'json_schema', strict: true, name: 'answer', schema: call.shape.json } },
        store: false,
        include: ['reasoning.encrypted_content'],
        stream: true,
      }),
    },
    {
      title: 'a model that accepts an effort',
      model: 'grok-4.6',
      call: { effort: 'high' },
      path: '/responses',
      headers,
      body: call => ({
        model: 'grok-4.6',
        input,
        max_output_tokens: 500,
        text: { format: { type: 'json_schema', strict: true, name: 'answer', schema: call.shape.json } },
        reasoning: { effort: 'high' },
        store: false,
        include: ['reasoning.encrypted_content'],
        stream: true,
      }),
    },
  ],
  usages: [
    {
      title: 'cached and reasoning tokens are included in the totals',
      raw: {
        input_tokens: 1_000,
        input_tokens_details: { cached_tokens: 600 },
        output_tokens: 300,
        output_tokens_details: { reasoning_tokens: 250 },
      },
      usage: { inputTokens: 1_000, cachedTokens: 600, outputTokens: 300, reasoningTokens: 250 },
    },
    {
      title: 'cached tokens that exceed the total are added to it',
      raw: { input_tokens: 400, input_tokens_details: { cached_tokens: 600 }, output_tokens: 300 },
      usage: { inputTokens: 1_000, cachedTokens: 600, outputTokens: 300 },
    },
  ],
  errors: [
    {
      kind: 'wrong-key',
      status: 401,
      body: problem('Unauthenticated', 'No credentials provided.'),
      words: 'No credentials provided.',
    },
    {
      kind: 'wrong-key',
      status: 400,
      body: problem('Client specified an invalid argument', 'Incorrect API key provided: sk***ef.'),
      words: 'Incorrect API key provided: [key].',
    },
    {
      kind: 'no-credit',
      status: 403,
      body: problem(
        'The caller does not have permission to execute the specified operation',
        "Your newly created team doesn't have any credits or licenses yet.",
      ),
      words: "doesn't have any credits or licenses yet",
    },
    {
      kind: 'no-credit',
      status: 429,
      body: problem(
        'Some resource has been exhausted',
        'Your team has either used all available credits or reached its monthly spending limit.',
      ),
      words: 'used all available credits',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: { error: { message: 'Too many requests.', type: 'rate_limit_exceeded' } },
      headers: { 'retry-after': '3' },
      words: 'Too many requests.',
      retryAfterMs: 3_000,
    },
    {
      kind: 'overload',
      status: 503,
      body: problem('The service is currently unavailable', 'The model is at capacity right now.'),
      words: 'at capacity right now',
    },
    {
      kind: 'content-filter',
      status: 403,
      body: problem('Forbidden', 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO'),
      words: 'Content violates usage guidelines',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        'Client specified an invalid argument',
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      ),
      words: 'maximum prompt length is 131072',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem(
        'Some requested entity was not found',
        'The model grok-9 does not exist or your team does not have access to it.',
      ),
      words: 'The model grok-9 does not exist',
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem('Internal error', 'Something failed.'),
      words: 'Something failed.',
    },
  ],
  midway: {
    event: event({ type: 'error', code: 'service_unavailable', message: 'Come back later.', param: null }),
    kind: 'overload',
    words: 'Come back later.',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'max_output_tokens' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'content_filter' }, ends: 'filter' },
  ],
  refuses: true,
  schema: {
    refused: {
      status: 400,
      body: problem('Client specified an invalid argument', 'Structured outputs are not supported.'),
    },
    asked: ({ body }) => JSON.stringify(body.text ?? {}).includes('json_schema'),
  },
  listing: {
    path: '/models',
    headers: { authorization: `Bearer ${key}` },
    body: { object: 'list', data: [{ id: 'grok-4.20-reasoning', object: 'model', owned_by: 'xai' }] },
    models: ['grok-4.20-reasoning'],
  },
})
