import { expect, test } from 'vitest'
import { openai } from '../../src/models/makers.ts'
import { callTo, partsFrom } from '../contracts/providers-contract.ts'
import { openaiResponses } from './openai-responses.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event, startWire } from './wire.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const problem = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, param: null, code },
})

makerSuite({
  maker: openai,
  wire: openaiResponses,
  model: 'gpt-5.5',
  requests: [
    {
      title: 'a reasoning model: effort but no temperature and no seed',
      model: 'gpt-5.5',
      call: { effort: 'low', temperature: 0.3, seed: 7 },
      path: '/responses',
      headers,
      body: call => ({
        model: 'gpt-5.5',
        input: [
          { role: 'developer', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'The question:' },
              { type: 'input_text', text: '\n\nDoes size matter?' },
            ],
          },
        ],
        max_output_tokens: 500,
        text: { format: { type: 'json_schema', strict: true, name: 'answer', schema: call.shape.json } },
        reasoning: { effort: 'low', summary: 'auto' },
        store: false,
        include: ['reasoning.encrypted_content'],
        stream: true,
      }),
    },
    {
      title: 'an older model accepts a temperature',
      model: 'gpt-4.1',
      call: { temperature: 0.3, effort: 'low' },
      path: '/responses',
      headers,
      body: call => ({
        model: 'gpt-4.1',
        input: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'The question:' },
              { type: 'input_text', text: '\n\nDoes size matter?' },
            ],
          },
        ],
        temperature: 0.3,
        max_output_tokens: 500,
        text: { format: { type: 'json_schema', strict: true, name: 'answer', schema: call.shape.json } },
        store: false,
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
      status: 429,
      body: problem('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'),
      words: 'You exceeded your current quota.',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem('Rate limit reached for gpt-5.5.', 'tokens', 'rate_limit_exceeded'),
      headers: { 'retry-after': '7' },
      words: 'Rate limit reached',
      retryAfterMs: 7_000,
    },
    {
      kind: 'overload',
      status: 503,
      body: problem('The engine is currently overloaded.', 'server_error'),
      words: 'currently overloaded',
    },
    {
      kind: 'content-filter',
      status: 400,
      body: problem(
        'Invalid prompt: flagged as violating our policy.',
        'invalid_request_error',
        'invalid_prompt',
      ),
      words: 'flagged as violating',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        'Your input exceeds the context window of this model.',
        'invalid_request_error',
        'context_length_exceeded',
      ),
      words: 'exceeds the context window',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem("The model 'gpt-9' does not exist.", 'invalid_request_error', 'model_not_found'),
      words: "The model 'gpt-9' does not exist.",
    },
    { kind: 'server-error', status: 500, body: problem('It broke.', 'server_error'), words: 'It broke.' },
  ],
  midway: {
    event: event({
      type: 'error',
      sequence_number: 9,
      error: { type: 'server_error', code: 'server_error', message: 'The engine is overloaded.' },
    }),
    kind: 'overload',
    words: 'The engine is overloaded.',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'max_output_tokens' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'content_filter' }, ends: 'filter' },
  ],
  refuses: true,
  schema: {
    refused: {
      status: 400,
      body: problem(
        "Invalid schema for response_format 'answer'.",
        'invalid_request_error',
        'invalid_json_schema',
      ),
    },
    asked: ({ body }) => JSON.stringify(body.text ?? {}).includes('json_schema'),
  },
  listing: {
    path: '/models',
    headers: { authorization: `Bearer ${key}` },
    body: {
      object: 'list',
      data: [
        { id: 'gpt-5.5', object: 'model' },
        { id: 'gpt-4.1', object: 'model' },
      ],
    },
    models: ['gpt-5.5', 'gpt-4.1'],
  },
})

/** The bodies of four calls, two for each model, to a server that rejects them if `refusal` returns a message. */
const asked = async (
  refusal: (body: Record<string, unknown>) => string | undefined,
): Promise<Record<string, unknown>[]> => {
  const { words, end } = openaiResponses.events({ text: 'Yes.' })
  const wire = await startWire(({ body }) => {
    const message = refusal(body)
    return message === undefined
      ? { events: [...words, ...end] }
      : { status: 400, body: problem(message, 'invalid_request_error', 'unsupported_value') }
  })
  try {
    const provider = openai.connect({ key, baseURL: `${wire.origin}/v1`, known: () => ({}) })
    for (const model of ['gpt-5.5', 'gpt-4.1']) {
      const call = callTo(model, { effort: 'low', temperature: 0.3 })
      await partsFrom(provider, call)
      expect((await partsFrom(provider, call)).at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    }
    return wire.requests.map(({ body }) => body)
  } finally {
    await wire.stop()
  }
}

test('[K12] reasoning that is shown only to verified customers is not asked for again', async () => {
  const bodies = await asked(({ reasoning }) =>
    JSON.stringify(reasoning ?? {}).includes('summary')
      ? 'Your organization must be verified to generate reasoning summaries.'
      : undefined,
  )
  const efforts = bodies.map(({ reasoning }) => reasoning)
  const unseen = { effort: 'low' }
  expect(efforts).toEqual([{ effort: 'low', summary: 'auto' }, unseen, unseen, undefined, undefined])
})

test('[K12] a rejected temperature is not sent again', async () => {
  const bodies = await asked(({ temperature }) =>
    temperature === undefined ? undefined : "Unsupported parameter: 'temperature' is not supported.",
  )
  expect(bodies.map(({ temperature }) => temperature)).toEqual([
    undefined,
    undefined,
    0.3,
    undefined,
    undefined,
  ])
})

test('[K12] a model that rejects even JSON is asked for it only in the prompt', async () => {
  const bodies = await asked(({ text }) =>
    text === undefined ? undefined : "Invalid parameter: 'text.format', response_format is not supported.",
  )
  const formats = bodies.map(({ text }) => (text as { format: { type: string } } | undefined)?.format.type)
  const learnt = ['json_schema', 'json_object', undefined, undefined]
  expect(formats).toEqual([...learnt, ...learnt])
})

test('[K14] the maker is told not to store anything', async () => {
  const bodies = await asked(() => undefined)
  expect(bodies.map(({ store }) => store)).toEqual([false, false, false, false])
})

test('[W22] an endless reply is cut off', async () => {
  const indexes = { item_id: 'msg_1', output_index: 1, content_index: 0, logprobs: [] }
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const more = event({ type: 'response.output_text.delta', ...indexes, delta: 'and so on '.repeat(20_000) })
  const begin = event({ type: 'response.output_item.added', output_index: 1, item })
  const wire = await startWire(() => ({ events: [begin, ...Array(10).fill(more)], ending: 'hang' }))
  try {
    const provider = openai.connect({ key, baseURL: `${wire.origin}/v1`, known: () => ({}) })
    expect((await partsFrom(provider, callTo('gpt-5.5'))).at(-1)).toEqual({
      type: 'finish',
      reason: 'length',
    })
    await wire.requests[0]?.over
    expect(wire.requests[0]?.state).toBe('closed')
  } finally {
    await wire.stop()
  }
})

test('[K12] a call is not repeated once its reply has started', async () => {
  const { words } = openaiResponses.events({ text: 'Yes' })
  const error = { type: 'invalid_request_error', code: 'invalid_json_schema', message: 'Bad json_schema.' }
  const wire = await startWire(() => ({
    events: [...words, event({ type: 'error', sequence_number: 9, error })],
  }))
  try {
    const provider = openai.connect({ key, baseURL: `${wire.origin}/v1`, known: () => ({}) })
    const parts = await partsFrom(provider, callTo('gpt-5.5'))
    expect(parts.at(-1)).toMatchObject({ type: 'error', error: { kind: 'bad-request' } })
    expect(wire.requests).toHaveLength(1)
  } finally {
    await wire.stop()
  }
})
