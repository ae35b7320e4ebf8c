import { cohere } from '../../src/models/makers.ts'
import { cohereChat } from './cohere-chat.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'The question:\n\nDoes size matter?' },
]

makerSuite({
  maker: cohere,
  wire: cohereChat,
  model: 'command-a-03-2025',
  requests: [
    {
      title: 'temperature and seed',
      model: 'command-a-03-2025',
      call: { temperature: 0.3, seed: 7 },
      path: '/chat',
      headers,
      body: call => ({
        model: 'command-a-03-2025',
        messages,
        max_tokens: 500,
        temperature: 0.3,
        seed: 7,
        response_format: { type: 'json_object', json_schema: call.shape.json },
        stream: true,
      }),
    },
    {
      title: 'effort is a share of the token limit',
      model: 'command-a-reasoning-08-2025',
      call: { effort: 'medium' },
      path: '/chat',
      headers,
      body: call => ({
        model: 'command-a-reasoning-08-2025',
        messages,
        max_tokens: 500,
        response_format: { type: 'json_object', json_schema: call.shape.json },
        thinking: { type: 'enabled', token_budget: 200 },
        stream: true,
      }),
    },
  ],
  usages: [
    {
      title: 'billed tokens, not those that the maker adds',
      raw: {
        billed_units: { input_tokens: 1_000, output_tokens: 300 },
        tokens: { input_tokens: 1_490, output_tokens: 305 },
        cached_tokens: 600,
      },
      usage: { inputTokens: 1_000, cachedTokens: 600, outputTokens: 300 },
    },
    {
      title: 'all tokens, if there are no billed ones',
      raw: { tokens: { input_tokens: 1_490, output_tokens: 305 } },
      usage: { inputTokens: 1_490, outputTokens: 305 },
    },
  ],
  errors: [
    {
      kind: 'wrong-key',
      status: 401,
      body: { id: 'e1', message: 'invalid api token' },
      words: 'invalid api token',
    },
    {
      kind: 'no-credit',
      status: 402,
      body: { message: 'You have reached your billing limit.' },
      words: 'You have reached your billing limit.',
    },
    {
      kind: 'no-credit',
      status: 429,
      body: { message: 'You are using a Trial key, which is limited to 1000 API calls / month.' },
      words: 'limited to 1000 API calls / month',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: { message: 'You are using a Trial key, which is limited to 20 API calls / minute.' },
      headers: { 'retry-after': '4' },
      words: 'limited to 20 API calls / minute',
      retryAfterMs: 4_000,
    },
    {
      kind: 'overload',
      status: 503,
      body: { message: 'The service is unavailable.' },
      words: 'The service is unavailable.',
    },
    {
      kind: 'content-filter',
      status: 498,
      body: { message: 'The request was blocked as unsafe.' },
      words: 'The request was blocked as unsafe.',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: { message: 'too many tokens: total number of tokens cannot exceed 256000, received 300000' },
      words: 'too many tokens',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: {
        message:
          "model 'command-z' not found, make sure the correct model ID was used and that you have access to the model.",
      },
      words: "model 'command-z' not found",
    },
    {
      kind: 'server-error',
      status: 500,
      body: { message: 'internal server error' },
      words: 'internal server error',
    },
  ],
  midway: {
    event: event({ message: 'The model is overloaded.', code: 'overloaded' }),
    kind: 'overload',
    words: 'The model is overloaded.',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'MAX_TOKENS' }, ends: 'length' },
    { said: { text: 'Done.', finish: 'STOP_SEQUENCE' }, ends: 'stop' },
  ],
  schema: {
    refused: {
      status: 400,
      body: { message: 'invalid request: json_schema is not supported by this model' },
    },
    asked: ({ body }) => JSON.stringify(body.response_format ?? {}).includes('json_schema'),
  },
  listing: {
    basePath: '/v1',
    path: '/models?page_size=1000&endpoint=chat',
    headers: { authorization: `Bearer ${key}` },
    body: {
      models: [
        { name: 'command-a-03-2025', endpoints: ['chat', 'generate'], context_length: 288_000 },
        { name: 'embed-v4.0', endpoints: ['embed'] },
      ],
    },
    models: ['command-a-03-2025'],
  },
})
