import { cerebras } from '../../src/models/makers.ts'
import { chatCompletions, jsonSchema, messages, problem, streamed } from './chat-completions.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const invalid = 'invalid_request_error'

makerSuite({
  maker: cerebras,
  wire: chatCompletions({ basePath: '/v1', thinking: 'reasoning', figures: 'finish' }),
  model: 'gpt-oss-120b',
  requests: [
    {
      title: 'a schema, an effort, a temperature and a seed',
      model: 'gpt-oss-120b',
      call: { effort: 'low', temperature: 0.3, seed: 7 },
      path: '/chat/completions',
      headers,
      body: call => ({
        ...streamed,
        model: 'gpt-oss-120b',
        messages: messages(),
        max_completion_tokens: 500,
        response_format: jsonSchema(call.shape.json),
        temperature: 0.3,
        seed: 7,
        reasoning_effort: 'low',
      }),
    },
  ],
  usages: [
    {
      title: 'cached tokens are included in the prompt, reasoning in the completion',
      raw: {
        prompt_tokens: 900,
        completion_tokens: 200,
        total_tokens: 1_100,
        prompt_tokens_details: { cached_tokens: 512 },
        completion_tokens_details: { reasoning_tokens: 120 },
      },
      usage: { inputTokens: 900, cachedTokens: 512, outputTokens: 200, reasoningTokens: 120 },
    },
  ],
  errors: [
    {
      kind: 'wrong-key',
      status: 401,
      body: problem('Wrong API Key', invalid, 'wrong_api_key'),
      words: 'Wrong API Key',
    },
    {
      kind: 'no-credit',
      status: 402,
      body: problem('Payment required', 'payment_required'),
      words: 'Payment required',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem(
        'Requests per minute limit exceeded',
        'too_many_requests_error',
        'request_quota_exceeded',
      ),
      headers: { 'retry-after': '12' },
      words: 'per minute limit exceeded',
      retryAfterMs: 12_000,
    },
    {
      kind: 'overload',
      status: 503,
      body: problem('We are experiencing high traffic', 'server_error'),
      words: 'high traffic',
    },
    {
      kind: 'content-filter',
      status: 400,
      body: problem('Flagged by the content filter', invalid, 'content_filter'),
      words: 'content filter',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem('Please reduce the length of the messages', invalid, 'context_length_exceeded'),
      words: 'reduce the length',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem(
        'Model it does not exist or you do not have access to it.',
        'not_found_error',
        'model_not_found',
      ),
      words: 'does not exist',
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem('Internal server error', 'server_error'),
      words: 'Internal server error',
    },
  ],
  midway: {
    event: event(problem('The model crashed', 'server_error')),
    kind: 'server-error',
    words: 'The model crashed',
  },
  endings: [{ said: { text: 'Cut sh', finish: 'length' }, ends: 'length' }],
  schema: {
    refused: {
      status: 400,
      body: problem('response_format json_schema is not supported by this model', invalid),
    },
    asked: ({ body }) => body.response_format !== undefined,
  },
  listing: {
    path: '/models',
    headers: { authorization: `Bearer ${key}` },
    body: { object: 'list', data: [{ id: 'gpt-oss-120b', object: 'model' }] },
    models: ['gpt-oss-120b'],
  },
})
