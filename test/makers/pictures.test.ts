/** Each maker's own format for pictures, as a local server that speaks it gets them. */

import { expect, test } from 'vitest'
import {
  alibaba,
  anthropic,
  cohere,
  google,
  groq,
  mistral,
  moonshotai,
  ollama,
  openai,
  openrouter,
  vercel,
  xai,
  zai,
} from '../../src/models/makers.ts'
import type { Maker } from '../../src/models/provider.ts'
import { callTo, contractText, partsFrom } from '../contracts/providers-contract.ts'
import { pngFile } from '../evidence/files.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { chatCompletions } from './chat-completions.ts'
import { cohereChat } from './cohere-chat.ts'
import { gateway } from './gateway.ts'
import { googleGenerate } from './google-generate.ts'
import { mistralChat } from './mistral-chat.ts'
import { ollamaChat } from './ollama-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { key, type WireFormat } from './record.ts'
import { startWire } from './wire.ts'

const data = Buffer.from(pngFile(8, 4)).toString('base64')
const url = `data:image/png;base64,${data}`
const pictures = [{ exhibit: 2, media: 'image/png', data, tokens: 85 }]

/** The content of the user's message in a request of this format, up to the first words of the prompt. */
interface Case {
  readonly maker: Maker
  readonly wire: WireFormat
  readonly model: string
  readonly path: readonly (string | number)[]
  readonly parts: readonly unknown[]
}

const chat = (maker: Maker, basePath: string, model: string): Case => ({
  maker,
  wire: chatCompletions({ basePath }),
  model,
  path: ['messages', 1, 'content'],
  parts: [
    { type: 'text', text: 'Exhibit 2:' },
    { type: 'image_url', image_url: { url } },
  ],
})

const responses = (maker: Maker, model: string): Case => ({
  maker,
  wire: openaiResponses,
  model,
  path: ['input', 1, 'content'],
  parts: [
    { type: 'input_text', text: 'Exhibit 2:' },
    { type: 'input_image', image_url: url },
  ],
})

const cases: readonly Case[] = [
  responses(openai, 'gpt-5.5'),
  responses(xai, 'grok-4.20-reasoning'),
  {
    maker: anthropic,
    wire: anthropicMessages,
    model: 'claude-sonnet-4-6',
    path: ['messages', 0, 'content'],
    parts: [
      { type: 'text', text: 'Exhibit 2:' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    ],
  },
  {
    maker: google,
    wire: googleGenerate,
    model: 'gemini-3.5-flash',
    path: ['contents', 0, 'parts'],
    parts: [{ text: 'Exhibit 2:' }, { inlineData: { mimeType: 'image/png', data } }],
  },
  {
    maker: mistral,
    wire: mistralChat,
    model: 'mistral-large-2512',
    path: ['messages', 1, 'content'],
    parts: [
      { type: 'text', text: 'Exhibit 2:' },
      { type: 'image_url', image_url: url },
    ],
  },
  {
    maker: cohere,
    wire: cohereChat,
    model: 'command-a-vision-07-2025',
    path: ['messages', 1, 'content'],
    parts: [
      { type: 'text', text: 'Exhibit 2:' },
      { type: 'image_url', image_url: { url } },
    ],
  },
  {
    maker: vercel,
    wire: gateway,
    model: 'anthropic/claude-sonnet-4.6',
    path: ['prompt', 1, 'content'],
    parts: [
      { type: 'text', text: 'Exhibit 2:' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data } },
    ],
  },
  chat(openrouter, '/api/v1', 'anthropic/claude-sonnet-4.6'),
  chat(openrouter, '/api/v1', 'openai/gpt-5.5'),
  chat(alibaba, '/compatible-mode/v1', 'qwen3.7-plus'),
  chat(groq, '/openai/v1', 'meta-llama/llama-4-scout'),
  chat(moonshotai, '/v1', 'kimi-k2.6'),
  chat(zai, '/api/paas/v4', 'glm-4.6v'),
]

const bodyFor = async ({ maker, wire, model }: Pick<Case, 'maker' | 'wire' | 'model'>): Promise<unknown> => {
  const { words, end } = wire.events({ text: contractText })
  const server = await startWire(() => ({ events: [...words, ...end] }))
  try {
    const provider = maker.connect({ key, baseURL: server.origin + wire.basePath, known: () => ({}) })
    const parts = await partsFrom(provider, callTo(model, { pictures }))
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    return server.requests[0]?.body
  } finally {
    await server.stop()
  }
}

const at = (body: unknown, path: Case['path']): unknown =>
  path.reduce((value, step) => (value as Record<string | number, unknown>)[step], body)

test.each(cases.map(one => [`${one.maker.id} ${one.model}`, one] as const))(
  '[EV42] a picture comes before the text, with the number of its exhibit: %s',
  async (_name, one) => {
    const content = at(await bodyFor(one), one.path) as unknown[]
    expect(content.slice(0, 2)).toMatchObject(one.parts)
    expect(JSON.stringify(content.slice(2))).toContain('The question:')
  },
)

test('[EV42] Ollama gets pictures beside the text, and room for them in the context', async () => {
  const body = (await bodyFor({ maker: ollama, wire: ollamaChat, model: 'gemma3:12b' })) as {
    messages: unknown[]
  }
  expect(body.messages[1]).toMatchObject({
    role: 'user',
    content: expect.stringMatching(/^Pictures, in their order: exhibit 2\.\n\nThe question:/),
    images: [data],
  })
})
