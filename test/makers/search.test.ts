/** Each maker's own search: how it is asked for, and how the pages that it found are read from the stream. */

import { afterEach, expect, test } from 'vitest'
import { anthropic, deepseek, google, mistral, openai, openrouter, xai } from '../../src/models/makers.ts'
import type { Maker, ModelPart } from '../../src/models/provider.ts'
import { callTo, contractText, partsFrom, textOf } from '../contracts/providers-contract.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { chatCompletions } from './chat-completions.ts'
import { googleGenerate } from './google-generate.ts'
import { openaiResponses } from './openai-responses.ts'
import { key, type WireFormat } from './record.ts'
import {
  anthropicSearch,
  googleSearch,
  mistralConversation,
  openrouterSearch,
  page,
  responsesAnnotation,
  responsesSearch,
} from './search-events.ts'
import { type Answering, startWire, type Wire } from './wire.ts'

const said = (
  { events }: WireFormat,
  more: readonly string[],
  last: readonly string[] = [],
): readonly string[] => {
  const { words, end } = events({ text: contractText })
  return [words[0]!, ...more, ...words.slice(1), ...last, ...end]
}

/** The events of a search, and again under another id. */
const twice = (events: readonly string[], id: string): readonly string[] => [
  ...events,
  ...events.map(text => text.replaceAll(`${id}1`, `${id}2`)),
]

/** More figures in the last usage of a stream, which is the object that has this field. */
const counting = (events: readonly string[], field: string, figures: object): readonly string[] => {
  const last = events.findLastIndex(text => text.includes(`"${field}"`))
  const more = JSON.stringify(figures).slice(1, -1)
  return events.with(last, events[last]!.replace(`"${field}"`, `${more},"${field}"`))
}

const anthropicCount = { server_tool_use: { web_search_requests: 3 } }

interface Searching {
  readonly maker: Maker
  readonly basePath: string
  readonly model: string
  readonly events: readonly string[]
  readonly path: string
  /** What the request has because of the search. */
  readonly asks: Readonly<Record<string, unknown>>
  /** Whether the schema is enforced beside the search. */
  readonly structured: boolean
  /** How many searches the reply says it made. Absent: it doesn't say. */
  readonly made?: number
}

const openrouterChat = chatCompletions({ basePath: '/api/v1', thinking: 'reasoning' })

const makers: readonly Searching[] = [
  {
    ...{ maker: openai, basePath: '/v1', model: 'gpt-5.5', path: '/v1/responses', structured: true },
    ...{ events: said(openaiResponses, twice(responsesSearch, 'ws_'), [responsesAnnotation]), made: 2 },
    asks: {
      ...{ tools: [{ type: 'web_search' }], max_tool_calls: 5 },
      include: ['web_search_call.action.sources', 'reasoning.encrypted_content'],
    },
  },
  {
    ...{ maker: xai, basePath: '/v1', model: 'grok-4.3', path: '/v1/responses', structured: true },
    ...{ events: said(openaiResponses, twice(responsesSearch, 'ws_'), [responsesAnnotation]), made: 2 },
    asks: { tools: [{ type: 'web_search' }], max_turns: 5, parallel_tool_calls: false },
  },
  {
    ...{
      maker: anthropic,
      basePath: '/v1',
      model: 'claude-sonnet-4-6',
      path: '/v1/messages',
      structured: false,
    },
    ...{
      events: counting(said(anthropicMessages, anthropicSearch), 'output_tokens', anthropicCount),
      made: 3,
    },
    asks: { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] },
  },
  {
    ...{ maker: google, basePath: '/v1beta', model: 'gemini-3-pro', structured: true },
    path: '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
    ...{ events: said(googleGenerate, googleSearch(['bridge', 'old bridge'])), made: 2 },
    asks: { tools: [{ googleSearch: {} }] },
  },
  {
    ...{ maker: google, basePath: '/v1beta', model: 'gemini-2.5-pro', structured: false },
    path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    // It charges for the prompt.
    ...{ events: said(googleGenerate, googleSearch(['bridge', 'old bridge'])), made: 1 },
    asks: { tools: [{ googleSearch: {} }] },
  },
  {
    ...{
      maker: mistral,
      basePath: '/v1',
      model: 'mistral-large-latest',
      path: '/v1/conversations',
      structured: false,
    },
    ...{ events: mistralConversation(contractText), made: 1 },
    asks: { tools: [{ type: 'web_search' }], store: false },
  },
  {
    ...{ maker: openrouter, basePath: '/api/v1', model: 'z-ai/glm-4.7', path: '/api/v1/chat/completions' },
    ...{ structured: true, events: said(openrouterChat, openrouterSearch) },
    asks: { plugins: [{ id: 'web', engine: 'exa', max_results: 5 }] },
  },
]

const wires: Wire[] = []
afterEach(async () => {
  for (const wire of wires.splice(0)) await wire.stop()
})

const connected = async ({ maker, basePath }: Pick<Searching, 'maker' | 'basePath'>, answer: Answering) => {
  const wire = await startWire(answer)
  wires.push(wire)
  return { wire, provider: maker.connect({ key, baseURL: wire.origin + basePath, known: () => ({}) }) }
}

const schemaIn = (body: unknown): boolean =>
  /"(?:json_schema|responseSchema|responseJsonSchema|output_config)"/.test(JSON.stringify(body))

test.each(makers.map(one => [`${one.maker.id} ${one.model}`, one] as const))(
  "[EV77] %s searches with its maker's own tool, and the pages that it found are in the stream",
  async (_name, one) => {
    const { wire, provider } = await connected(one, () => ({ events: one.events }))
    expect(provider.searches?.(one.model)).toBeGreaterThan(0)
    const parts = await partsFrom(provider, callTo(one.model, { search: true }))
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    expect(textOf(parts)).toBe(contractText)
    const found = parts.filter(part => part.type === 'source')
    expect(new Set(found.map(({ address }) => address))).toEqual(new Set([page.url]))
    expect(parts.filter(part => part.type === 'usage')).toHaveLength(1)
    const [sent] = wire.requests
    expect(sent!.path).toBe(one.path)
    expect(sent!.body).toMatchObject(one.asks)
    expect(schemaIn(sent!.body)).toBe(one.structured)
    expect(JSON.stringify(sent!.body).includes('Reply with one JSON object')).toBe(!one.structured)
  },
)

test.each(makers.map(one => [`${one.maker.id} ${one.model}`, one] as const))(
  '[EV77] %s is not asked to search unless the call wants it',
  async (_name, one) => {
    const { wire, provider } = await connected(one, () => undefined)
    const left = new AbortController()
    const parts = partsFrom(provider, callTo(one.model, { signal: left.signal }))
    await expect.poll(() => wire.requests.length).toBe(1)
    left.abort()
    await parts
    expect(JSON.stringify(wire.requests[0]!.body)).not.toMatch(/web_?search|google_?search|plugins/i)
  },
)

const usageIn = (parts: readonly ModelPart[]) =>
  parts.flatMap(part => (part.type === 'usage' ? [part.usage] : []))[0]

test.each(makers.map(one => [`${one.maker.id} ${one.model}`, one] as const))(
  '[EV93] %s says how many searches it made, and how many it may make and at what price is known before',
  async (_name, one) => {
    const { provider } = await connected(one, () => ({ events: one.events }))
    const usage = usageIn(await partsFrom(provider, callTo(one.model, { search: true })))
    expect(usage).toMatchObject({ inputTokens: expect.any(Number) })
    expect(usage?.searches).toBe(one.made)
    expect(usageIn(await partsFrom(provider, callTo(one.model)))?.searches).toBeUndefined()
    const price = { input: 1, output: 2 }
    const priced = one.maker.connect({ key, known: () => ({ price }) })
    const { search = 0 } = priced.known(one.model).price ?? {}
    expect(search).toBeGreaterThanOrEqual(0.005)
    expect(search).toBeLessThanOrEqual(0.035)
    expect((await priced.facts(one.model)).price).toEqual({ ...price, search })
    expect(provider.searches?.(one.model)).toBeGreaterThanOrEqual(one.made ?? 1)
  },
)

test('[EV93] a reply without a search made none, and xAI’s own count comes first', async () => {
  const plain = makers.find(({ maker }) => maker === openai)!
  const { provider } = await connected(plain, () => ({ events: said(openaiResponses, []) }))
  expect(usageIn(await partsFrom(provider, callTo(plain.model, { search: true })))?.searches).toBe(0)
  const one = makers.find(({ maker }) => maker === xai)!
  const events = counting(one.events, 'input_tokens', {
    server_side_tool_usage_details: { web_search_calls: 4, x_search_calls: 0 },
  })
  const counted = await connected(one, () => ({ events }))
  const parts = await partsFrom(counted.provider, callTo(one.model, { search: true }))
  expect(usageIn(parts)?.searches).toBe(4)
})

test('[EV78] a model that rejects a schema beside a search gets it in words, and still answers', async () => {
  const one = makers.find(({ model }) => model === 'gemini-3-pro')!
  const message = "Tool use with a response mime type: 'application/json' is unsupported"
  const { wire, provider } = await connected(one, ({ body }) =>
    JSON.stringify(body).includes('responseMimeType')
      ? { status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }
      : { events: one.events },
  )
  const ask = async (search: boolean) => textOf(await partsFrom(provider, callTo(one.model, { search })))
  expect(await ask(true)).toBe(contractText)
  const before = wire.requests.length
  expect(await ask(true)).toBe(contractText)
  expect(wire.requests.length).toBe(before + 1)
  expect(JSON.stringify(wire.requests.at(-1)!.body)).toContain('Reply with one JSON object')
})

test('[EV79] makers and models without a search tool say so', async () => {
  const connect = (maker: Maker) => maker.connect({ key, known: () => ({}) })
  expect(connect(deepseek).searches?.('deepseek-chat') ?? 0).toBe(0)
  expect(connect(google).searches?.('gemini-1.5-pro')).toBe(0)
  expect(connect(xai).searches?.('grok-3')).toBe(0)
})
