import { expect, test } from 'vitest'
import { z } from 'zod'
import { shapeOf } from '../../src/core/form.ts'
import { google } from '../../src/models/makers.ts'
import { callTo, partsFrom } from '../contracts/providers-contract.ts'
import { blockedPrompt, googleGenerate } from './google-generate.ts'
import { key } from './record.ts'
import { makerSuite } from './suite.ts'
import { event, startWire } from './wire.ts'

const headers = { 'x-goog-api-key': key, 'content-type': 'application/json' }

const problem = (code: number, status: string, message: string, details: unknown[] = []) => ({
  error: { code, message, status, details },
})

const quota = (quotaId: string, retryDelay: string) => [
  { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
  { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
]

const parts = [{ text: 'The question:' }, { text: '\n\nDoes size matter?' }]

test('[K26] Google is told the order of every object: without it, some models sort the keys', async () => {
  const { wire, provider } = await answering(() => ({ events: [blockedPrompt] }))
  const point = z.strictObject({ why: z.string(), judgement: z.string() })
  const shape = shapeOf('answer', z.strictObject({ points: z.array(point), headline: z.string() }))
  await partsFrom(provider, callTo('gemini-3.5-flash', { shape }))
  await wire.stop()
  expect(wire.requests[0]?.body).toMatchObject({
    generationConfig: {
      responseJsonSchema: {
        propertyOrdering: ['points', 'headline'],
        properties: { points: { items: { propertyOrdering: ['why', 'judgement'] } } },
      },
    },
  })
})

makerSuite({
  maker: google,
  wire: googleGenerate,
  model: 'gemini-3.5-flash',
  requests: [
    {
      title: 'effort is a level, and thoughts are requested',
      model: 'gemini-3.5-flash',
      call: { effort: 'low', temperature: 0.3, seed: 7 },
      path: '/models/gemini-3.5-flash:streamGenerateContent?alt=sse',
      headers,
      body: call => ({
        generationConfig: {
          maxOutputTokens: 500,
          temperature: 0.3,
          seed: 7,
          responseMimeType: 'application/json',
          responseJsonSchema: { ...call.shape.json, propertyOrdering: ['headline'] },
          thinkingConfig: { thinkingLevel: 'low', includeThoughts: true },
        },
        contents: [{ role: 'user', parts }],
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
      }),
    },
    {
      title: 'an older model has a budget as its effort',
      model: 'gemini-2.5-flash',
      call: { effort: 'low' },
      path: '/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      headers,
      body: call => ({
        generationConfig: {
          maxOutputTokens: 500,
          responseMimeType: 'application/json',
          responseJsonSchema: { ...call.shape.json, propertyOrdering: ['headline'] },
          thinkingConfig: { thinkingBudget: 6_554, includeThoughts: true },
        },
        contents: [{ role: 'user', parts }],
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
      }),
    },
    {
      title: 'an open model gets the system prompt in the message, and is not asked for thoughts',
      model: 'gemma-3-27b-it',
      path: '/models/gemma-3-27b-it:streamGenerateContent?alt=sse',
      headers,
      body: call => ({
        generationConfig: {
          maxOutputTokens: 500,
          responseMimeType: 'application/json',
          responseJsonSchema: { ...call.shape.json, propertyOrdering: ['headline'] },
        },
        contents: [{ role: 'user', parts: [{ text: 'Be brief.\n\n' }, ...parts] }],
      }),
    },
  ],
  usages: [
    {
      title: 'cached input is included, thoughts are added to the answer',
      raw: {
        promptTokenCount: 1_000,
        cachedContentTokenCount: 600,
        candidatesTokenCount: 50,
        thoughtsTokenCount: 200,
        totalTokenCount: 1_250,
      },
      usage: { inputTokens: 1_000, cachedTokens: 600, outputTokens: 250, reasoningTokens: 200 },
    },
  ],
  errors: [
    {
      kind: 'wrong-key',
      status: 400,
      body: problem(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
      ]),
      words: 'API key not valid. Please pass a valid API key.',
    },
    {
      kind: 'wrong-key',
      status: 403,
      body: problem(403, 'PERMISSION_DENIED', 'Generative Language API has not been used in project 1.'),
      words: 'has not been used in project',
    },
    {
      kind: 'no-credit',
      status: 429,
      body: problem(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota.',
        quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '37s'),
      ),
      words: 'You exceeded your current quota.',
      retryAfterMs: 37_000,
    },
    {
      kind: 'no-credit',
      status: 429,
      body: problem(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'),
      words: 'Your prepayment credits are depleted.',
    },
    {
      kind: 'rate-limit',
      status: 429,
      body: problem(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota.',
        quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '12.5s'),
      ),
      words: 'You exceeded your current quota.',
      retryAfterMs: 12_500,
    },
    {
      kind: 'overload',
      status: 503,
      body: problem(503, 'UNAVAILABLE', 'This model is currently experiencing high demand.'),
      words: 'experiencing high demand',
    },
    {
      kind: 'context-overflow',
      status: 400,
      body: problem(
        400,
        'INVALID_ARGUMENT',
        'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      words: 'exceeds the maximum number of tokens',
    },
    {
      kind: 'unknown-model',
      status: 404,
      body: problem(404, 'NOT_FOUND', 'models/gemini-9 is not found for API version v1beta.'),
      words: 'models/gemini-9 is not found',
    },
    {
      kind: 'server-error',
      status: 500,
      body: problem(500, 'INTERNAL', 'An internal error has occurred.'),
      words: 'An internal error has occurred.',
    },
  ],
  midway: {
    event: event(problem(503, 'UNAVAILABLE', 'The service is currently unavailable.')),
    kind: 'overload',
    words: 'The service is currently unavailable.',
  },
  endings: [
    { said: { text: 'Cut sh', finish: 'MAX_TOKENS' }, ends: 'length' },
    { said: { text: 'Something b', finish: 'SAFETY' }, ends: 'filter' },
    { said: { finish: 'PROHIBITED_CONTENT' }, ends: 'filter' },
  ],
  schema: {
    refused: {
      status: 400,
      body: problem(400, 'INVALID_ARGUMENT', 'Invalid JSON payload: unknown name in response_json_schema'),
    },
    asked: ({ body }) => JSON.stringify(body).includes('responseJsonSchema'),
  },
  listing: {
    path: '/models?pageSize=1000',
    headers: { 'x-goog-api-key': key },
    body: {
      models: [
        { name: 'models/gemini-3.5-flash', supportedGenerationMethods: ['generateContent', 'countTokens'] },
        { name: 'models/gemini-embedding-001', supportedGenerationMethods: ['embedContent'] },
        { name: 'models/gemma-3-27b-it', supportedGenerationMethods: ['generateContent'] },
      ],
    },
    models: ['gemini-3.5-flash', 'gemma-3-27b-it'],
  },
})

const partsOf = async (...replies: Parameters<typeof answering>): Promise<unknown[]> => {
  const { wire, provider } = await answering(...replies)
  try {
    return await partsFrom(provider, callTo('gemini-3.5-flash'))
  } finally {
    await wire.stop()
  }
}

const answering = async (answer: Parameters<typeof startWire>[0]) => {
  const wire = await startWire(answer)
  const provider = google.connect({ key, baseURL: `${wire.origin}/v1beta`, known: () => ({}) })
  return { wire, provider }
}

test('[K8] a blocked prompt ends as filtered', async () => {
  expect((await partsOf(() => ({ events: [blockedPrompt] }))).at(-1)).toEqual({
    type: 'finish',
    reason: 'filter',
  })
})

test('[K12] a model that does not show reasoning is called without asking for it', async () => {
  const refused = {
    status: 400,
    body: problem(400, 'INVALID_ARGUMENT', 'Thinking is not enabled for this model.'),
  }
  const { words, end } = googleGenerate.events({ text: 'Yes.' })
  const asks = await partsOf(({ body }) =>
    JSON.stringify(body).includes('thinkingConfig') ? refused : { events: [...words, ...end] },
  )
  expect(asks.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
})
