import { vercel } from '../../src/models/makers.ts'
import { gateway } from './gateway.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event } from './wire.ts'

const problem = (type: string, message: string) => ({ error: { type, message }, generationId: 'gen_1' })

const question = [
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
  maker: vercel,
  wire: gateway,
  model: 'anthropic/claude-sonnet-4.6',
  requests: [
    {
      title: 'everything is passed on, the model in a header',
      model: 'spacexai/grok-4.20-reasoning',
      call: { effort: 'low', temperature: 0.3, seed: 7 },
      path: '/language-model',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'ai-gateway-auth-method': 'api-key',
        'ai-language-model-id': 'spacexai/grok-4.20-reasoning',
        'ai-language-model-streaming': 'true',
        'ai-language-model-specification-version': '4',
      },
      body: call => ({
        prompt: question,
        maxOutputTokens: 500,
        responseFormat: { type: 'json', name: 'answer', schema: call.shape.json },
        includeRawChunks: false,
        providerOptions: { gateway: { caching: 'auto' } },
        temperature: 0.3,
        seed: 7,
        reasoning: 'low',
      }),
    },
    {
      title: 'what is not set is left out',
      model: 'openai/gpt-5.5',
      path: '/language-model',
      headers: { 'ai-language-model-id': 'openai/gpt-5.5' },
      body: call => ({
        prompt: question,
        maxOutputTokens: 500,
        responseFormat: { type: 'json', name: 'answer', schema: call.shape.json },
        includeRawChunks: false,
        providerOptions: { gateway: { caching: 'auto' } },
      }),
    },
  ],
  usages: [
    {
      title: 'cached and reasoning tokens are included in the totals',
      raw: {
        inputTokens: { total: 1_000, noCache: 250, cacheRead: 600, cacheWrite: 150 },
        outputTokens: { total: 300, text: 50, reasoning: 250 },
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
    {
      kind: 'wrong-key',
      status: 401,
      body: problem('authentication_error', 'Invalid API key.'),
      words: 'Invalid API key.',
    },
    {
      kind: 'no-credit',
      status: 402,
      body: problem('insufficient_funds', 'Insufficient funds. Please add credits to your account.'),
      words: 'Please add credits',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem('rate_limit_exceeded', 'Free tier requests are rate-limited.'),
      headers: { 'retry-after': '6' },
      words: 'rate-limited',
      retryAfterMs: 6_000,
    },
    {
      kind: 'overload',
      status: 503,
      body: problem('internal_server_error', 'All providers are overloaded.'),
      words: 'All providers are overloaded.',
    },
    {
      kind: 'content-filter',
      status: 400,
      body: problem('invalid_request_error', 'The prompt was flagged by the content filter.'),
      words: 'content filter',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      words: 'prompt is too long',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem('model_not_found', "Model 'x/y' not found"),
      words: "Model 'x/y' not found",
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem('internal_server_error', 'It broke.'),
      words: 'It broke.',
    },
  ],
  midway: {
    event: event({
      type: 'error',
      error: { type: 'overloaded_error', message: 'The provider is overloaded.' },
    }),
    kind: 'overload',
    words: 'The provider is overloaded.',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'length' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'content-filter' }, ends: 'filter' },
  ],
  schema: {
    refused: {
      status: 400,
      body: problem('invalid_request_error', 'This model does not support structured outputs.'),
    },
    asked: ({ body }) => JSON.stringify(body.responseFormat).includes('schema'),
  },
  listing: {
    path: '/config',
    headers: { authorization: `Bearer ${key}`, 'ai-gateway-auth-method': 'api-key' },
    body: {
      models: [
        { id: 'openai/gpt-5.5', name: 'GPT-5.5', modelType: 'language' },
        { id: 'openai/text-embedding-4', name: 'Embedding 4', modelType: 'embedding' },
      ],
    },
    models: ['openai/gpt-5.5'],
  },
})
