/** One table of six makers, each served here in its own wire format: what they count is what is billed. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionDocument } from '../src/exports/json.ts'
import { createRoundtable } from '../src/library/index.ts'
import { catalogue } from '../src/models/catalogue.ts'
import { makers } from '../src/models/makers.ts'
import type { Price, TokenUsage } from '../src/models/provider.ts'
import { anthropicMessages } from './makers/anthropic-messages.ts'
import { chatCompletions } from './makers/chat-completions.ts'
import { googleGenerate } from './makers/google-generate.ts'
import { mistralChat } from './makers/mistral-chat.ts'
import { openaiResponses } from './makers/openai-responses.ts'
import type { WireFormat } from './makers/record.ts'
import { startWire, type Wire } from './makers/wire.ts'

interface Guest {
  readonly maker: string
  readonly name: string
  readonly wire: WireFormat
  /** The figures of one call, as the maker writes them and as they are meant. */
  readonly raw: unknown
  readonly meant: TokenUsage
}

const responses = (input: number, cached: number, output: number, reasoning: number): unknown => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
})

const guests: readonly Guest[] = [
  {
    maker: 'openai',
    name: 'GPT-5.5',
    wire: openaiResponses,
    raw: responses(1_000, 600, 300, 250),
    meant: { inputTokens: 1_000, cachedTokens: 600, outputTokens: 300, reasoningTokens: 250 },
  },
  {
    maker: 'anthropic',
    name: 'Claude Sonnet 4.6',
    wire: anthropicMessages,
    raw: {
      input_tokens: 110,
      cache_creation_input_tokens: 310,
      cache_read_input_tokens: 610,
      output_tokens: 210,
    },
    meant: { inputTokens: 1_030, cachedTokens: 610, cacheWriteTokens: 310, outputTokens: 210 },
  },
  {
    maker: 'google',
    name: 'Gemini 3.5 Flash',
    wire: googleGenerate,
    raw: {
      promptTokenCount: 1_020,
      cachedContentTokenCount: 620,
      candidatesTokenCount: 52,
      thoughtsTokenCount: 202,
      totalTokenCount: 1_274,
    },
    meant: { inputTokens: 1_020, cachedTokens: 620, outputTokens: 254, reasoningTokens: 202 },
  },
  {
    maker: 'mistral',
    name: 'Mistral Medium 3.1',
    wire: mistralChat,
    raw: { prompt_tokens: 930, completion_tokens: 130, total_tokens: 1_060 },
    meant: { inputTokens: 930, outputTokens: 130 },
  },
  {
    maker: 'xai',
    name: 'Grok 4.20 Reasoning',
    wire: openaiResponses,
    raw: responses(1_040, 640, 340, 240),
    meant: { inputTokens: 1_040, cachedTokens: 640, outputTokens: 340, reasoningTokens: 240 },
  },
  {
    maker: 'deepseek',
    name: 'DeepSeek V4 Pro',
    wire: chatCompletions({ basePath: '', figures: 'finish' }),
    raw: {
      prompt_tokens: 1_050,
      completion_tokens: 350,
      total_tokens: 1_400,
      prompt_cache_hit_tokens: 640,
      prompt_cache_miss_tokens: 410,
      completion_tokens_details: { reasoning_tokens: 150 },
    },
    meant: { inputTokens: 1_050, cachedTokens: 640, outputTokens: 350, reasoningTokens: 150 },
  },
]

/** A table that agrees at once would hold no second round, so this one disagrees. */
const dissenter = 'mistral'

/** What everybody says: a seat reads its part of it, and the moderator its own. */
const replyOf = (maker: string): string =>
  JSON.stringify({
    headline: maker === dissenter ? 'It is not so.' : 'It is so.',
    choice: maker === dissenter ? 'No' : 'Yes',
    reasoning: 'Nothing speaks against it.',
    confidence: 0.8,
    decision: 'kept',
    kind: 'fact',
    answer: 'It is so.',
    summary: 'The table saw no reason to doubt it.',
    counterpoint: null,
  })

const wires = new Map<string, Wire>()
const environment: Record<string, string> = {}
beforeAll(async () => {
  for (const guest of guests) {
    const wire = await startWire(() => {
      const { words, end } = guest.wire.events({ text: replyOf(guest.maker), usage: guest.raw })
      return { events: [...words, ...end] }
    })
    wires.set(guest.maker, wire)
    const { keys, baseURLVariable } = makers.find(({ id }) => id === guest.maker)!
    environment[keys[0]!] = `sk-${guest.maker}-0123456789`
    environment[baseURLVariable] = wire.origin + guest.wire.basePath
  }
})
afterAll(async () => {
  for (const wire of wires.values()) await wire.stop()
})

/** By hand, and not by the code that is tested. */
const dollars = (usage: TokenUsage, price: Price): number => {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage
  const plain = inputTokens - cachedTokens - cacheWriteTokens
  const input = plain * price.input + cachedTokens * (price.cachedInput ?? price.input)
  return (input + cacheWriteTokens * (price.cacheWrite ?? price.input) + outputTokens * price.output) / 1e6
}

const run = (): Promise<SessionDocument> =>
  createRoundtable({ env: environment }).ask({
    question: 'Is it so?',
    seats: guests.map(guest => guest.name),
    format: 'choice',
    options: ['Yes', 'No'],
    protocol: 'roundtable',
    rounds: 1,
  }).result

test('[R29] six makers in their own formats come to a verdict, and every bill adds up', async () => {
  const session = await run()
  expect(session.outcome).toBe('verdict')
  expect(session.failures).toEqual([])
  expect(session.verdict).toMatchObject({ level: 'supermajority', agree: 5, answered: 6, of: 6 })
  for (const { name, model } of session.seats) expect(name).toBe(catalogue().find(model)!.model.name)
  expect(session.seats.map(seat => seat.model.split('/')[0])).toEqual(guests.map(guest => guest.maker))

  const [moderatedBy, moderatorModel] = [session.moderator!.split('/')[0], session.moderator!]
  let total = 0
  for (const [index, guest] of guests.entries()) {
    const seat = session.seats[index]!
    const requests = wires.get(guest.maker)!.requests
    const own = requests.filter(request => seat.model.endsWith(`/${guest.wire.modelOf(request)}`))
    expect(own).toHaveLength(2)
    const used = session.usageBySeat[seat.id]!
    for (const [field, count] of Object.entries(guest.meant))
      expect({ seat: seat.name, [field]: used[field as keyof TokenUsage] }).toEqual({
        seat: seat.name,
        [field]: 2 * count,
      })
    const { price } = catalogue().find(seat.model)!.model
    expect(used.costUsd).toBeCloseTo(2 * dollars(guest.meant, price!), 10)
    total += used.costUsd!
    if (guest.maker !== moderatedBy) continue
    const moderated = requests.length - own.length
    expect(moderated).toBeGreaterThan(0)
    total += moderated * dollars(guest.meant, catalogue().find(moderatorModel)!.model.price!)
  }
  expect(session.usage.costUsd).toBeCloseTo(total, 10)
})
