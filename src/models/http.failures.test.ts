import { afterEach, describe, expect, test } from 'vitest'
import { callTo, partsFrom, textOf } from '../../test/contracts/providers-contract.ts'
import type { FaultName } from '../../test/lab/faults.ts'
import type { LabOptions } from '../../test/lab/options.ts'
import { errorStatus } from '../../test/lab/reply.ts'
import { type Lab, startLab } from '../../test/lab/server.ts'
import type { ModelErrorKind } from '../core/basics.ts'
import { type EndpointSettings, openAICompatible } from './chat.ts'
import { retryAfter } from './http.ts'
import type { ModelPart } from './provider.ts'

const labs: Lab[] = []
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.stop()
})

/** The parts of one call to a lab. */
const partsWith = async (
  options: LabOptions,
  settings: Partial<EndpointSettings> = {},
): Promise<ModelPart[]> => {
  const lab = await startLab(options)
  labs.push(lab)
  return partsFrom(openAICompatible({ id: 'lab', baseURL: lab.baseURL, ...settings }), callTo('m0'))
}

const failure = async (
  options: LabOptions,
  settings: Partial<EndpointSettings> = {},
): Promise<ModelPart & { type: 'error' }> => {
  const last = (await partsWith(options, settings)).at(-1)
  if (last?.type !== 'error') throw new Error(`no error, but ${JSON.stringify(last)}`)
  return last
}

const answering = (status: number, body: unknown, headers?: Record<string, string>): LabOptions => ({
  handler: () => ({ lab: 'status', status, body, ...(headers && { headers }) }),
})

describe('a failure', () => {
  const faulty: [FaultName, ModelErrorKind, number][] = [
    ['rate-limit', 'rate-limit', 429],
    ['server-error', 'server-error', 500],
    ['overload', 'overload', 503],
    ['no-credit', 'no-credit', 429],
    ['unknown-model', 'unknown-model', 404],
    ['context-overflow', 'context-overflow', 400],
    ['content-refused', 'content-filter', 400],
  ]
  test.each(faulty)('[W8] %s is %s', async (fault, kind, status) => {
    const { error } = await failure({ models: { m0: { fault } } })
    expect(error).toMatchObject({ kind, status })
    expect(error.message.length).toBeGreaterThan(20)
  })

  const reported: [ModelErrorKind, number, unknown][] = [
    ['wrong-key', 401, { error: { message: 'Who are you?' } }],
    ['wrong-key', 403, { error: { message: 'Not yours.' } }],
    ['wrong-key', 400, { error: { message: 'API key not valid. Please pass a valid one.', code: 400 } }],
    ['no-credit', 402, { error: { message: 'Payment required.' } }],
    [
      'no-credit',
      400,
      { error: { message: 'Your credit balance is too low.', type: 'invalid_request_error' } },
    ],
    ['overload', 529, { error: { message: 'Overloaded', type: 'overloaded_error' } }],
    ['overload', 429, { error: { message: 'The engine is overloaded.', type: 'engine_overloaded_error' } }],
    ['rate-limit', 413, { error: { message: 'Request too large.', code: 'rate_limit_exceeded' } }],
    ['context-overflow', 400, { error: { message: 'the request exceeds the available context size' } }],
    ['context-overflow', 413, 'Too large'],
    ['unknown-model', 404, { error: "model 'it' not found" }],
    ['unknown-model', 400, { error: { message: 'it is not a valid model ID' } }],
    ['content-filter', 403, { error: { message: 'Your input was flagged by moderation.' } }],
    ['bad-request', 400, { error: { message: 'messages: at least one is required' } }],
    ['bad-request', 422, { detail: [{ loc: ['body', 'messages'], msg: 'Field required' }] }],
    ['server-error', 502, '<html><body>Bad Gateway</body></html>'],
  ]
  test.each(reported)('[W8] %s is read from a %i and its body', async (kind, status, body) => {
    expect((await failure(answering(status, body))).error).toMatchObject({ kind, status })
  })

  test("[W8] the message has the provider's own words, and those of the maker behind a gateway", async () => {
    const error = { message: 'Provider returned error', code: 429, metadata: { raw: 'slow down, please' } }
    const { error: read } = await failure(answering(429, { error }))
    expect(read.message).toBe('Provider returned error: slow down, please')
  })

  test('[W8] the message of a failure without words is its status', async () => {
    expect((await failure(answering(500, ''))).error.message).toBe('HTTP 500 Internal Server Error')
    const redirect = answering(301, '', { location: 'https://example.org/v1/chat/completions' })
    expect((await failure(redirect)).error.message).toContain('redirects to https://example.org')
  })

  test('[W8] the error for a wrong address says what may be wrong with it', async () => {
    const lab = await startLab()
    labs.push(lab)
    const provider = openAICompatible({ id: 'lab', baseURL: lab.baseURL.replace('/v1', '') })
    const last = (await partsFrom(provider, callTo('m0'))).at(-1)
    expect(last?.type === 'error' && last.error.message).toContain('most base URLs end in /v1')
  })

  test('[W9] the wait that a server asks for is passed on', async () => {
    expect((await failure({ models: { m0: { fault: 'rate-limit' } } })).retryAfterMs).toBe(1_000)
    const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT')
    expect(retryAfter({ 'retry-after': '2.5' }, now)).toBe(2_500)
    expect(retryAfter({ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, now)).toBe(30_000)
    expect(retryAfter({ 'retry-after': 'Wed, 21 Oct 2026 07:27:30 GMT' }, now)).toBe(0)
    expect(retryAfter({ 'retry-after-ms': '120', 'retry-after': '9' }, now)).toBe(120)
    expect(retryAfter({ 'retry-after': '-1' }, now)).toBe(0)
    expect(retryAfter({ 'retry-after': '999999999999' }, now)).toBe(999_999_999_999_000)
    for (const words of ['soon', 'NaN', 'Infinity'])
      expect(retryAfter({ 'retry-after': words }, now)).toBeUndefined()
    expect(retryAfter({}, now)).toBeUndefined()
  })

  test('[W10] a page is reduced to its text on one line, and a long message is cut', async () => {
    const page = `<html><head><title>502</title><style>b{}</style></head><body><h1>Bad\n Gateway</h1>
      <p>a &amp; b</p><script>steal()</script></body></html>`
    expect((await failure(answering(502, page))).error.message).toBe('502 Bad Gateway a & b')
    const open = '<html><head><title>503</title><body>Try <b\nclass="x">later</b>, 1 < 2'
    expect((await failure(answering(503, open))).error.message).toBe('503 Try later , 1 < 2')
    const { error } = await failure(answering(500, 'no '.repeat(1_000)))
    expect(error.message).toHaveLength(501)
  })

  test('[W26] the error for a server that does not run names the host and the cause', async () => {
    const lab = await startLab()
    await lab.stop()
    const provider = openAICompatible({ id: 'lab', baseURL: lab.baseURL })
    const { host } = new URL(lab.baseURL)
    expect(await partsFrom(provider, callTo('m0'))).toEqual([
      {
        type: 'error',
        error: {
          kind: 'network',
          message: `${host} refused the connection: is the server running? (ECONNREFUSED)`,
        },
      },
    ])
  })
})

describe('a key is never shown', () => {
  const key = 'sk-lab-wrong-0123456789'

  test('[W11] even if the server repeats it', async () => {
    const { error } = await failure({ key: 'sk-lab-right-0123456789' }, { key })
    expect(error).toMatchObject({ kind: 'wrong-key', status: 401 })
    expect(error.message).toMatch(/^Incorrect API key provided: \[key\]\./)
  })

  test.each([
    [`you sent ${key.toUpperCase()}`, 'you sent [key]'],
    [`header Authorization: Bearer ${key}`, 'header Authorization: Bearer [key]'],
    ['got Bearer abcdefgh12345678.x', 'got Bearer [key]'],
    ['{"x-api-key":"0123456789abcdef"} is wrong', '{"x-api-key":"[key]"} is wrong'],
    [`${'x'.repeat(495)}${key}`, `${'x'.repeat(495)}[key]`],
  ])('[W11] in an error that says %s', async (words, clear) => {
    const { error } = await failure({ handler: () => errorStatus(400, words, null) }, { key })
    expect(error.message).toBe(clear)
  })

  test('[W11] if it is in a custom header, and is repeated in an error midway or in an answer', async () => {
    const headers = { 'api-key': 'azure-0123456789', authorization: 'Basic dXNlcjpwYXNz' }
    const said = 'azure-0123456789 dXNlcjpwYXNz'
    const parts = await partsWith(
      {
        handler: () => ({
          lab: 'answer',
          text: said,
          refusal: said,
          thinking: said,
          ending: { error: said },
        }),
      },
      { headers },
    )
    expect(JSON.stringify(parts)).not.toMatch(/azure-|dXNl/)
    for (const type of ['text', 'thinking', 'refusal'] as const)
      expect(textOf(parts, type)).toBe('[key] [key]')
  })

  test('[W11] but a placeholder for a key is not secret and stays in what models say', async () => {
    const said = 'Run ollama on a local machine.'
    expect(textOf(await partsWith({ handler: () => said }, { key: 'ollama' }))).toBe(said)
  })

  test('[W11] if it cannot be sent', async () => {
    const { error } = await failure({}, { key: 'sk-lab-\u0000-0123456789' })
    expect(error.message).not.toContain('0123456789')
  })
})
