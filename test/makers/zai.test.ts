import { zai } from '../../src/models/makers.ts'
import { chatCompletions, messages, streamed } from './chat-completions.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const problem = (code: string, message: string) => ({ error: { code, message } })

makerSuite({
  maker: zai,
  wire: chatCompletions({ basePath: '/api/paas/v4', figures: 'finish' }),
  model: 'glm-5.1',
  requests: [
    {
      title: 'any effort turns thinking on; no seed and no schema',
      model: 'glm-5.1',
      call: { effort: 'low', temperature: 0.3, seed: 7 },
      path: '/chat/completions',
      headers,
      body: call => ({
        ...streamed,
        model: 'glm-5.1',
        messages: messages(call.shape.json),
        max_tokens: 500,
        response_format: { type: 'json_object' },
        temperature: 0.3,
        thinking: { type: 'enabled' },
      }),
    },
    {
      title: 'what is not set is left out',
      model: 'glm-4.7',
      path: '/chat/completions',
      headers,
      body: call => ({
        ...streamed,
        model: 'glm-4.7',
        messages: messages(call.shape.json),
        max_tokens: 500,
        response_format: { type: 'json_object' },
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
      body: problem('1000', 'Authentication Failed'),
      words: 'Authentication Failed',
    },
    {
      kind: 'no-credit',
      status: 429,
      body: problem('1113', 'Insufficient balance or no resource package. Please recharge.'),
      words: 'Please recharge.',
    },
    {
      kind: 'no-credit',
      status: 429,
      body: problem('1113', '余额不足或无可用资源包,请充值。'),
      words: '余额不足',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem('1302', 'High concurrency usage of this API, please reduce concurrency.'),
      words: 'please reduce concurrency',
    },
    {
      kind: 'overload',
      status: 503,
      body: problem('1312', 'This model is currently experiencing high traffic, please try again later.'),
      words: 'high traffic',
    },
    {
      kind: 'content-filter',
      status: 400,
      body: problem(
        '1301',
        'System detected potentially unsafe or sensitive content in input or generation.',
      ),
      words: 'potentially unsafe or sensitive content',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem('1261', 'Prompt exceeds max length'),
      words: 'Prompt exceeds max length',
    },
    {
      kind: 'unknown-model',
      status: 400,
      body: problem('1211', 'Model does not exist, please check the model code'),
      words: 'Model does not exist',
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem('1234', 'Network error, error id: 7, please contact customer service'),
      words: 'Network error',
    },
  ],
  midway: {
    event: event(problem('1301', 'System detected potentially unsafe or sensitive content.')),
    kind: 'content-filter',
    words: 'potentially unsafe',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'length' }, ends: 'length' },
    { said: { text: 'Cut sh', finish: 'model_context_window_exceeded' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'sensitive' }, ends: 'filter' },
  ],
  schema: {
    refused: {
      status: 400,
      body: problem('1214', 'Invalid response_format parameter. Please check the documentation.'),
    },
    asked: ({ body }) => body.response_format !== undefined,
  },
  listing: {
    path: '/models',
    headers: { authorization: `Bearer ${key}` },
    body: { object: 'list', data: [{ id: 'glm-5.1', object: 'model' }] },
    models: ['glm-5.1'],
  },
})
