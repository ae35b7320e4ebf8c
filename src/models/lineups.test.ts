import { describe, expect, test } from 'vitest'
import { type CatalogueModel, catalogue } from './catalogue.ts'
import { lineups, resolveLineup } from './lineups.ts'

const known = catalogue()
const resolve = (id: string, ...configured: string[]) =>
  resolveLineup(id, known, provider => configured.includes(provider))!
const all = [...new Set(known.models.map(model => model.provider))]
const ids = (models: readonly CatalogueModel[]) => models.map(model => model.id)
const localModel = (id: string, name: string, maker: string, family: string): CatalogueModel => ({
  ...{ id: `ollama/${id}`, provider: 'ollama', model: id, name, maker, family, abilities: {}, local: true },
})

describe.each(lineups.filter(one => one.id !== 'local'))('line-up $id', ({ id }) => {
  test.each([all, ['openrouter'], ['vercel']])(
    '[G14] seats six makers, one model each, with %s',
    (...configured) => {
      const { seats, missing } = resolve(id, ...configured)
      expect(seats).toHaveLength(6)
      expect(new Set(seats.map(seat => seat.maker)).size).toBe(6)
      expect(new Set(seats.map(seat => seat.family)).size).toBe(6)
      for (const seat of seats) expect(configured).toContain(seat.provider)
      expect(missing).toEqual([])
    },
  )

  test('[G15] with nothing configured, it seats nobody and says what each seat needs', () => {
    const { seats, missing } = resolve(id)
    expect(seats).toEqual([])
    expect(missing.length).toBeGreaterThanOrEqual(6)
    for (const words of missing) expect(words).toMatch(/^.+ of .+ needs .+ or .+$/)
  })
})

describe('line-ups', () => {
  test('[G14] the newest model of a family gets the seat', () => {
    const { seats } = resolve('frontier', 'anthropic')
    expect(ids(seats)).toEqual(['anthropic/claude-opus-5'])
    const newer: CatalogueModel = {
      ...seats[0]!,
      ...{ id: 'anthropic/claude-opus-9', model: 'claude-opus-9', name: 'Claude Opus 9' },
    }
    const later = resolveLineup('frontier', known.with([newer]), provider => provider === 'anthropic')
    expect(ids(later!.seats)).toEqual(['anthropic/claude-opus-9'])
  })

  test('[G14] a retired model gets no seat', () => {
    const opus = known.find('anthropic/claude-opus-5')!.model
    const later = known.with([{ ...opus, retired: true }])
    const { seats } = resolveLineup('frontier', later, provider => provider === 'anthropic')!
    expect(ids(seats)).toEqual(['anthropic/claude-opus-4-8'])
  })

  test('[G14] open-weights seats only open weights, even if a newer model is closed', () => {
    const { openWeights, ...kimi } = known.find('moonshotai/kimi-k3')!.model
    expect(openWeights).toBe(true)
    const closed = { ...kimi, id: 'moonshotai/kimi-k9', model: 'kimi-k9', name: 'Kimi K9' }
    const { seats } = resolveLineup('open-weights', known.with([closed]), () => true)!
    expect(ids(seats)).toContain('moonshotai/kimi-k3')
    for (const seat of seats) expect(seat.openWeights).toBe(true)
  })

  test('[G15] a missing maker is listed with every route to it', () => {
    const { missing } = resolve('fast', 'mistral')
    expect(missing).toContain('Claude Haiku 4.5 of Anthropic needs anthropic, openrouter or vercel')
  })

  test('[G16] local seats the models on this machine, one of each family, the largest first', () => {
    const here = known.with([
      localModel('qwen3:8b', 'Qwen3 8B', 'alibaba', 'qwen'),
      localModel('qwen3:32b', 'Qwen3 32B', 'alibaba', 'qwen'),
      localModel('gemma4:31b', 'Gemma 4 31B', 'google', 'gemma'),
    ])
    const lineup = resolveLineup('local', here, () => false)
    expect(ids(lineup!.seats)).toEqual(['ollama/qwen3:32b', 'ollama/gemma4:31b'])
    expect(lineup!.missing).toEqual([])
    expect(resolve('local', ...all)).toEqual({
      seats: [],
      missing: ['No local model server was found: start Ollama, LM Studio or llama-server'],
    })
  })

  test('[G16] an unknown id gives undefined', () => {
    expect(resolveLineup('no-such', known, () => true)).toBeUndefined()
  })
})
