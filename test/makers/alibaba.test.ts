import { alibaba } from '../../src/models/makers.ts'
import { chatCompletions, jsonSchema, messages, problem, streamed } from './chat-completions.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const path = '/chat/completions'

makerSuite({
  maker: alibaba,
  wire: chatCompletions({ basePath: '/compatible-mode/v1' }),
  model: 'qwen3.7-plus',
  requests: [
    {
      title: 'a model that accepts a schema',
      model: 'qwen3.7-plus',
      call: { temperature: 0.3, seed: 7 },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'qwen3.7-plus',
        messages: messages(),
        max_tokens: 500,
        response_format: jsonSchema(call.shape.json),
        temperature: 0.3,
        seed: 7,
      }),
    },
    {
      title: 'a model that accepts only JSON',
      model: 'qwen3-max',
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'qwen3-max',
        messages: messages(call.shape.json),
        max_tokens: 500,
        response_format: { type: 'json_object' },
      }),
    },
    {
      title: 'effort is a budget, and a model that thinks is asked for JSON in the prompt',
      model: 'qwen3.7-plus',
      call: { effort: 'medium' },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'qwen3.7-plus',
        messages: messages(call.shape.json),
        max_tokens: 500,
        enable_thinking: true,
        thinking_budget: 4_096,
      }),
    },
    {
      title: 'a model with open weights, which thinks by default',
      model: 'qwen3.5-397b-a17b',
      call: { temperature: 0 },
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'qwen3.5-397b-a17b',
        messages: messages(call.shape.json),
        max_tokens: 500,
        temperature: 0,
      }),
    },
    {
      title: 'a model with open weights that does not think',
      model: 'qwen3-next-80b-a3b-instruct',
      path,
      headers,
      body: call => ({
        ...streamed,
        model: 'qwen3-next-80b-a3b-instruct',
        messages: messages(call.shape.json),
        max_tokens: 500,
        response_format: { type: 'json_object' },
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
        prompt_tokens_details: { cached_tokens: 600, cache_creation_input_tokens: 150 },
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
    {
      kind: 'wrong-key',
      status: 401,
      body: problem('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
      words: 'Incorrect API key provided.',
    },
    {
      kind: 'no-credit',
      status: 400,
      body: problem(
        'Access denied, please make sure your account is in good standing.',
        'Arrearage',
        'Arrearage',
      ),
      words: 'in good standing',
    },
    {
      kind: 'no-credit',
      status: 403,
      body: problem(
        'The free tier of the model has been exhausted.',
        'AllocationQuota.FreeTierOnly',
        'AllocationQuota.FreeTierOnly',
      ),
      words: 'has been exhausted',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem('You exceeded your current requests list.', 'limit_requests', 'limit_requests'),
      headers: { 'retry-after': '2' },
      words: 'You exceeded your current requests list.',
      retryAfterMs: 2_000,
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem(
        'You exceeded your current quota, please check your plan and billing details. For details, see: https://help.aliyun.com/zh/model-studio/error-code#token-limit',
        'insufficient_quota',
        'insufficient_quota',
      ),
      words: 'You exceeded your current quota',
    },
    {
      kind: 'overload',
      status: 503,
      body: problem('Requests are throttled due to system capacity limits.', 'ServiceUnavailable'),
      words: 'system capacity limits',
    },
    {
      kind: 'content-filter',
      status: 400,
      body: problem(
        'Input data may contain inappropriate content.',
        'data_inspection_failed',
        'data_inspection_failed',
      ),
      words: 'may contain inappropriate content',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 258048]',
        'invalid_request_error',
        'invalid_parameter_error',
      ),
      words: 'Range of input length',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem(
        'The model `qwen9` does not exist or you do not have access to it.',
        'invalid_request_error',
        'model_not_found',
      ),
      words: 'The model `qwen9` does not exist',
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem(
        'An internal error has occured, please try again later.',
        'internal_error',
        'internal_error',
      ),
      words: 'An internal error has occured',
    },
  ],
  midway: {
    event: event(
      problem(
        'Output data may contain inappropriate content.',
        'data_inspection_failed',
        'data_inspection_failed',
      ),
    ),
    kind: 'content-filter',
    words: 'may contain inappropriate content',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'length' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'content_filter' }, ends: 'filter' },
  ],
  schema: {
    refused: {
      status: 400,
      body: problem(
        'Json mode response is not supported when enable_thinking is true',
        'invalid_request_error',
        'invalid_parameter_error',
      ),
    },
    asked: ({ body }) => body.response_format !== undefined,
  },
  listing: {
    path: '/models',
    headers: { authorization: `Bearer ${key}` },
    body: { object: 'list', data: [{ id: 'qwen3.7-plus', object: 'model' }] },
    models: ['qwen3.7-plus'],
  },
})
