import { groq } from '../../src/models/makers.ts'
import { chatCompletions, jsonSchema, messages, problem, streamed } from './chat-completions.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const path = '/chat/completions'
const invalid = 'invalid_request_error'

makerSuite({
  maker: groq,
  wire: chatCompletions({ basePath: '/openai/v1', thinking: 'reasoning', figures: 'x_groq' }),
  model: 'openai/gpt-oss-120b',
  requests: [
    {
      title: 'GPT-OSS accepts an effort and a schema',
      model: 'openai/gpt-oss-120b',
      call: { effort: 'low', temperature: 0.3, seed: 7 },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'openai/gpt-oss-120b',
        messages: messages(),
        max_completion_tokens: 500,
        response_format: jsonSchema(call.shape.json),
        temperature: 0.3,
        seed: 7,
        reasoning_effort: 'low',
      }),
    },
    {
      title: 'Qwen has no levels of effort, and is asked to keep its reasoning out of the text',
      model: 'qwen/qwen3.6-27b',
      call: { effort: 'high' },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'qwen/qwen3.6-27b',
        messages: messages(call.shape.json),
        max_completion_tokens: 500,
        response_format: { type: 'json_object' },
        reasoning_format: 'parsed',
        reasoning_effort: 'default',
      }),
    },
    {
      title: 'Llama accepts neither',
      model: 'llama-3.3-70b-versatile',
      call: { effort: 'high', seed: 7 },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'llama-3.3-70b-versatile',
        messages: messages(call.shape.json),
        max_completion_tokens: 500,
        response_format: { type: 'json_object' },
        seed: 7,
      }),
    },
  ],
  usages: [
    {
      title: 'cached tokens are included in the prompt, reasoning in the completion',
      raw: {
        prompt_tokens: 1_000,
        completion_tokens: 300,
        total_tokens: 1_300,
        prompt_time: 0.01,
        prompt_tokens_details: { cached_tokens: 640 },
        completion_tokens_details: { reasoning_tokens: 250 },
      },
      usage: { inputTokens: 1_000, cachedTokens: 640, outputTokens: 300, reasoningTokens: 250 },
    },
  ],
  errors: [
    {
      kind: 'wrong-key',
      status: 401,
      body: problem('Invalid API Key', invalid, 'invalid_api_key'),
      words: 'Invalid API Key',
    },
    {
      kind: 'no-credit',
      status: 400,
      body: problem(
        'API access is blocked: the organization reached its spend limit.',
        invalid,
        'blocked_api_access',
      ),
      words: 'reached its spend limit',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem(
        'Rate limit reached for model `llama` on tokens per minute (TPM): Limit 6000. Please try again in 7.66s.',
        'tokens',
        'rate_limit_exceeded',
      ),
      headers: { 'retry-after': '8' },
      words: 'Rate limit reached',
      retryAfterMs: 8_000,
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem(
        'Rate limit reached for model `llama` on requests per day. Please try again in 1m7.66s.',
        'requests',
        'rate_limit_exceeded',
      ),
      words: 'requests per day',
      retryAfterMs: 67_660,
    },
    {
      kind: 'overload',
      status: 498,
      body: problem('Flex tier capacity exceeded.', 'flex', 'capacity_exceeded'),
      words: 'Flex tier capacity exceeded.',
    },
    {
      kind: 'overload',
      status: 503,
      body: problem('openai/gpt-oss-120b is currently over capacity.', 'internal_server_error'),
      words: 'over capacity',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        'Please reduce the length of the messages or completion.',
        invalid,
        'context_length_exceeded',
      ),
      words: 'Please reduce the length',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem(
        'The model `llama-9` does not exist or you do not have access to it.',
        invalid,
        'model_not_found',
      ),
      words: 'The model `llama-9` does not exist',
    },
    {
      kind: 'unknown-model',
      status: 400,
      body: problem('The model `llama-2` has been decommissioned.', invalid, 'model_decommissioned'),
      words: 'has been decommissioned',
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem('Internal Server Error', 'internal_server_error'),
      words: 'Internal Server Error',
    },
  ],
  midway: {
    event: event({ error: { message: 'The model is overloaded.', type: 'overloaded_error' } }),
    kind: 'overload',
    words: 'The model is overloaded.',
  },
  endings: [{ said: { text: 'Cut sh', finish: 'length' }, ends: 'length' }],
  schema: {
    refused: {
      status: 400,
      body: problem('This model does not support response format `json_schema`.', invalid),
    },
    asked: ({ body }) => body.response_format !== undefined,
  },
  listing: {
    path: '/models',
    headers: { authorization: `Bearer ${key}` },
    body: { object: 'list', data: [{ id: 'openai/gpt-oss-120b', object: 'model', context_window: 131_072 }] },
    models: ['openai/gpt-oss-120b'],
  },
})
