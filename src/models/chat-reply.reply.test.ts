import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOf } from '../../test/contracts/providers-contract.ts'
import { chatReply } from './chat-reply.ts'
import type { ModelPart } from './provider.ts'
import { PartQueue } from './provider.ts'

const event = (delta: unknown, more: object = {}): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...more }] })}\n\n`

const ending = `${event({}, { finish_reason: 'stop' })}data: [DONE]\n\n`

/** The parts of a reply that arrives in these chunks. */
const read = async (chunks: readonly Buffer[], secrets: readonly string[] = []): Promise<ModelPart[]> => {
  const parts = new PartQueue(() => {})
  const reply = chatReply(parts, secrets)
  for (const chunk of chunks) reply.data(chunk)
  reply.end()
  const all: ModelPart[] = []
  for await (const part of parts) all.push(part)
  return all
}

const cutAt = (text: string, offsets: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(text)
  const sorted = [0, ...offsets.map(offset => offset % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  )
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
}

const cuts = fc.array(fc.nat({ max: 5_000 }), { maxLength: 30 })
const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 12 })

describe('a chat reply', () => {
  test('[W18] is the same wherever its bytes are cut', async () => {
    const property = fc.asyncProperty(words, cuts, async (tokens, offsets) => {
      const stream = tokens.map(content => event({ content })).join('') + ending
      const whole = await read([Buffer.from(stream)])
      const pieces = await read(cutAt(stream, offsets))
      expect(textOf(pieces)).toBe(textOf(whole))
      expect(textOf(pieces, 'thinking')).toBe(textOf(whole, 'thinking'))
      expect(pieces.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    })
    await fc.assert(property, { numRuns: 200 })
  })

  test('[W12] a leading think block is thinking, wherever it is cut', async () => {
    const said = '\n<think>Is it < 3? </thin is no end.</think>\n\n{"headline":"No <think> here."}'
    const property = fc.asyncProperty(cuts, async offsets => {
      const contents = cutAt(said, offsets).map(piece => piece.toString())
      const parts = await read([Buffer.from(contents.map(content => event({ content })).join('') + ending)])
      expect(textOf(parts, 'thinking')).toBe('Is it < 3? </thin is no end.')
      expect(textOf(parts)).toBe('{"headline":"No <think> here."}')
    })
    await fc.assert(property, { numRuns: 200 })
  })

  test('[W12] a think block that never ends is thinking, and an unfinished tag is text', async () => {
    const open = await read([Buffer.from(event({ content: '<think>Hm</th' }) + ending)])
    expect(textOf(open, 'thinking')).toBe('Hm</th')
    const lone = await read([Buffer.from(event({ content: '<thi' }) + ending)])
    expect(textOf(lone)).toBe('<thi')
  })

  test('[W11] a key is removed from the text, even if it comes in several pieces', async () => {
    const secret = 'sk-lab-sk-lab-0123456789'
    const said = `sk-la sk-lab-sk-lab-sk-lab-0123456789 and ${secret}${secret} sk`
    const property = fc.asyncProperty(cuts, async offsets => {
      const contents = cutAt(said, offsets).map(piece => piece.toString())
      const stream = contents.map(content => event({ content })).join('') + ending
      expect(textOf(await read([Buffer.from(stream)], [secret]))).toBe('sk-la sk-lab-[key] and [key][key] sk')
    })
    await fc.assert(property, { numRuns: 200 })
  })

  test('[W21] tokens that arrive together are one part', async () => {
    const stream = Array.from({ length: 200 }, (_, index) => event({ content: `${index} ` })).join('')
    const parts = await read([Buffer.from(stream + ending)])
    expect(parts.map(part => part.type)).toEqual(['text', 'finish'])
  })

  test('[W12] both fields that makers show reasoning in are thinking', async () => {
    const stream =
      event({ reasoning_content: 'One. ' }) + event({ reasoning: 'Two.' }) + event({ content: 'Yes.' })
    const parts = await read([Buffer.from(stream + ending)])
    expect(textOf(parts, 'thinking')).toBe('One. Two.')
    expect(textOf(parts)).toBe('Yes.')
  })

  test('[W1] usage is reported once, with cached and reasoning tokens', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 12 },
    }
    const early = `data: ${JSON.stringify({ choices: [], usage: { ...usage, completion_tokens: 3 } })}\n\n`
    const late = `data: ${JSON.stringify({ choices: [], usage })}\n\n`
    const parts = await read([Buffer.from(early + event({ content: 'Yes.' }) + late + ending)])
    expect(parts.filter(part => part.type === 'usage')).toEqual([
      {
        type: 'usage',
        usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 64, reasoningTokens: 12 },
      },
    ])
  })

  test('[W13] content in pieces, comments, carriage returns and a byte order mark are read', async () => {
    const pieces = {
      content: [
        { type: 'text', text: 'Y' },
        { type: 'text', text: 'es.' },
      ],
    }
    const stream = `\uFEFF: processing\r\n\r\n${event(pieces).replaceAll('\n', '\r\n')}${ending}`
    expect(textOf(await read([Buffer.from(stream)]))).toBe('Yes.')
  })

  test('[W17] a stream that stops without a finish reason was cut off', async () => {
    const parts = await read([Buffer.from(event({ content: 'Half an ans' }))])
    expect(textOf(parts)).toBe('Half an ans')
    expect(parts.at(-1)).toMatchObject({ type: 'error', error: { kind: 'network' } })
    expect((await read([])).at(-1)).toMatchObject({ type: 'error', error: { kind: 'network' } })
  })

  test('[W17] a finish reason is enough if the last marker is missing', async () => {
    const parts = await read([Buffer.from(event({ content: 'Yes.' }, { finish_reason: 'length' }))])
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'length' })
  })

  test.each([
    ['data: not json\n\n', 'not json'],
    ['data: 7\n\n', '7'],
    ['<html><head><title>Welcome</title></head><body>to nginx</body></html>', 'Welcome to nginx'],
    ['{"status":"fine"}', "isn't a chat reply"],
  ])('[W16] %s is reported with what the server sent', async (sent, said) => {
    const last = (await read([Buffer.from(sent)])).at(-1)
    expect(last).toMatchObject({ type: 'error', error: { kind: 'server-error' } })
    expect(last?.type === 'error' && last.error.message).toContain(said)
  })
})
