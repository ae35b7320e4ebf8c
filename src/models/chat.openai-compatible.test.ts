import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import {
  callTo,
  contractText,
  partsFrom,
  providerContract,
  textOf,
} from '../../test/contracts/providers-contract.ts'
import type { LabModel, LabOptions } from '../../test/lab/options.ts'
import { type Lab, startLab } from '../../test/lab/server.ts'
import { askedUnderBudget, expectCutOff, flood } from '../../test/makers/flood.ts'
import { type EndpointSettings, openAICompatible } from './chat.ts'
import type { Provider } from './provider.ts'

providerContract('openai-compatible', async () => {
  const models: Record<string, LabModel> = {
    fails: { fault: 'server-error' },
    stalls: { fault: 'hang-midway' },
    hangs: { fault: 'hang' },
  }
  const lab = await startLab({ models, handler: () => contractText })
  return {
    provider: openAICompatible({ id: 'lab', baseURL: lab.baseURL }),
    models: { speaks: 'speaks', fails: 'fails', stalls: 'stalls', hangs: 'hangs' },
    stop: lab.stop,
  }
})

const labs: Lab[] = []
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.stop()
})

const start = async (
  options: LabOptions,
  settings: Partial<EndpointSettings> = {},
): Promise<{ lab: Lab; provider: Provider }> => {
  const lab = await startLab(options)
  labs.push(lab)
  return { lab, provider: openAICompatible({ id: 'lab', baseURL: lab.baseURL, ...settings }) }
}

const chats = (lab: Lab): Lab['calls'] => lab.calls.filter(call => call.method === 'POST')

describe('the request', () => {
  test('[W5] has every field as the format wants it', async () => {
    const key = 'sk-lab-0123456789'
    const { lab, provider } = await start({ key }, { key, headers: { 'X-Team': 'blue' } })
    const call = callTo('m0', { temperature: 0.3, seed: 7, effort: 'low' })
    expect((await partsFrom(provider, call)).at(-1)?.type).toBe('finish')
    const [sent] = chats(lab)
    expect(sent?.path).toBe('/v1/chat/completions')
    expect(sent?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-team': 'blue',
    })
    expect(sent?.body).toEqual({
      model: 'm0',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'The question:\n\nDoes size matter?' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 500,
      temperature: 0.3,
      seed: 7,
      reasoning_effort: 'low',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: call.shape.json, strict: true },
      },
    })
  })

  test('[W5] leaves out what the call does not set', async () => {
    const { lab, provider } = await start({})
    await partsFrom(provider, callTo('m0', { system: '' }))
    expect(Object.keys(chats(lab)[0]?.body ?? {}).sort()).toEqual(
      ['max_tokens', 'messages', 'model', 'response_format', 'stream', 'stream_options'].sort(),
    )
    expect(chats(lab)[0]?.body.messages).toHaveLength(1)
    expect(chats(lab)[0]?.headers.authorization).toBeUndefined()
  })

  test('[W6] a rejected schema is put into the prompt, and that model does not get it again', async () => {
    const { lab, provider } = await start({ models: { plain: { schema: 'refused' } } })
    const call = callTo('plain')
    expect(JSON.parse(textOf(await partsFrom(provider, call)))).toHaveProperty('headline')
    expect(JSON.parse(textOf(await partsFrom(provider, call)))).toHaveProperty('headline')
    await partsFrom(provider, callTo('other'))
    const asked = chats(lab).map(({ body }) => [body.model, body.response_format !== undefined])
    expect(asked).toEqual([
      ['plain', true],
      ['plain', false],
      ['plain', false],
      ['other', true],
    ])
    const prompt = chats(lab)[1]?.body.messages.at(-1)?.content ?? ''
    expect(prompt).toContain(JSON.stringify(call.shape.json))
    expect(prompt).toMatch(/^The question:\n\nDoes size matter\?\n\nReply with one JSON object/)
  })

  test.each([
    [400, { error: 'grammar: unsupported json schema' }],
    [404, { error: { message: 'No endpoints found that can handle the requested parameters.', code: 404 } }],
    [422, { detail: [{ loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }] }],
  ])('[W6] a rejection with %i is understood in any format', async (status, body) => {
    const { lab, provider } = await start({
      handler: call => (call.body.response_format ? { lab: 'status', status, body } : contractText),
    })
    expect(textOf(await partsFrom(provider, callTo('m0')))).toBe(contractText)
    expect(chats(lab)).toHaveLength(2)
  })

  test('[W7] fields that a model rejects are left out or renamed, and that is remembered', async () => {
    const refuses = ['max_tokens', 'temperature', 'seed', 'stream_options', 'reasoning_effort']
    const { lab, provider } = await start({ models: { picky: { refuses } } })
    const call = callTo('picky', { temperature: 0, seed: 1, effort: 'high' })
    expect((await partsFrom(provider, call)).at(-1)?.type).toBe('finish')
    expect(chats(lab)).toHaveLength(refuses.length + 1)
    await partsFrom(provider, call)
    expect(chats(lab)).toHaveLength(refuses.length + 2)
    const { body } = chats(lab).at(-1)!
    expect(Object.keys(body).sort()).toEqual(
      ['max_completion_tokens', 'messages', 'model', 'response_format', 'stream'].sort(),
    )
    expect(body.max_completion_tokens).toBe(500)
  })

  test('[W7] a model that rejects everything is not called forever', async () => {
    const { lab, provider } = await start({ models: { no: { refuses: ['model'] } } })
    expect((await partsFrom(provider, callTo('no'))).at(-1)).toMatchObject({ error: { kind: 'bad-request' } })
    expect(chats(lab)).toHaveLength(1)
  })

  test.each([
    ['bad-request', 'max_tokens is too large: 500. This model supports at most 100 completion tokens.'],
    [
      'context-overflow',
      "'max_tokens' or 'max_completion_tokens' is too large: 500. This model's maximum context length is 100.",
    ],
  ])(
    '[W7] a limit that is too large is reported as %s, not sent under another name',
    async (kind, message) => {
      const error = { message, type: 'invalid_request_error', param: 'max_tokens', code: 'invalid_value' }
      const { lab, provider } = await start({
        handler: () => ({ lab: 'status', status: 400, body: { error } }),
      })
      const parts = await partsFrom(provider, callTo('m0'))
      expect(parts).toEqual([{ type: 'error', error: { kind, message, status: 400 } }])
      expect(chats(lab)).toHaveLength(1)
    },
  )
})

describe('the reply', () => {
  test('[W13] one body is read like a stream', async () => {
    const answer = { lab: 'answer', thinking: 'Hm.', text: contractText } as const
    const models = { whole: { streams: false } }
    const { provider } = await start({ models, handler: () => answer })
    const whole = await partsFrom(provider, callTo('whole'))
    const streamed = await partsFrom(provider, callTo('streamed'))
    expect(textOf(whole)).toBe(contractText)
    expect(textOf(whole, 'thinking')).toBe('Hm.')
    expect(whole.slice(-2)).toEqual(streamed.slice(-2))
  })

  test.each(['streams', 'whole'])('[W14] a refusal is not text (%s)', async model => {
    const fault = 'refusal'
    const { provider } = await start({ models: { streams: { fault }, whole: { fault, streams: false } } })
    const parts = await partsFrom(provider, callTo(model))
    expect(textOf(parts, 'refusal')).toBe('I cannot help with that request.')
    expect(textOf(parts)).toBe('')
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  test('[W15] the finish reason says if a reply hit its limit or a filter', async () => {
    const { provider } = await start({ models: { long: { fault: 'length' }, bad: { fault: 'filter' } } })
    expect((await partsFrom(provider, callTo('long'))).at(-1)).toEqual({ type: 'finish', reason: 'length' })
    expect((await partsFrom(provider, callTo('bad'))).at(-1)).toEqual({ type: 'finish', reason: 'filter' })
  })

  test('[W16] an error midway ends the reply, after the text before it', async () => {
    const { provider } = await start({ models: { m0: { fault: 'error-midway' } } })
    const parts = await partsFrom(provider, callTo('m0'))
    expect(textOf(parts).length).toBe(20)
    expect(parts.at(-1)).toEqual({
      type: 'error',
      error: { kind: 'server-error', message: 'The upstream model crashed.' },
    })
  })

  test('[W17] a connection that is cut midway is a network error with its cause', async () => {
    const { provider } = await start({ models: { m0: { fault: 'cut' } } })
    const parts = await partsFrom(provider, callTo('m0'))
    expect(textOf(parts).length).toBe(20)
    const last = parts.at(-1)
    expect(last).toMatchObject({ type: 'error', error: { kind: 'network' } })
    expect(last?.type === 'error' && last.error.message).toMatch(
      /^connection closed mid-answer by 127\.0\.0\.1:\d+ \(.+\)$/,
    )
  })

  test('[W22] an endless reply is cut off instead of filling the memory', async () => {
    const text = 'x'.repeat(4_000_000)
    const { provider } = await start({
      handler: () => ({ lab: 'status', status: 200, body: `data: ${text}` }),
    })
    expect(await partsFrom(provider, callTo('m0'))).toEqual([{ type: 'finish', reason: 'length' }])
  })

  test.each(['streams', 'whole'])('[R50] a reply that ignores its limit is cut off (%s)', async model => {
    const { lab, provider } = await start({ models: { whole: { streams: false } }, handler: () => flood })
    expectCutOff(await askedUnderBudget(provider, model))
    expect(chats(lab)).toHaveLength(1)
  })

  test('[W4] the connection closes when the reader leaves or the call is cancelled', async () => {
    const { lab, provider } = await start({ models: { m0: { fault: 'hang-midway' } } })
    for await (const _part of provider.stream(callTo('m0'))) break
    const control = new AbortController()
    for await (const _part of provider.stream(callTo('m0', { signal: control.signal }))) control.abort()
    await expect.poll(() => chats(lab).map(call => call.state)).toEqual(['closed', 'closed'])
  })

  test('[W4] a reader that leaves stops waiting for the next part', async () => {
    const { provider } = await start({ models: { m0: { fault: 'hang' } } })
    const parts = provider.stream(callTo('m0'))[Symbol.asyncIterator]()
    const next = parts.next()
    await parts.return?.()
    expect(await next).toEqual({ value: undefined, done: true })
  })

  test('[W4] the next call reuses the connection of a complete reply', async () => {
    const { lab, provider } = await start({})
    for (const _time of [1, 2, 3]) {
      await partsFrom(provider, callTo('m0'))
      await setTimeout(20)
    }
    expect(new Set(chats(lab).map(call => call.port)).size).toBe(1)
  })
})
