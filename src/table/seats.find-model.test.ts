import { describe, expect, test } from 'vitest'
import { UsageError } from '../core/basics.ts'
import { type CatalogueModel, catalogue } from '../models/catalogue.ts'
import { scripted } from '../models/scripted.ts'
import { type ReachOptions, reachOf } from './reach.ts'
import { openingOf } from './resolve.ts'
import { findModel, nameOf } from './seats.ts'

const keys: Record<string, string> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  groq: 'GROQ_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  vercel: 'AI_GATEWAY_API_KEY',
}

const reachWith = (ids: readonly string[], more: ReachOptions = {}) =>
  reachOf({ env: Object.fromEntries(ids.map(id => [keys[id]!, `key-of-${id}`])), ...more })

const seated = (name: string, ...ids: string[]): string => nameOf(findModel(name, reachWith(ids)))

const seeds = [
  ...[
    'GLM 4.7',
    'GLM 5.1',
    'Gemini 3.5 Flash',
    'Grok 4.20 Reasoning',
    'Claude Sonnet 4.6',
    'Claude Opus 4.7',
  ],
  ...['Mistral Medium 3.1', 'Qwen 3.5 397B', 'GPT-5.5', 'DeepSeek V4 Pro', 'Kimi K2.6'],
]

describe('a seat', () => {
  test.each(['Claude Sonnet 4.6', 'claude sonnet 4.6', 'anthropic/claude-sonnet-4-6', 'claude-sonnet-4-6'])(
    '[R21] is given by %s',
    name => {
      expect(seated(name, 'anthropic', 'openrouter')).toBe('anthropic/claude-sonnet-4-6')
    },
  )

  test.each(seeds)('[R21] %s is reached with the key of OpenRouter alone', name => {
    expect(seated(name, 'openrouter')).toMatch(/^openrouter\//)
  })

  test('[R21] takes the shortest connected way: the maker, then OpenRouter, then the gateway', () => {
    expect(seated('Claude Opus 4.7', 'vercel', 'openrouter', 'anthropic')).toMatch(/^anthropic\//)
    expect(seated('Claude Opus 4.7', 'vercel', 'openrouter')).toMatch(/^openrouter\//)
    expect(seated('anthropic/claude-opus-4-7', 'vercel')).toMatch(/^vercel\//)
  })

  test('[R21] that names a provider of other makers’ models stays with that provider', () => {
    const name = 'openrouter/anthropic/claude-opus-4.7'
    expect(seated(name, 'anthropic', 'openrouter')).toBe(name)
    expect(() => seated(name, 'anthropic')).toThrow(/needs OPENROUTER_API_KEY/)
  })

  test('[R21] may be a snapshot of a known model, or a model that the settings know', () => {
    expect(seated('anthropic/claude-sonnet-4-6-20260217', 'anthropic')).toBe(
      'anthropic/claude-sonnet-4-6-20260217',
    )
    expect(seated('openai/gpt-5.5-2026-04-23', 'openai')).toBe('openai/gpt-5.5-2026-04-23')
    const price = { input: 7, output: 9 }
    const reach = reachWith(['openai'], { makers: { openai: { models: { 'ft:mine': { price } } } } })
    const { provider, model } = findModel('openai/ft:mine', reach)
    expect(provider.known(model)).toEqual({ price })
  })

  test('[R22] that cannot be reached says what is missing', () => {
    expect(() => seated('Claude Sonnet 4.6', 'openai')).toThrow(UsageError)
    expect(() => seated('Claude Sonnet 4.6')).toThrow(
      'Claude Sonnet 4.6 needs ANTHROPIC_API_KEY, or OPENROUTER_API_KEY, or AI_GATEWAY_API_KEY',
    )
  })

  test.each(['Claude Sonet 4.6', 'anthropic/claude-sonet-4-6', 'claude-sonet-4.6'])(
    '[R22] that nobody knows is told the nearest names: %s',
    name => {
      for (const ids of [[], ['anthropic'], ['openrouter']])
        expect(() => seated(name, ...ids)).toThrow(
          /no model has that name\. The nearest names are Claude Sonnet 4/,
        )
    },
  )

  test('[R22] that is retired is told the nearest names', () => {
    const opus = catalogue().find('anthropic/claude-opus-4-7')!.model
    const gone: CatalogueModel = { ...opus, id: 'anthropic/claude-opus-1', model: 'claude-opus-1' }
    const retired = { ...gone, name: 'Claude Opus 1', retired: true }
    const reach = reachWith(['anthropic'], { catalogue: () => catalogue().with([retired]) })
    expect(() => findModel('Claude Opus 1', reach)).toThrow(
      /^Claude Opus 1 is retired\. The nearest names are Claude Opus/,
    )
  })
})

describe('an opened session', () => {
  const input = { question: 'Is it so?' }
  const none = () => {
    throw new Error('the catalogue was read')
  }

  test('[R23] has the provider and model that are used, the display name, and the maker', () => {
    const { opened } = openingOf({ ...input, seats: ['Claude Sonnet 4.6'] }, 'x', reachWith(['openrouter']))
    expect(opened.seats).toMatchObject([
      { name: 'Claude Sonnet 4.6', model: 'openrouter/anthropic/claude-sonnet-4.6', maker: 'Anthropic' },
    ])
  })

  test('[R24] of one’s own endpoints reads no catalogue', () => {
    const endpoints = [{ id: 'lab', baseURL: 'http://127.0.0.1:9/v1' }]
    const reach = reachWith(['openai'], { endpoints, providers: [scripted(() => 'x')], catalogue: none })
    const { opened } = openingOf({ ...input, seats: ['lab/m0', 'scripted/x'] }, 'x', reach)
    expect(opened.seats.map(seat => seat.model)).toEqual(['lab/m0', 'scripted/x'])
    expect(opened.moderator).toBe('lab/m0')
  })

  test('[R25] without seats has the strongest connected models, and a moderator beside them', () => {
    const { opened } = openingOf(input, 'x', reachWith(['openrouter']))
    expect(new Set(opened.seats.map(seat => seat.maker)).size).toBe(6)
    expect(opened.moderator).toMatch(/^openrouter\//)
    expect(opened.seats.map(seat => seat.model)).not.toContain(opened.moderator)
    expect(
      openingOf({ ...input, moderator: null }, 'x', reachWith(['openrouter'])).opened.moderator,
    ).toBeNull()
  })

  test('[R25] without seats and with nothing connected says what to set', () => {
    expect(() => openingOf(input, 'x', reachWith([]))).toThrow(/ANTHROPIC_API_KEY.*endpoint/)
  })

  test('[R26] of local models gets no moderator elsewhere', () => {
    const env = { OPENAI_API_KEY: 'key-of-openai', OLLAMA_HOST: '127.0.0.1' }
    const { opened } = openingOf({ ...input, seats: ['ollama/own'] }, 'x', reachOf({ env }))
    expect(opened.moderator).toBe('ollama/own')
  })
})
