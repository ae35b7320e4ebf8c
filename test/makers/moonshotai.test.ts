import { moonshotai } from '../../src/models/makers.ts'
import { chatCompletions, jsonSchema, messages, problem, streamed } from './chat-completions.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const path = '/chat/completions'

makerSuite({
  maker: moonshotai,
  wire: chatCompletions({ basePath: '/v1' }),
  model: 'kimi-k2.6',
  requests: [
    {
      title: 'Kimi K2.6: any effort turns thinking on, and the temperature is fixed',
      model: 'kimi-k2.6',
      call: { effort: 'low', temperature: 0.3, seed: 7 },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'kimi-k2.6',
        messages: messages(),
        max_completion_tokens: 500,
        response_format: jsonSchema(call.shape.json),
        thinking: { type: 'enabled' },
      }),
    },
    {
      title: 'Kimi K3, which has levels of effort',
      model: 'kimi-k3',
      call: { effort: 'medium' },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'kimi-k3',
        messages: messages(),
        max_completion_tokens: 500,
        response_format: jsonSchema(call.shape.json),
        reasoning_effort: 'high',
      }),
    },
    {
      title: 'Kimi K2.7, which always reasons',
      model: 'kimi-k2.7-code',
      call: { effort: 'high', temperature: 0 },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'kimi-k2.7-code',
        messages: messages(),
        max_completion_tokens: 500,
        response_format: jsonSchema(call.shape.json),
      }),
    },
    {
      title: 'an older model accepts a temperature but no effort',
      model: 'moonshot-v1-32k',
      call: { effort: 'high', temperature: 0.3 },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'moonshot-v1-32k',
        messages: messages(),
        max_completion_tokens: 500,
        response_format: jsonSchema(call.shape.json),
        temperature: 0.3,
      }),
    },
  ],
  usages: [
    {
      title: 'cached tokens are included in the prompt',
      raw: { prompt_tokens: 1_000, completion_tokens: 300, total_tokens: 1_300, cached_tokens: 768 },
      usage: { inputTokens: 1_000, cachedTokens: 768, outputTokens: 300 },
    },
    {
      title: 'in the newer form, with reasoning included in the completion',
      raw: {
        prompt_tokens: 1_000,
        completion_tokens: 300,
        total_tokens: 1_300,
        prompt_tokens_details: { cached_tokens: 768 },
        completion_tokens_details: { reasoning_tokens: 250 },
      },
      usage: { inputTokens: 1_000, cachedTokens: 768, outputTokens: 300, reasoningTokens: 250 },
    },
  ],
  errors: [
    {
      kind: 'wrong-key',
      status: 401,
      body: problem('Invalid Authentication', 'invalid_authentication_error'),
      words: 'Invalid Authentication',
    },
    {
      kind: 'no-credit',
      status: 429,
      body: problem(
        'Your account org-1 is suspended, please check your plan and billing details',
        'exceeded_current_quota_error',
      ),
      words: 'is suspended',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem(
        'Your account org-1 request reached organization max RPM: 3, please try again after 1 seconds',
        'rate_limit_reached_error',
      ),
      words: 'max RPM: 3',
      retryAfterMs: 1_000,
    },
    {
      kind: 'overload',
      status: 429,
      body: problem('The engine is currently overloaded, please try again later', 'engine_overloaded_error'),
      words: 'currently overloaded',
    },
    {
      kind: 'content-filter',
      status: 400,
      body: problem('The request was rejected because it was considered high risk', 'content_filter'),
      words: 'considered high risk',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        'Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)',
        'invalid_request_error',
      ),
      words: 'exceeded model token limit',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem('Not found the model kimi-k9 or Permission denied', 'resource_not_found_error'),
      words: 'Not found the model kimi-k9',
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem('It broke.', 'unexpected_output'),
      words: 'It broke.',
    },
  ],
  midway: {
    event: event({ error: { message: 'The engine is overloaded.', type: 'engine_overloaded_error' } }),
    kind: 'overload',
    words: 'The engine is overloaded.',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'length' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'content_filter' }, ends: 'filter' },
  ],
  schema: {
    refused: {
      status: 400,
      body: problem('Invalid request: unsupported response_format json_schema', 'invalid_request_error'),
    },
    asked: ({ body }) => body.response_format !== undefined,
  },
  listing: {
    path: '/models',
    headers: { authorization: `Bearer ${key}` },
    body: { object: 'list', data: [{ id: 'kimi-k2.6', object: 'model', context_length: 262_144 }] },
    models: ['kimi-k2.6'],
  },
})
