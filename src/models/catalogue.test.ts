import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CatalogueModel, catalogue, createCatalogue } from './catalogue.ts'

const known = catalogue()

const routesOf = (maker: string, id: string, direct = id): string[] => [
  `${maker}/${direct}`,
  `openrouter/${maker}/${id}`,
  `vercel/${maker}/${id}`,
]

/** Each with its routes, the most direct first; the gateway lacks two. */
const seeds = [
  { name: 'GLM 4.7', ids: ['zai/glm-4.7', 'openrouter/z-ai/glm-4.7', 'vercel/zai/glm-4.7'] },
  { name: 'GLM 5.1', ids: ['zai/glm-5.1', 'openrouter/z-ai/glm-5.1', 'vercel/zai/glm-5.1'] },
  { name: 'Gemini 3.5 Flash', ids: routesOf('google', 'gemini-3.5-flash') },
  {
    name: 'Grok 4.20 Reasoning',
    ids: [
      ...['xai/grok-4.20-0309-reasoning', 'openrouter/x-ai/grok-4.20'],
      'vercel/spacexai/grok-4.20-reasoning',
    ],
  },
  { name: 'Claude Sonnet 4.6', ids: routesOf('anthropic', 'claude-sonnet-4.6', 'claude-sonnet-4-6') },
  { name: 'Claude Opus 4.7', ids: routesOf('anthropic', 'claude-opus-4.7', 'claude-opus-4-7') },
  {
    name: 'Mistral Medium 3.1',
    ids: ['mistral/mistral-medium-2508', 'openrouter/mistralai/mistral-medium-3.1'],
  },
  { name: 'Qwen 3.5 397B', ids: ['alibaba/qwen3.5-397b-a17b', 'openrouter/qwen/qwen3.5-397b-a17b'] },
  { name: 'GPT-5.5', ids: routesOf('openai', 'gpt-5.5') },
  { name: 'DeepSeek V4 Pro', ids: routesOf('deepseek', 'deepseek-v4-pro') },
  { name: 'Kimi K2.6', ids: routesOf('moonshotai', 'kimi-k2.6') },
]

const model = (id: string, name: string, more: Partial<CatalogueModel> = {}): CatalogueModel => {
  const slash = id.indexOf('/')
  const provider = id.slice(0, slash)
  return {
    ...{ id, provider, model: id.slice(slash + 1), name, maker: provider, family: 'none', abilities: {} },
    ...more,
  }
}

describe('finding a model', () => {
  test.each(seeds)(
    '[G1] $name is found by its display name, its id, and at the gateways',
    ({ name, ids }) => {
      const [direct, ...far] = ids
      for (const spelling of [
        name,
        name.toUpperCase(),
        name.replaceAll(/[ .]/g, '-'),
        name.replaceAll(' ', ''),
      ])
        expect(known.find(spelling)?.model.id, spelling).toBe(direct)
      expect(known.find(direct!)).toMatchObject({ model: { id: direct }, pinned: false })
      for (const id of far) expect(known.find(id)).toMatchObject({ model: { id }, pinned: true })
    },
  )

  test('[G1] every stored model is found by its own id', () => {
    for (const one of known.models) expect(known.find(one.id)?.model).toBe(one)
  })

  test.each([
    ['claude-sonnet-4-6', 'anthropic/claude-sonnet-4-6'],
    ['mistral/mistral-medium-3.1', 'mistral/mistral-medium-2508'],
    ['z-ai/glm-5.1', 'zai/glm-5.1'],
    ['Gemini 3.1 Pro', 'google/gemini-3.1-pro-preview'],
    ['Anthropic: Claude Opus 4.7', 'anthropic/claude-opus-4-7'],
    ['Command R+', 'cohere/command-r-plus-08-2024'],
    ['Command R', 'cohere/command-r-08-2024'],
  ])('[G2] %s is %s, the direct route', (name, id) => {
    const match = known.find(name)
    expect(match?.pinned).toBe(false)
    const first = match && known.routes(match.model)[0]?.model.id
    expect(first).toBe(id)
  })

  test('[G3] a name that includes a gateway pins it, in any spelling', () => {
    const id = 'openrouter/anthropic/claude-sonnet-4.6'
    expect(known.find('openrouter/anthropic/claude-sonnet-4-6')).toMatchObject({
      model: { id },
      pinned: true,
    })
    expect(known.find('gateway/zai/glm-5.1')).toMatchObject({
      model: { id: 'vercel/zai/glm-5.1' },
      pinned: true,
    })
  })

  test('[G4] an unknown name finds nothing, and never throws', () => {
    const none = ['', '/', '///', 'no such model', 'anthropic/', 'openai/no-such-model', '4.6']
    for (const name of none) expect(known.find(name), name).toBeUndefined()
    fc.assert(fc.property(fc.string(), name => void [known.find(name), known.nearest(name, 3)]))
  })
})

describe('routes', () => {
  test.each(seeds)('[G5] $name has a direct route, then OpenRouter, then the gateway', seed => {
    const routes = known.routes(known.find(seed.name)!.model)
    expect(routes.map(route => route.model.id)).toEqual(seed.ids)
    expect(routes.map(route => route.kind)).toEqual(
      ['direct', 'openrouter', 'gateway'].slice(0, routes.length),
    )
    for (const route of routes) expect(known.routes(route.model)).toEqual(routes)
  })

  test('[G6] another size, tier, snapshot or variant is another model, not a route', () => {
    const ids = (name: string) => known.routes(known.find(name)!.model).map(route => route.model.id)
    expect(ids('GPT-5.5')).not.toContain('vercel/openai/gpt-5.5-fast')
    expect(ids('DeepSeek V4 Pro')).not.toContain('openrouter/deepseek/deepseek-v4-pro-0813')
    expect(ids('GLM 5.2')).not.toContain('openrouter/z-ai/glm-5.2:free')
    expect(ids('xai/grok-4.20-0309-non-reasoning')).not.toContain('openrouter/x-ai/grok-4.20')
  })

  test('[G6] a route never changes the maker', () => {
    const namesakes = createCatalogue([model('one/atlas-1', 'Atlas 1'), model('two/atlas-1', 'Atlas 1')])
    expect(namesakes.routes(namesakes.models[1]!).map(route => route.model.id)).toEqual(['two/atlas-1'])
    for (const one of known.models)
      for (const route of known.routes(one)) expect(route.model.maker).toBe(one.maker)
  })
})

describe('nearest names', () => {
  test.each([
    ['gtp-5.5', 'GPT-5.5'],
    ['claud sonet 4.6', 'Claude Sonnet 4.6'],
    ['claude-3-opus-20240229', 'Claude Opus 5'],
    ['kimi 2.6', 'Kimi K2.6'],
    ['qwen 397', 'Qwen3.5 397B-A17B'],
    ['openai/gpt-4-32k', 'GPT-4'],
  ])('[G7] for %s, %s is suggested first', (name, first) => {
    expect(known.find(name)).toBeUndefined()
    expect(known.nearest(name, 3)[0]?.name).toBe(first)
  })

  test('[G7] lists each model once, no more than asked for, and none that is retired or too different', () => {
    expect(known.nearest('claude sonnet', 5)).toHaveLength(5)
    expect(new Set(known.nearest('claude sonnet', 5).map(one => one.name)).size).toBe(5)
    expect(known.nearest('zzzz', 5)).toEqual([])
    const pair = createCatalogue([model('lab/lab-1', 'Lab 1'), model('lab/lab-2', 'Lab 2')])
    expect(pair.nearest('lab 3', 5).map(one => one.name)).toEqual(['Lab 2', 'Lab 1'])
    const two = createCatalogue([model('lab/old-1', 'Old 1', { retired: true }), model('lab/old-2', 'Old 2')])
    expect(two.nearest('old 1', 5).map(one => one.id)).toEqual(['lab/old-2'])
  })
})

describe('search', () => {
  const names = (models: readonly CatalogueModel[]) => models.map(one => one.name)

  test('[G8] the best match comes first: the exact name, then the newest that starts with it', () => {
    expect(names(known.search('GPT-5.5')).slice(0, 2)).toEqual(['GPT-5.5', 'GPT-5.5 Pro'])
    expect(names(known.search('claude opus'))[0]).toBe('Claude Opus 5')
    expect(names(known.search('anthropic sonnet'))[0]).toBe('Claude Sonnet 5')
    expect(known.search('no such words')).toEqual([])
  })

  test('[G8] each model comes once, by its most direct route', () => {
    expect(known.search('Claude Sonnet 4.6').map(one => one.id)).toEqual(['anthropic/claude-sonnet-4-6'])
  })

  test('[G9] every hit passes the filters, and an unknown value does not pass', () => {
    const hits = known.search('', { maker: 'z-ai', maxPrice: 2, minContext: 150_000, openWeights: true })
    expect(hits.length).toBeGreaterThan(0)
    for (const hit of hits) {
      expect(hit).toMatchObject({ maker: 'zai', openWeights: true })
      expect(hit.price!.output).toBeLessThanOrEqual(2)
      expect(hit.context).toBeGreaterThanOrEqual(150_000)
    }
    const unknown = createCatalogue([model('lab/one', 'One')])
    expect(unknown.search('', { maxPrice: 100 })).toEqual([])
    expect(unknown.search('', { minContext: 1 })).toEqual([])
    expect(unknown.search('', { openWeights: true })).toEqual([])
    expect(createCatalogue([model('lab/old', 'Old', { retired: true })]).search('old')).toEqual([])
  })

  test('[G9] configured shows the route through a configured provider', () => {
    const hits = known.search('Grok 4.20 Reasoning', { configured: provider => provider === 'vercel' })
    expect(hits[0]?.id).toBe('vercel/spacexai/grok-4.20-reasoning')
    for (const hit of hits) expect(hit.provider).toBe('vercel')
    expect(known.search('', { configured: () => false })).toEqual([])
  })

  test('[G9] local shows the route on this machine, even if others serve the model too', () => {
    const cloud = known.models.find(one => one.provider === 'openrouter' && one.maker === 'alibaba')!
    const here = model(`ollama/${cloud.model}`, cloud.name, { maker: cloud.maker, local: true })
    expect(known.with([here]).search('', { local: true })).toEqual([here])
  })

  test('[G10] models found at run time join, and their facts replace the stored ones', () => {
    const found = known.with([
      model('ollama/gemma4:31b', 'Gemma 4 31B', { maker: 'google', local: true }),
      { ...known.find('openai/gpt-5.5')!.model, context: 12_345, retired: true },
    ])
    expect(found.search('', { local: true }).map(one => one.id)).toEqual(['ollama/gemma4:31b'])
    expect(found.find('openai/gpt-5.5')?.model).toMatchObject({ context: 12_345, retired: true })
    expect(found.models).toHaveLength(known.models.length + 1)
    expect(known.find('openai/gpt-5.5')?.model.retired).toBeUndefined()
  })
})
